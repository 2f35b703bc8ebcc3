"""Setting a progressive up and changing it: draft, review, two people; links of tables, transfers, the end.

`drafts` checks what a manager wants, `review` shows it, `changes` arms it, `configure` makes it, `table_links` joins
tables, `transfers` moves a meter, `decommissioning` ends a progressive.
"""
