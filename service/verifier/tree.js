/* Merkle trees as RFC 6962 defines them. Hashes are hex, leaves are bytes. */
"use strict";

const hashLeaf = (leaf) => sha256(concat([0], leaf));
const hashNode = (left, right) => sha256(concat([1], left, right));

function treeRoot(leaves) {
  if (!leaves.length) return hex(sha256(new Uint8Array()));
  let level = leaves.map(hashLeaf);
  while (level.length > 1) {
    const above = [];
    for (let at = 0; at < level.length; at += 2)
      above.push(at + 1 < level.length ? hashNode(level[at], level[at + 1]) : level[at]);
    level = above;
  }
  return hex(level[0]);
}

/** The root to which a path leads from the leaf at a place in a tree of that size; null if its length is another. */
function ledTo(leaf, index, size, path) {
  if (index < 0 || index >= size) return null;
  let now = hashLeaf(leaf);
  let last = size - 1;
  const hashes = path.map((one) => fromHex(one));
  while (last > 0) {
    if (index % 2 || index < last) {
      if (!hashes.length) return null;
      const beside = hashes.shift();
      now = index % 2 ? hashNode(beside, now) : hashNode(now, beside);
    }
    index = Math.floor(index / 2);
    last = Math.floor(last / 2);
  }
  return hashes.length ? null : hex(now);
}

/** A session's leaf in a checkpoint. */
function headLeaf(head) {
  const version = new Uint8Array(4);
  new DataView(version.buffer).setUint32(0, head.version);
  return concat(fromHex(head.session.replaceAll("-", "")), version, fromHex(head.hash), fromHex(head.events));
}
