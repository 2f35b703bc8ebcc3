"""Two people for one act. There is no second way to ask for another person.

A room declares an act (`approvals.declare`), one person asks (`request_approval`), another decides (`approve`,
`reject`), and the act uses the approval once (`use_approval`). `tellings` puts an act in words; `waiting` counts what
waits on Home.
"""
