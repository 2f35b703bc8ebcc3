"""Reports: `reports.register` declares one, here and in the rooms above; pages and exports render it.

`sources` has the ledger's own, `comparing` sets one beside another time, `drill` leads from a figure to its entries.
"""
