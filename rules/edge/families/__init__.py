"""One module a family of games. A module that exports `ENTRIES: tuple[EdgeEntry, ...]` is in the registry by it alone.

An entry has two functions. `compute(case)` gives the `Distribution` of all results; `trial(case, chance)` gives one
random outcome, as the `Result` that compute counts it under and as the rounds that `settle` gets for it, with stakes of
`UNIT`. Both go through one pure function `outcome → Result`, which asks the game's own classify functions and the
tables of `case.pays(slot)`. Long enumerations call `case.tick(done, total)` now and then, and keep counts that do not
depend on odds in a `functools.cache`, so that a second pay table costs nothing.
"""
