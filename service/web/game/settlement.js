/** What a finished deal costs (rules 29 to 31, 35 to 39, 44 and 45), as a settlement with its deltas and pool. */

import { active, double, win } from "./pool.js";
import { HAND, numeric, tricksIn, wanted } from "./ladder.js";
import { four, SEATS, sum } from "./seats.js";
import { must } from "./refusal.js";

/** What each opponent pays or gets for a contract, short by `shortfall` if it failed. */
export function price(rules, contract, made, shortfall) {
  if (!numeric(contract)) return rules.misere[contract];
  return made ? rules.success[contract] : rules.failure[contract][shortfall - 1];
}

/** Does a success take a pool? Not at a low contract that was conceded, or where the rules exclude it (rule 38). */
const takesPool = (rules, contract, conceded) =>
  !rules.low_contracts.includes(contract) || (rules.low_contract_pool && !conceded);

/** The settlement of a contract. `pool` is the one before; the result's `pool` is the one after. */
export function settleContract(rules, pool, { contract, caller, made, shortfall = 0, conceded = false }) {
  const each = price(rules, contract, made, shortfall);
  const sign = made ? 1 : -1;
  const moves = made ? takesPool(rules, contract, conceded) : true;
  const [amount, after] = moves ? (made ? win : double)(pool, rules.cap) : [0, pool];
  return {
    outcome: made ? "made" : "failed",
    price: each,
    poolPaid: -sign * amount,
    poolActive: active(pool, rules.cap),
    deltas: four((seat) => (seat === caller ? sign * (3 * each + amount) : -sign * each)),
    pool: after,
    shortfall: made ? 0 : shortfall,
    conceded,
  };
}

/** The rule by which a settled row was paid. */
export function ruleOf({ contract, outcome, conceded }) {
  if (outcome === "misere_partout") return 45;
  if (conceded) return ["5", "6"].includes(contract) ? 40 : 41;
  if (!numeric(contract)) return 37;
  return outcome === "made" ? 35 : 36;
}

/** Rule 45: the most tricks pay each other player for every trick that he has less, shared among the tied. */
export function partoutDeltas(tricks, unit) {
  const most = Math.max(...SEATS.map((seat) => tricks[seat]));
  const leaders = SEATS.filter((seat) => tricks[seat] === most);
  const owed = four((seat) => unit * (most - tricks[seat]));
  const share = sum(owed) / leaders.length;
  return four((seat) => (leaders.includes(seat) ? -share : owed[seat]));
}

/** Refuses trick totals that cannot be the end of a deal (rules 14, 15, 29, 30, 31 and 44). */
export function checkTotals(rules, { contract, caller, partout }, tricks) {
  const all = sum(tricks);
  const most = partout ? HAND : tricksIn(contract);
  must(fits(rules, contract, partout ? null : tricks[caller], all, most), "tricks_cannot_be", partout ? 44 : 29, {
    all,
    most,
    contract,
  });
}

function fits(rules, contract, own, all, most) {
  if (all > most) return false;
  if (own === null) return all === most;
  if (!numeric(contract)) return own > 0 || all === most;
  if (own >= wanted(contract)) return true;
  return contract === "13" && rules.slam_after_failure === "stop" ? all > own : all === most;
}

/** How a contract stands by tricks: `null` while it is open, else `{made, shortfall}`. `over`: no trick is left. */
export function verdict(rules, contract, caller, tricks, over) {
  const own = tricks[caller];
  const n = wanted(contract);
  if (!numeric(contract)) return own > 0 ? { made: false, shortfall: 0 } : over ? { made: true } : null;
  if (own >= n) return { made: true };
  if (contract === "13" && rules.slam_after_failure === "stop") return sum(tricks) > own || over ? { made: false, shortfall: 1 } : null;
  return over ? { made: false, shortfall: n - own } : null;
}
