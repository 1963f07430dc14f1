/* The entries of a bundle against its events: each entry's own event holds all its fields, texts as their digests. */
"use strict";

/** By the type of an entry's own event: the kind of entry, and its fields. */
const ENTRY_FIELDS = {
  session_opened: "open ruleset seats date club table options rules format",
  packs_shuffled: "shuffle pack",
  first_dealer_drawn: "first_dealer seat cards",
  pack_cut: "cut by pack at",
  preference_exposed: "preference card",
  cards_dealt: "deal hands",
  deal_misdealt: "misdeal reason",
  call_made: "call seat call",
  contract_reported: "contract contract caller preference trumps",
  trumps_named: "trumps suit",
  card_discarded: "discard seat card",
  hand_exposed: "expose seat cards",
  concession_made: "concede seat",
  card_played: "play seat card irregular evidence",
  tricks_reported: "tricks tricks",
  hands_shown: "show hands",
  revoke_ruled: "revoke seat trick",
  deal_cancelled: "cancel agreed reason",
  entry_undone: "undo target",
  entry_redone: "redo target",
  entries_withdrawn: "withdraw from",
  seats_corrected: "reseat seats from_deal reason",
  session_ended: "end reason",
  session_closed: "close",
  session_abandoned: "abandon reason",
  dispute_raised: "dispute line by about target reason",
  dispute_resolved: "resolve dispute outcome law reason",
  finding_acknowledged: "acknowledge kind entries reason publish",
  settlement_signed: "sign seat line hash device",
  transfer_ruled: "transfer deltas law reason dispute",
  correction_made: "correct changes undoes reason law dispute",
};
const ERASED = "(erased)";

function checkRecord(told, entries, texts) {
  const own = new Map();
  for (const event of told.events)
    if (event.entry !== undefined && event.entry !== null && !own.has(event.entry)) own.set(event.entry, event);
  entries.forEach((entry, at) => {
    const event = own.get(at + 1);
    // An entry's event may be among those that are withheld; the seal alone vouches for it then.
    if (event ? !sameEntry(entry, event, texts) : !told.events.some((one) => !one.data)) told.find("record", `entry ${at + 1}`);
  });
  if (entries.length < own.size) told.find("record", `entry ${entries.length + 1}`);
}

function sameEntry(entry, event, texts) {
  const type = event.data.type;
  const [kind, ...fields] = Object.hasOwn(ENTRY_FIELDS, type) ? ENTRY_FIELDS[type].split(" ") : [""];
  const outside = [entry.entry ?? null, entry.id ?? null, entry.time ?? null];
  if (!alike(outside, [kind, event.id ?? null, event.tablet ?? null])) return false;
  if (!Object.keys(entry).every((name) => ["entry", "id", "time", ...fields].includes(name))) return false;
  return fields.every((name) => same(entry[name], event.data[name], texts));
}

function same(told, kept, texts) {
  if (typeof kept === "string" && /^sha256:[0-9a-f]{64}$/.test(kept))
    return told === kept || told === (texts.get(kept) || ERASED);
  if (object(kept) && object(told)) {
    const names = Object.keys(kept);
    return names.length === Object.keys(told).length &&
      names.every((name) => Object.hasOwn(told, name) && same(told[name], kept[name], texts));
  }
  if (Array.isArray(kept) && Array.isArray(told))
    return told.length === kept.length && kept.every((one, at) => same(told[at], one, texts));
  return (told ?? null) === (kept ?? null);
}
