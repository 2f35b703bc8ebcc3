"""A win from its resolution to its payment: `hand_pay.verify`, `approve` by another person, `pay`.

owed            what log, books and approval say of a win, asked before each step
advances        small prizes handed out at once
winners, slips  who won, and the numbered slip
unclaimed       wins nobody comes for
freezes         levels from which nothing is paid until two people have looked
"""
