/** A refusal is data: a stable code, the number of the rule behind it, and the facts for its sentence. */

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
