"""From the log to meters and wins: `folding.fold` takes final events in order, one transaction a stretch.

`replay` runs events through rules.progressive, `decided_order` has close hits compared, `adjusting` takes in what
people put right, `ledger_entries` books it, `hindsight` and `runs_again` read the log back from an earlier place.
"""
