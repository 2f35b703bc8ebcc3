"""Closed rounds into the books: workers claim a batch (`settlement.settle_batch`) and write lines and one entry a
round.

`prepared` has the rules settle a round once, when it closes; `lines` and `waiting` are its rows on the way; `versions`
is a round as it counts now; `parked` is the way out of a round that cannot be booked.
"""
