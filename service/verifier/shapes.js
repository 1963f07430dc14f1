/* The shapes of files: which fields there are and of which type. What has others, or lacks one, does not read. */
"use strict";

const text = (value) => typeof value === "string";
const whole = (value) => Number.isSafeInteger(value);
const object = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const one = (value) => value === 1;
const many = (inner) => (value) => Array.isArray(value) && value.every(inner);
const orNull = (inner) => (value) => value === null || inner(value);
const shape = (fields, optional = {}) => (value) =>
  object(value) &&
  Object.keys(fields).every((name) => Object.hasOwn(value, name)) &&
  Object.keys(value).every((name) => (Object.hasOwn(fields, name) ? fields : optional)[name]?.(value[name]));

const HEAD = shape({ session: text, version: whole, hash: text, events: text });
const COVERED = { statement: text, head: HEAD, index: whole, path: many(text) };
const EVENTS = shape({ first: whole, before: text, bodies: many(text) });
const LINK = shape({ path: many(text), checkpoint: shape(COVERED) });

const FILES = {
  receipt: shape(
    { type: text, statement: text, keys: many(text), events: EVENTS },
    { after: orNull(many(text)), link: orNull(LINK), format: one },
  ),
  checkpoint: shape({ type: text, statement: text, keys: many(text), heads: many(HEAD) }, { format: one }),
};

/** The lines of a bundle, in their order. */
const PARTS = {
  bundle: shape({ type: text, club: text, session: text }, { format: one }),
  key: shape({ type: text, statement: text }),
  checkpoint: shape({ type: text, ...COVERED }),
  event: shape({ type: text, hash: text, body: text }),
  entry: shape({ type: text, entry: object }),
  text: shape({ type: text, digest: text, salt: orNull(text), text: orNull(text) }),
  player: shape({ type: text, player: text, name: orNull(text) }),
  line: shape({ type: text, line: whole, version: whole }),
  seal: shape({ type: text, statement: text }),
};
const PART_ORDER = Object.keys(PARTS);

/** A JSON text of one of some shapes, chosen by its type; null where it is none. */
function readShape(shapes, json) {
  const told = parsed(json);
  return object(told) && text(told.type) && Object.hasOwn(shapes, told.type) && shapes[told.type](told) ? told : null;
}

function parsed(json) {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

function readHead(head) {
  const id = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
  const reads = id.test(head.session) && fromHex(head.hash, 32) && fromHex(head.events, 32);
  return reads && head.version >= 1 && head.version < 2 ** 31 ? head : null;
}
