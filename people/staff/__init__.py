"""What an administrator does about people: roles, links, log-ins, leaving. Pages, REST and verbs.

The verbs are in `staff`: `ask_for_role`, `take_role`, `ask_for_link`, `make_link`, `unlock`, `end_log_ins`, `leave`.
"""
