"""The proof: what a club signs, so that anybody can check later that its log is still the one of that evening.

A *statement* is one line of text under a club's Ed25519 key: a key, a checkpoint of all heads, a receipt for a line
of the score sheet, the seal of a bundle. A checkpoint is the root of a Merkle tree over the heads of all sessions,
and each head holds the root of a tree over its session's events; so two short paths lead from a line to a checkpoint.
"""
