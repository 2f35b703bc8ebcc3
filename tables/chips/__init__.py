"""Chips and money that move otherwise than by play: slips of a tray, counts, chips of no value, unclaimed money.

`chips.enter_slip` is the door of every opener, fill, credit, closer and drop; `counts` sets them against the books.
"""
