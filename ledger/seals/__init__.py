"""Seals over every row that is only added: Merkle roots, chained, kept outside of the database as well.

`seals.seal` makes one, `seals.watch` compares with the outside copy, `proofs` proves one row, `epochs.adopt` goes on
from a restored copy. The worker's jobs call them; `ledger.verify.verify` recomputes them.
"""
