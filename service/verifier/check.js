/* One file by itself: what kind it is, whether everything in it is as it was signed, and what it claims. */
"use strict";

/** What a file comes to, whatever it is: its name and its bytes. */
function check(name, bytes) {
  const told = new Evidence(name);
  let content;
  try {
    content = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    told.find("unreadable");
    return told;
  }
  content = content.replace(/^\uFEFF/, "").replace(/^[ \t\r\n]+|[ \t\r\n]+$/g, "");
  const lines = content.split("\n").map((line) => line.replace(/\r+$/, "")).filter((line) => /[^ \t\r]/.test(line));
  const whole = content.startsWith("{") ? parsed(content) : undefined;
  const kind = object(whole) ? String(whole.type ?? "") : "";
  if (!content.startsWith("{")) {
    checkCode(told, content);
  } else if (kind === "receipt" || kind === "checkpoint") {
    told.kind = kind;
    const file = readShape(FILES, content);
    if (!file) told.find("unreadable");
    else (kind === "receipt" ? checkReceipt : checkCheckpoint)(told, file);
  } else if (kind === "bundle" || lines.length > 1) {
    checkBundle(told, lines);
  } else {
    told.find(content.endsWith("}") ? "unreadable" : "cut");
  }
  return told;
}

/** The short form of a receipt or a checkpoint, as a QR code holds it, or the address that it opens. */
function checkCode(told, content) {
  told.kind = "code";
  const short = splitShort(content.slice(content.lastIndexOf("#") + 1));
  if (!short) {
    told.find("unreadable");
    return;
  }
  const { signed, publicKey } = short;
  const statement = signed.statement;
  told.keys.set(keyId(publicKey), publicKey);
  told.club = statement.club;
  if (!told.vouched(signed, statement.type === "receipt" ? "receipt" : "statement")) return;
  told.find("signed", fingerprintOf(statement.key));
  if (statement.type === "receipt") {
    takeReceipt(told, statement);
    told.find("uncovered");
  } else if (statement.type === "checkpoint") {
    told.checkpoints.push({ made: statement, hash: hashOf(signed) });
  }
}

function takeReceipt(told, receipt) {
  const { session, version, hash, head, head_hash, at } = receipt;
  Object.assign(told, { receipt, session });
  told.claims.push({ session, version, hash, at });
  if (head !== version) told.claims.push({ session, version: head, hash: head_hash, at });
}

function checkReceipt(told, file) {
  const signed = told.take(file.statement, "receipt", "receipt");
  const receipt = signed?.statement;
  if (signed) Object.assign(told, { club: receipt.club, session: receipt.session });
  told.takeKeys(file.keys);
  if (!signed) return;
  const vouched = told.vouched(signed, "receipt");
  if (!fromHex(file.events.before, 32)) {
    told.find("unreadable", "receipt");
    return;
  }
  const { first, bodies } = file.events;
  const events = readEvents(told, receipt.session, first, bodies);
  if (first + bodies.length - 1 !== receipt.version || first < 1) told.find("order", "receipt");
  else if (bodies.reduce(linked, file.events.before) !== receipt.hash || shownDigest(file) !== receipt.events) told.find("hash", "receipt");
  else if (!settled(receipt, events) && !bodies.some((body) => fromHex(body, 32))) told.find("settlement", "receipt");
  if (file.link) {
    const { checkpoint, path } = file.link;
    told.takeCheckpoint(checkpoint, receipt.session);
    const root = checkpoint.head.events;
    if (path.some((one) => !fromHex(one, 32)) || !fromHex(root, 32)) told.find("unreadable", "receipt");
    else if (ledTo(fromHex(receipt.hash), receipt.version - 1, checkpoint.head.version, path) !== root)
      told.find("path", "receipt");
  } else if (file.after) {
    readEvents(told, receipt.session, receipt.version + 1, file.after);
    if (file.after.reduce(linked, receipt.hash) !== receipt.head_hash || receipt.version + file.after.length !== receipt.head)
      told.find("hash", "head");
    told.find("uncovered");
  } else {
    told.find("cut", "receipt");
  }
  if (vouched) {
    told.find("signed", fingerprintOf(receipt.key));
    takeReceipt(told, receipt);
  }
}

/** The hash of an event: told by its body, or standing in place of one that is withheld. */
const linked = (previous, body) => fromHex(body, 32) ? body : hex(sha256(concat(fromHex(previous), utf8(body))));

/** The events of these bodies, as far as they read; each has to name its session and version. */
function readEvents(told, session, first, bodies) {
  return bodies.map((body, at) => {
    const where = `event ${first + at}`;
    if (fromHex(body, 32)) {
      told.find("withheld", where);
      return {};
    }
    const event = parsed(body);
    if (!object(event) || !object(event.data)) {
      told.find("unreadable", where);
      return {};
    }
    if (event.version !== first + at || (session !== null && event.session !== session)) told.find("order", where);
    return event;
  });
}

/** The digest of all that a receipt shows. */
const shownDigest = ({ events, after }) => hex(sha256(utf8([events.before, ...events.bodies, "", ...(after ?? [])].join("\n"))));

function checkCheckpoint(told, file) {
  const signed = told.take(file.statement, "checkpoint", "checkpoint");
  const made = signed?.statement;
  if (signed) told.club = made.club;
  told.takeKeys(file.keys);
  if (!signed) return;
  const where = `checkpoint ${made.number}`;
  const vouched = told.vouched(signed, where);
  if (!file.heads.every(readHead)) told.find("unreadable", where);
  else if (file.heads.length !== made.sessions || treeRoot(file.heads.map(headLeaf)) !== made.root) told.find("path", where);
  else if (vouched) {
    told.find("signed", fingerprintOf(made.key));
    told.checkpoints.push({ made, hash: hashOf(signed) });
    told.heads = { made, heads: new Map(file.heads.map((head) => [head.session, head])) };
    for (const { session, version, hash } of file.heads) told.claims.push({ session, version, hash, at: made.at });
  }
}

function checkBundle(told, lines) {
  told.kind = "bundle";
  const read = [];
  let rank = 0;
  lines.forEach((line, at) => {
    const part = readShape(PARTS, line);
    if (!part) {
      told.find("unreadable", `line ${at + 1}`);
      return;
    }
    const place = PART_ORDER.indexOf(part.type);
    if (place < rank || (place === 0) !== (at === 0)) told.find("order", `line ${at + 1}`);
    rank = Math.max(rank, place);
    read.push({ number: at + 1, part });
  });
  const of = (type) => read.map(({ part }) => part).filter((part) => part.type === type);
  const [heading] = of("bundle");
  if (heading) Object.assign(told, { club: heading.club, session: heading.session });
  told.takeKeys(of("key").map((part) => part.statement));
  checkEvents(told, of("event"));
  for (const part of of("checkpoint")) checkCovering(told, part);
  const texts = of("text");
  texts.forEach((part, at) => held(part) || told.find("text", `text ${at + 1}`));
  checkRecord(told, of("entry").map((part) => part.entry), new Map(texts.map((part) => [part.digest, part.text])));
  for (const part of of("line")) {
    told.lines.set(part.line, part.version);
    if (part.version < 1 || part.version > told.hashes.length || part.line !== told.lines.size)
      told.find("order", `row ${part.line}`);
  }
  told.players = of("player");
  told.texts = texts;
  const gone = texts.filter((part) => part.text === null).length + told.players.filter((one) => one.name === null).length;
  if (gone) told.find("erased", String(gone));
  checkSeal(told, lines, read);
}

function checkEvents(told, events) {
  let previous = "0".repeat(64);
  events.forEach((event, at) => {
    const expected = linked(previous, event.body);
    const reads = fromHex(event.hash, 32);
    if (!reads) told.find("unreadable", `event ${at + 1}`);
    else if (event.hash !== expected) told.find("chain", `event ${at + 1}`);
    previous = reads ? event.hash : expected;
    told.hashes.push(previous);
  });
  told.events = readEvents(told, told.session, 1, events.map((event) => event.body));
  if (told.club !== null && told.events.length && told.events[0].club !== told.club) told.find("other", "event 1");
  for (const { entry, data } of told.events)
    if (["correction_made", "transfer_ruled"].includes(data?.type)) told.find("corrected", `entry ${entry}`);
}

function checkCovering(told, part) {
  if (!told.takeCheckpoint(part, told.session) || part.head.version > told.hashes.length) return;
  const leaves = told.hashes.slice(0, part.head.version).map((hash) => fromHex(hash));
  if (treeRoot(leaves) !== part.head.events) told.find("path", `checkpoint ${told.checkpoints.at(-1).made.number}`);
}

/** Is the text the one whose digest was recorded, or erased with its salt? */
function held(part) {
  if (part.salt === null || part.text === null) return part.salt === null && part.text === null;
  const salt = fromHex(part.salt);
  return salt !== null && `sha256:${hex(sha256(concat(salt, utf8(part.text))))}` === part.digest;
}

function checkSeal(told, lines, read) {
  const last = read.at(-1);
  if (last?.part.type !== "seal" || last.number !== lines.length) {
    told.find("cut");
    return;
  }
  const signed = told.take(last.part.statement, "bundle", "seal");
  if (!signed) return;
  const seal = signed.statement;
  if (seal.session !== told.session) told.find("other", "seal");
  const vouched = told.vouched(signed, "seal");
  const digest = hex(sha256(utf8(lines.slice(0, -1).map((line) => `${line}\n`).join(""))));
  if (seal.lines !== lines.length - 1 || seal.digest !== digest) told.find("sealed", "seal");
  else if (vouched) {
    told.find("signed", fingerprintOf(seal.key));
    Object.assign(told, { sealedAt: seal.at, sealedHead: seal.head });
    if (seal.head > told.hashes.length) told.find("partial", `version ${seal.head}`);
    if (told.session !== null && told.hashes.length)
      told.claims.push({ session: told.session, version: told.hashes.length, hash: told.hashes.at(-1), at: seal.at });
  }
}
