/* Runs the page's own scripts, but for the page itself, over cases: {page, cases: {name: {file: base64}}, fingerprint}. */

import { readFileSync } from "node:fs";

const asked = JSON.parse(readFileSync(0, "utf8"));
const scripts = [...readFileSync(asked.page, "utf8").matchAll(/<script>([\s\S]*?)<\/script>/g)].map((found) => found[1]);
const [nacl, ...rest] = scripts.slice(0, -1);
const { run, primitives, keys } = new Function("self", `${nacl}; const nacl = self.nacl; ${rest.join("\n")}
  return {
    run(files, fingerprint) {
      const told = files.map(([name, bytes]) => check(name, bytes));
      compare(told, fingerprint);
      return told.map(({ name, findings }) => [name, findings.map(({ code, where }) => [code, where].join(" ").trim()).sort()]);
    },
    keys: Object.entries(SAID).map(([of, said]) => [of, [...Object.keys(said), ...Object.keys(said.place)].sort()]),
    primitives: {
      sha256: (bytes) => hex(sha256(bytes)),
      root: (leaves) => treeRoot(leaves.map((leaf) => fromHex(leaf))),
      verified: (key, message, signature) => verified(fromHex(key), message, fromHex(signature)),
    },
  };`)({});
const bytes = (text) => new Uint8Array(Buffer.from(text, "base64"));
const verdicts = Object.entries(asked.cases).map(([name, files]) => [
  name,
  Object.fromEntries(run(Object.entries(files).map(([file, text]) => [file, bytes(text)]), asked.fingerprint ?? "")),
]);
const vectors = asked.vectors ?? { sha256: [], roots: [], signatures: [] };
console.log(
  JSON.stringify({
    verdicts: Object.fromEntries(verdicts),
    keys: Object.fromEntries(keys),
    sha256: vectors.sha256.map((text) => primitives.sha256(bytes(text))),
    roots: vectors.roots.map((leaves) => primitives.root(leaves)),
    signatures: vectors.signatures.map((one) => primitives.verified(...one)),
  }),
);
