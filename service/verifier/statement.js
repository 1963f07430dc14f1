/* Statements: what a club signs, each as one line of ASCII that reads in one way only. See service/proof/statement.py. */
"use strict";

const uuidOf = (bytes) => hex(bytes).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
const matching = (pattern) => (text) => (pattern.test(text) ? text : null);
const listOf = (inner) => (text) => {
  const told = text.split(",").map(inner);
  return told.includes(null) ? null : told;
};
const asNumber = (text) => (/^(?:0|-?[1-9]\d{0,14})$/.test(text) ? Number(text) : null);
const asId = (text) => {
  const bytes = fromBase64url(text, 16);
  return bytes && uuidOf(bytes);
};
const asBytes = (size) => (text) => {
  const bytes = fromBase64url(text, size);
  return bytes && hex(bytes);
};

const KINDS = {
  id: asId,
  ids: listOf(asId),
  digest: asBytes(32),
  keyid: asBytes(16),
  number: asNumber,
  numbers: listOf(asNumber),
  time: matching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}Z$/),
  word: matching(/^[A-Za-z0-9_]+$/),
};

/** The fields of each type of statement in their order; one with a question mark may be missing. */
const STATEMENTS = {
  key: "club:id number:number public:digest at:time key:keyid",
  checkpoint: "club:id number:number previous:digest sessions:number root:digest at:time key:keyid",
  receipt:
    "club:id session:id line:number deal:number version:number hash:digest head:number head_hash:digest seats:ids " +
    "dealer:word counts:number outcome:word contract:word? preference:word? caller:word? trumps:word? " +
    "tricks:numbers? shortfall:number conceded:number deltas:numbers? balances:numbers pool:numbers events:digest at:time key:keyid",
  bundle: "club:id session:id head:number lines:number digest:digest at:time key:keyid",
};

/** The statement of a line without its signature, bytes as hex; null where it does not read. */
function readStatement(text) {
  const [first, ...parts] = text.split("&");
  const type = first.startsWith("type=") ? first.slice(5) : "";
  if (!Object.hasOwn(STATEMENTS, type)) return null;
  const told = { type };
  for (const field of STATEMENTS[type].split(" ")) {
    const [name, kind] = field.replace("?", "").split(":");
    if (parts.length && parts[0].startsWith(`${name}=`)) {
      told[name] = KINDS[kind](parts.shift().slice(name.length + 1));
      if (told[name] === null) return null;
    } else if (field.endsWith("?")) {
      told[name] = null;
    } else {
      return null;
    }
  }
  return parts.length ? null : told;
}

/** A signed line taken apart, with its statement; null where it does not read. */
function splitSigned(line) {
  const [text, rest, ...more] = cutAt(line, "&signature=");
  if (rest === undefined || more.length) return null;
  const [signature, accepted] = cutAt(rest, "&accepted=");
  const signed = {
    text,
    statement: readStatement(text),
    signature: fromBase64url(signature, 64),
    accepted: accepted === undefined ? null : fromBase64url(accepted, 64),
  };
  if (!signed.statement || !signed.signature || (accepted !== undefined && !signed.accepted)) return null;
  return signed;
}

/** A text in two at the first of a mark; one part alone where there is none. */
function cutAt(text, mark) {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + mark.length)];
}

/** The short form, as a QR code holds it: a signed line and the public key. */
function splitShort(text) {
  const at = text.lastIndexOf("&public=");
  const signed = at < 0 ? null : splitSigned(text.slice(0, at));
  const publicKey = at < 0 ? null : fromBase64url(text.slice(at + 8), 32);
  return signed && publicKey ? { signed, publicKey } : null;
}

const ORDER_OF_THE_CURVE = fromHex("1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed");

/** Does the Ed25519 signature hold? A second spelling of it, with the order of the curve added, does not. */
function verified(publicKey, text, signature) {
  const scalar = Array.from(signature.slice(32)).reverse();
  const differs = scalar.findIndex((byte, at) => byte !== ORDER_OF_THE_CURVE[at]);
  if (differs < 0 || scalar[differs] > ORDER_OF_THE_CURVE[differs]) return false;
  return nacl.sign.detached.verify(utf8(text), signature, publicKey);
}

const keyId = (publicKey) => hex(sha256(publicKey).slice(0, 16));
const hashOf = (signed) => hex(sha256(utf8(signed.text)));
const fingerprintOf = (id) => id.slice(0, 32).toUpperCase().match(/.{4}/g).join(" ");
