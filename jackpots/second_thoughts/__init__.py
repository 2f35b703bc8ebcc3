"""A win turns out otherwise after the fold: rejected, void, corrected, or a late hand let in. Two people decide.

`corrections` asks and acts, `second_look` shows what changes of each win and pot, `recoveries` keeps what was paid and
not due, `meter_adjustments` moves a meter for a listed cause. The fold takes each of them in (jackpots.fold.adjusting).
"""
