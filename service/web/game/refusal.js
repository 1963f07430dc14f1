/**
 * A refusal is data: a stable code, the number of the rule behind it, and the facts for its sentence. Codes and rules
 * are the service's own, so that one sentence serves for both.
 */

export class Refusal extends Error {
  constructor(code, rule = null, facts = {}) {
    super(code);
    Object.assign(this, { code, rule, facts });
  }
}

/** Refuses unless `fine`. */
export function must(fine, code, rule = null, facts = {}) {
  if (!fine) throw new Refusal(code, rule, facts);
}

/** The rule that says what is awaited in a phase. */
const AWAITED = { opening: 5, dealing: 6, auction: 17, trumps: 24, discards: 28, exposing: 28, play: 25, between_deals: 6, finished: 46, closed: 46, ended: 46, abandoned: 46 };

/** The refusal of an entry that has no place in this phase; `rule` is its own, where it has one. */
export const notNow = ({ phase }, rule = AWAITED[phase]) => ["not_now", rule, { phase }];
