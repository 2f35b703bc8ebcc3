"""A round put right by people: settled and wrong (`corrections.correct`), or never ended (`endings.end_round`).

`claims` keeps what a player is owed or was overpaid, `corrected_hands` hands jackpot hands on, `disputes` keeps
complaints.
"""
