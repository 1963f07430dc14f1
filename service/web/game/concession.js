/** Who may still say "I pay" (rules 40 and 41). */

import { others } from "./seats.js";

const secondTrickSeats = (deal) => new Set((deal.tricks[1]?.plays ?? []).map(({ seat }) => seat));

/** Has a defender played to trick 2 of a low contract without conceding? Then the window is shut for all. */
export const dead = (rules, deal) =>
  rules.low_contracts.includes(deal.contract) &&
  others(deal.caller).some((seat) => secondTrickSeats(deal).has(seat) && !deal.conceded.includes(seat));

/** The defenders who may concede now. */
export function mayConcede(rules, phase, deal) {
  if (!rules.concessions || !deal?.caller) return [];
  const open = ["discards", "exposing", "play", ...(deal.reported ? ["trumps"] : [])];
  if (!open.includes(phase) || dead(rules, deal)) return [];
  return others(deal.caller).filter((seat) => !deal.conceded.includes(seat));
}
