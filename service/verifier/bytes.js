/* Bytes as hex and base64url, each with one spelling, and SHA-256 (FIPS 180-4). */
"use strict";

const utf8 = (text) => new TextEncoder().encode(text);

const hex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** The bytes of lower-case hex; null for anything else. */
function fromHex(text, size) {
  if (typeof text !== "string" || !/^(?:[0-9a-f]{2})*$/.test(text)) return null;
  if (size !== undefined && text.length !== 2 * size) return null;
  return Uint8Array.from(text.match(/../g) || [], (pair) => parseInt(pair, 16));
}

const SIXTY_FOUR = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

function toBase64url(bytes) {
  let told = "";
  for (let at = 0; at < bytes.length; at += 3) {
    const three = (bytes[at] << 16) | ((bytes[at + 1] || 0) << 8) | (bytes[at + 2] || 0);
    const four = [18, 12, 6, 0].map((shift) => SIXTY_FOUR[(three >> shift) & 63]).join("");
    told += four.slice(0, Math.min(4, bytes.length - at + 1));
  }
  return told;
}

/** The bytes of base64url without padding; null where the text is no such spelling, or not of that many bytes. */
function fromBase64url(text, size) {
  if (!/^[A-Za-z0-9_-]*$/.test(text) || text.length % 4 === 1) return null;
  const bytes = new Uint8Array(Math.floor((text.length * 3) / 4));
  for (let at = 0, to = 0; at < text.length; at += 4) {
    let four = 0;
    for (let of = 0; of < 4; of++) four = (four << 6) | (at + of < text.length ? SIXTY_FOUR.indexOf(text[at + of]) : 0);
    for (let shift = 16; shift >= 0 && to < bytes.length; shift -= 8) bytes[to++] = (four >> shift) & 255;
  }
  return toBase64url(bytes) === text && (size === undefined || bytes.length === size) ? bytes : null;
}

function concat(...parts) {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const ROUNDS = (() => {
  // The first 32 bits of the fractional parts of the cube roots of the first 64 primes, and of the square roots of eight.
  const primes = [];
  for (let n = 2; primes.length < 64; n++) if (primes.every((prime) => n % prime)) primes.push(n);
  const fraction = (x) => ((x - Math.floor(x)) * 4294967296) | 0;
  return { keys: primes.map((p) => fraction(Math.cbrt(p))), start: primes.slice(0, 8).map((p) => fraction(Math.sqrt(p))) };
})();

function sha256(bytes) {
  const size = ((bytes.length + 8) >> 6) * 64 + 64;
  const padded = new Uint8Array(size);
  padded.set(bytes);
  padded[bytes.length] = 128;
  const view = new DataView(padded.buffer);
  view.setUint32(size - 8, Math.floor(bytes.length / 536870912));
  view.setUint32(size - 4, (bytes.length << 3) >>> 0);
  const state = Int32Array.from(ROUNDS.start);
  const w = new Int32Array(64);
  const turn = (x, n) => (x >>> n) | (x << (32 - n));
  for (let block = 0; block < size; block += 64) {
    for (let t = 0; t < 16; t++) w[t] = view.getInt32(block + 4 * t);
    for (let t = 16; t < 64; t++) {
      const s0 = turn(w[t - 15], 7) ^ turn(w[t - 15], 18) ^ (w[t - 15] >>> 3);
      const s1 = turn(w[t - 2], 17) ^ turn(w[t - 2], 19) ^ (w[t - 2] >>> 10);
      w[t] = (w[t - 16] + s0 + w[t - 7] + s1) | 0;
    }
    let [a, b, c, d, e, f, g, h] = state;
    for (let t = 0; t < 64; t++) {
      const one = (h + (turn(e, 6) ^ turn(e, 11) ^ turn(e, 25)) + ((e & f) ^ (~e & g)) + ROUNDS.keys[t] + w[t]) | 0;
      const two = ((turn(a, 2) ^ turn(a, 13) ^ turn(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + one) | 0, c, b, a, (one + two) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((word, at) => (state[at] = (state[at] + word) | 0));
  }
  const told = new Uint8Array(32);
  state.forEach((word, at) => new DataView(told.buffer).setInt32(4 * at, word));
  return told;
}
