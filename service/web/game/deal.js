/** One deal from the dealing to its end: the value that the table's keys are drawn from. */

import { preferencesOf, result } from "./auction.js";
import { HAND, discards, exposes, numeric, tricksIn } from "./ladder.js";
import { countTricks } from "./tricks.js";
import { partoutDeltas, settleContract, verdict } from "./settlement.js";
import { putIn, total } from "./pool.js";
import { four, left, sum } from "./seats.js";
import { must, notNow } from "./refusal.js";

const FRESH = {
  opened: null,
  hands: {},
  calls: [],
  caller: null,
  contract: null,
  preference: null,
  trumps: null,
  partout: false,
  reported: false,
  discards: {},
  exposed: null,
  conceded: [],
  tricks: [],
};

/** Everyone pays `each` into the pool. */
const contribute = (game, each) => ({
  ...game,
  balances: four((seat) => game.balances[seat] - each),
  pool: putIn(game.pool, 4 * each, game.rules.cap),
});

/** The game with a deal begun, its contribution paid where every deal has one. */
export function beginDeal(game) {
  if (game.deal) return game;
  must(game.phase === "between_deals", ...notNow(game));
  const due = game.rules.contribution === "every_deal" && !game.stakePaid;
  return {
    ...(due ? contribute(game, game.rules.stake) : game),
    phase: "dealing",
    stakePaid: true,
    carried: null,
    last: null,
    deal: { ...FRESH, dealer: game.dealer, number: game.counted + 1, suits: game.carried },
  };
}

/** The preference suits of the deal in progress, as far as they are known (rule 8). */
export const suitsOf = (game) =>
  (game.rules.preferences === "session" ? { first: game.senior, second: game.junior } : game.deal?.suits) ?? {
    first: null,
    second: null,
  };

/** The game after a card showed a preference suit. */
export function exposePreference(begun, card) {
  const deal = { ...begun.deal, opened: card, suits: preferencesOf(card) };
  if (begun.rules.preferences === "each_deal") return { ...begun, deal };
  must(!(begun.senior && begun.junior), "preferences_known", 8);
  must(!begun.deal.opened, "preference_opened", 8);
  const suit = preferencesOf(card).first;
  const senior = begun.senior ?? suit;
  return { ...begun, senior, junior: begun.junior ?? (suit === senior ? null : suit), deal };
}

const openTrick = (leader) => ({ leader, plays: [], winner: null });

/** The game once a contract stands: trumps, discards, a spread or the opening lead come next (rules 24 to 28). */
export function toContract(game, won) {
  const deal = { ...game.deal, ...won };
  const next = numeric(deal.contract) && !deal.trumps ? "trumps" : null;
  return next ? { ...game, phase: next, deal } : toPlay({ ...game, deal });
}

/** The next phase before or at the play, by what is still missing (rule 28). */
export function toPlay(game) {
  const { deal } = game;
  const lacking = discards(deal.contract) && Object.keys(deal.discards).length < 4;
  if (lacking) return { ...game, phase: "discards" };
  if (exposes(deal.contract) && !deal.exposed) return { ...game, phase: "exposing" };
  return { ...game, phase: "play", deal: { ...deal, tricks: [openTrick(left(deal.dealer))] } };
}

/** The game after a call: the auction goes on, is won, or all four have passed. */
export function afterCall(game) {
  const ended = result(game.deal.calls);
  if (ended === null) return { ...game, phase: "auction" };
  if (ended !== "all_pass") return toContract(game, { caller: ended.seat, contract: ended.contract, preference: ended.preference });
  return game.rules.all_pass === "thrown_in" ? throwIn(game) : toPlay({ ...game, deal: { ...game.deal, partout: true } });
}

/** The bookkeeping that every end of a deal shares. `changes` are the balances, the pool and who deals next. */
const endDeal = (game, row, changes) => {
  const after = { ...game, ...changes };
  const full = { dealer: game.deal.dealer, number: game.deal.number, ...row, balances: after.balances, pool: after.pool };
  return { ...after, phase: "between_deals", deal: null, last: null, rows: [...game.rows, full] };
};

function throwIn(game) {
  const paid = contribute(game, game.rules.thrown_in_fine);
  const next = { balances: paid.balances, pool: paid.pool, dealer: left(game.dealer), stakePaid: false };
  return { ...endDeal(game, { counts: false, outcome: "thrown_in" }, next), last: { before: game } };
}

/** A misdeal: the dealer pays his fine and the deal is dealt again (rule 33). */
export function misdeal(game) {
  const fine = game.rules.misdeal_fine;
  return endDeal(game, { counts: false, outcome: "misdeal" }, {
    balances: { ...game.balances, [game.dealer]: game.balances[game.dealer] - fine },
    pool: putIn(game.pool, fine, game.rules.cap),
    dealer: game.rules.misdeal_dealer === "left" ? left(game.dealer) : game.dealer,
    carried: game.deal.suits,
  });
}

/** All four agree that the deal is void; a settlement already made is taken back (rule 34). */
export function cancel(game) {
  const before = game.deal ? game : game.last.before;
  return endDeal(before, { counts: false, outcome: "cancelled" }, { carried: before.deal.suits });
}

/** The counted row of a settled deal, and everything that follows from it: the next dealer, a new contribution. */
export function settle(game, settlement, row, fine = null) {
  const { rules, deal } = game;
  const paid = four((seat) => game.balances[seat] + settlement.deltas[seat] - (fine?.seat === seat ? fine.amount : 0));
  const pool = fine ? putIn(settlement.pool, fine.amount, rules.cap) : settlement.pool;
  const ended = endDeal(
    game,
    {
      counts: true,
      contract: deal.contract,
      preference: deal.preference,
      caller: deal.caller,
      trumps: deal.trumps,
      shortfall: settlement.shortfall,
      outcome: settlement.outcome,
      deltas: settlement.deltas,
      ...row,
    },
    { balances: paid, pool, dealer: left(game.dealer), stakePaid: false, counted: game.counted + 1 },
  );
  const last = { before: game, settlement, fine };
  const finished = ended.counted === rules.deals;
  if (finished) return { ...ended, phase: "finished", last };
  const empty = rules.contribution === "when_empty" && total(pool, rules.cap) === 0;
  return { ...(empty ? contribute(ended, rules.stake) : ended), last: { ...last, contribution: empty ? rules.stake : 0 } };
}

/** Settles a contract, or a misère partout, that ended with these tricks. */
export function settleTricks(game, tricks, outcome) {
  const { rules, deal, pool } = game;
  if (deal.partout) {
    const deltas = partoutDeltas(tricks, rules.partout);
    return settle(game, { outcome: "misere_partout", deltas, pool, price: 0, poolPaid: 0, shortfall: 0 }, { tricks });
  }
  return settle(game, settleContract(rules, pool, { contract: deal.contract, caller: deal.caller, ...outcome }), { tricks });
}

/** The third "I pay" ends the deal at the success price (rules 40 and 41). */
export const settleConceded = (game) =>
  settle(
    game,
    settleContract(game.rules, game.pool, {
      contract: game.deal.contract,
      caller: game.deal.caller,
      made: true,
      conceded: true,
    }),
    { conceded: true },
  );

/** The game after a trick was completed: settled if the contract is decided, else the winner leads (rules 27 to 31). */
export function afterTrick(game) {
  const { rules, deal } = game;
  const tricks = countTricks(deal.tricks);
  const over = sum(tricks) === (deal.partout ? HAND : tricksIn(deal.contract));
  const decided = deal.partout ? (over ? {} : null) : verdict(rules, deal.contract, deal.caller, tricks, over);
  if (decided) return settleTricks(game, tricks, decided);
  return { ...game, deal: { ...deal, tricks: [...deal.tricks, openTrick(deal.tricks.at(-1).winner)] } };
}
