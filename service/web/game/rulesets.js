/** The three rule sets as data, and house rules as one of them with named fields changed. */

const AMERICAN_DECIMAL = {
  id: "american-decimal",
  version: 1,
  packs: 2,
  batches: [4, 4, 5],
  shuffle: "once",
  first_dealer: "lot",
  preferences: "each_deal",
  naming: "with_call",
  all_pass: "misere_partout",
  thrown_in_fine: 0,
  misdeal_fine: 10,
  misdeal_dealer: "same",
  revoke_fine: null,
  concessions: true,
  success: { 5: 10, 6: 15, 7: 20, 8: 25, 9: 35, 10: 45, 11: 65, 12: 105, 13: 170 },
  failure: {
    5: [10, 20, 30, 40, 50],
    6: [15, 25, 35, 45, 55, 65],
    7: [20, 30, 40, 50, 60, 70, 80],
    8: [25, 35, 45, 55, 70, 85, 100, 115],
    9: [35, 45, 55, 65, 80, 95, 110, 125, 140],
    10: [45, 55, 70, 80, 95, 110, 125, 140, 155, 170],
    11: [70, 80, 95, 110, 125, 140, 155, 170, 185, 200, 220],
    12: [120, 130, 145, 160, 180, 200, 220, 240, 260, 280, 300, 320],
    13: [180, 200, 220, 240, 260, 280, 300, 320, 340, 360, 390, 420, 450],
  },
  misere: { LM: 20, GM: 40, LS: 80, GS: 160 },
  partout: 10,
  contribution: "when_empty",
  stake: 10,
  cap: 250,
  low_contracts: ["5", "6"],
  low_contract_pool: true,
  start: 1000,
  deals: 12,
  slam_after_failure: "stop",
};

const BOSTON_WHIST = {
  ...AMERICAN_DECIMAL,
  id: "boston-whist",
  naming: "keeps_only",
  all_pass: "thrown_in",
  misdeal_fine: 0,
  misere: { ...AMERICAN_DECIMAL.misere, GS: 100 },
  contribution: "every_deal",
  cap: null,
  low_contract_pool: false,
  concessions: false,
};

const RUSSIAN = {
  ...AMERICAN_DECIMAL,
  id: "russian",
  packs: 1,
  batches: [3, 3, 3, 3, 1],
  shuffle: "each_deal",
  first_dealer: "cut",
  preferences: "session",
  all_pass: "thrown_in",
  thrown_in_fine: 10,
  misdeal_dealer: "left",
  revoke_fine: 40,
  contribution: "every_deal",
  low_contract_pool: false,
  concessions: false,
  start: 120,
};

export const RULESETS = Object.fromEntries(
  [AMERICAN_DECIMAL, BOSTON_WHIST, RUSSIAN].map((rules) => [rules.id, rules]),
);

/** The rule set that an `open` entry chooses, `null` where it names none. */
export const chosen = ({ ruleset, options, rules }) =>
  RULESETS[ruleset] ? { ...RULESETS[ruleset], ...rules, ...options } : null;
