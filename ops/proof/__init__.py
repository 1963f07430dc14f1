"""Checking a proof: receipts, checkpoints and bundles, each by itself and against one another, without a database.

The page `/verify.html` does the same in a browser (`service/verifier`), and both are held to one table of verdicts.
What only Python does is to judge a bundle's entries anew under the rules of its session.
"""
