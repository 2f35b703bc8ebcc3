"""The outside judge: keeps its own books of a simulated day, and holds answers, signs and exports of Potline to them.

It trusts nothing of Potline but its public API. `books` writes down what terminals sent and were answered; `sign`
what a sign was shown; `installation` reads the rest. `rounds`, `event_log`, `replay`, `frames` and `ledger` compare;
`judge` does all of it in order, and `verdict` is what comes of it.
"""

from simulator.judge.judge import Judge, play_and_judge
from simulator.judge.verdict import Verdict

__all__ = ["Judge", "Verdict", "play_and_judge"]
