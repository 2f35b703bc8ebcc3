"""A table terminal's side of the public API: numbering, clock, times of requests, lease. To be used, or to be read.

`core` holds all of it and no network: whatever carries JSON there and back is a line.
"""

from simulator.terminal.core import Answer, Clock, Terminal

__all__ = ["Answer", "Clock", "Terminal"]
