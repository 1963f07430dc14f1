/* What a file says, as far as it could be read and checked by itself. See ops/proof/evidence.py. */
"use strict";

class Evidence {
  constructor(name) {
    Object.assign(this, {
      name, kind: "unknown", club: null, session: null, findings: [], keys: new Map(), claims: [], receipt: null,
      checkpoints: [], heads: null, hashes: [], events: [], lines: new Map(), players: [], sealedAt: "", sealedHead: 0,
    });
  }

  /** Notes something, once. */
  find(code, where = "") {
    if (!this.findings.some((finding) => finding.code === code && finding.where === where)) this.findings.push({ code, where });
  }

  get sound() {
    return !this.findings.some((finding) => GRAVE.includes(finding.code));
  }

  /** The club's keys, each vouched for by the one before. */
  takeKeys(lines) {
    let before = null;
    lines.forEach((line, at) => {
      const where = `key ${at + 1}`;
      const signed = splitSigned(line);
      const made = signed?.statement;
      if (made?.type !== "key") {
        this.find("unreadable", where);
        before = null;
        return;
      }
      const own = fromHex(made.public);
      if (made.number !== at + 1) this.find("order", where);
      if (this.club !== null && this.club !== made.club) this.find("other", where);
      const by = at === 0 ? own : before;
      if (by && keyId(by) !== made.key) this.find("key", where);
      else if (by && !verified(by, signed.text, signed.signature)) this.find("signature", where);
      if ((at === 0) !== (signed.accepted === null) || (signed.accepted && !verified(own, signed.text, signed.accepted)))
        this.find("signature", where);
      before = own;
      this.keys.set(keyId(own), own);
    });
  }

  /** A signed line of one type; null, and a finding, where it is none. */
  take(line, type, where) {
    const signed = splitSigned(line);
    if (signed?.statement.type === type) return signed;
    this.find("unreadable", where);
    return null;
  }

  /** Is it signed with one of the club's keys? */
  vouched(signed, where) {
    const { club, key } = signed.statement;
    if (this.club !== null && this.club !== club) {
      this.find("other", where);
      return false;
    }
    const publicKey = this.keys.get(key);
    if (!publicKey) this.find("key", where);
    else if (signed.accepted || !verified(publicKey, signed.text, signed.signature)) this.find("signature", where);
    else return true;
    return false;
  }

  /** A checkpoint with the path to it from a session's head. */
  takeCheckpoint(told, session) {
    const signed = this.take(told.statement, "checkpoint", "checkpoint");
    if (!signed) return false;
    const made = signed.statement;
    const where = `checkpoint ${made.number}`;
    const vouched = this.vouched(signed, where);
    const head = readHead(told.head);
    if (!head || told.path.some((one) => !fromHex(one, 32))) {
      this.find("unreadable", where);
      return false;
    }
    if (session !== null && head.session !== session) {
      this.find("other", where);
      return false;
    }
    if (ledTo(headLeaf(head), told.index, made.sessions, told.path) !== made.root) {
      this.find("path", where);
      return false;
    }
    if (vouched) {
      this.checkpoints.push({ made, hash: hashOf(signed) });
      this.claims.push({ session: head.session, version: head.version, hash: head.hash, at: made.at });
      this.find("covered", where);
    }
    return vouched;
  }
}
