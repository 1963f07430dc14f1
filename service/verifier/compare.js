/* Files against one another: what one of them was signed for, the others may not contradict. */
"use strict";

/** Adds to each file what the others, and a key's fingerprint as it was printed, say against it. */
function compare(files, fingerprint = "") {
  const wanted = fingerprint.replace(/\s+/g, "").toLowerCase();
  if (wanted) for (const file of files) if (!file.keys.has(wanted)) file.find("key");
  compareKeys(files);
  compareCheckpoints(files);
  const claims = files.flatMap((file) => file.claims);
  for (const file of files) if (file.kind === "bundle") compareChain(file, claims);
  compareClaims(files);
  for (const file of files) if (file.heads) compareHeads(file, files);
  for (const file of files) if (file.receipt) superseded(file, files);
}

/** A club has one line of keys: of two files' keys one begins like the other, and a code's key is among them. */
function compareKeys(files) {
  const known = new Map();
  const ordered = [...files.filter((file) => file.kind !== "code"), ...files.filter((file) => file.kind === "code")];
  for (const file of ordered) {
    if (file.club === null || !file.keys.size) continue;
    const keys = [...file.keys.keys()];
    const other = known.get(file.club);
    const size = Math.min(keys.length, other?.length ?? 0);
    if (!other) known.set(file.club, file.kind === "code" ? [] : keys);
    else if (file.kind === "code") {
      if (other.length && !other.includes(keys[0])) file.find("key", "receipt");
    } else if (!alike(keys.slice(0, size), other.slice(0, size))) file.find("key");
    else if (keys.length > other.length) known.set(file.club, keys);
  }
}

/** There is one checkpoint of a number, and each names the one before. */
function compareCheckpoints(files) {
  const known = new Map();
  const all = files.flatMap((file) => file.checkpoints.map((checkpoint) => ({ file, ...checkpoint })));
  for (const { file, made, hash } of all) {
    const place = `${made.club} ${made.number}`;
    if (!known.has(place)) known.set(place, hash);
    if (known.get(place) !== hash) file.find("fork", `checkpoint ${made.number}`);
  }
  for (const { file, made } of all) {
    const before = known.get(`${made.club} ${made.number - 1}`);
    if (before !== undefined && before !== made.previous) file.find("fork", `checkpoint ${made.number}`);
  }
}

/** A bundle's events against everything that was signed for its session. */
function compareChain(file, claims) {
  for (const { session, version, hash, at } of claims) {
    if (session !== file.session) continue;
    if (version > file.hashes.length) {
      if (file.sealedAt && file.sealedAt < at) file.find("older", `version ${version}`);
      else if (version > file.sealedHead) file.find("tail", `session ${session}`);
    } else if (file.hashes[version - 1] !== hash) file.find("fork", `event ${version}`);
  }
}

/** What was signed for one event of a session is the same in all files. */
function compareClaims(files) {
  const known = new Map();
  for (const file of files)
    for (const { session, version, hash } of file.claims) {
      const place = `${session} ${version}`;
      if (!known.has(place)) known.set(place, hash);
      if (known.get(place) !== hash) file.find("fork", `event ${version}`);
    }
}

/** A whole checkpoint covers every session that was there before, at least as far. */
function compareHeads(file, files) {
  const { made, heads } = file.heads;
  for (const other of files) {
    if (other.club !== made.club) continue;
    for (const { session, version, at } of other.claims) {
      if (at >= made.at) continue;
      if (!heads.has(session)) file.find("gone", `session ${session}`);
      else if (heads.get(session).version < version) file.find("tail", `session ${session}`);
    }
  }
}

/** Does the line of a receipt still stand, as far as the other files go? */
function superseded(file, files) {
  const { session, line, version, head, at } = file.receipt;
  let stands = false;
  const later = [];
  for (const other of files) {
    if (!other.sound) continue;
    if (other.kind === "bundle" && other.session === session && other.hashes.length >= head) {
      const now = other.lines.get(line);
      if (now === version) stands = true;
      else later.push(now === undefined ? `line ${line}` : `entry ${other.events[now - 1].entry}`);
    }
    const late = other.receipt;
    if (late?.session === session && late.line === line && late.at > at && late.version !== version)
      later.push(`version ${late.version}`);
  }
  for (const where of later) file.find("superseded", where);
  if (stands && !later.length) file.find("stands", `line ${line}`);
}
