"""A table terminal's side of the public API: numbering, clock, times of requests, lease. To be used, or to be read.

`core` holds all of it and no network; `rest` carries it over HTTP with the standard library alone, `line` over a
WebSocket (it needs `websockets`, so it is imported by itself), `state` keeps it over a restart.
"""

from simulator.terminal.core import Answer, Clock, NoAnswer, NotTaken, Observer, Terminal
from simulator.terminal.rest import RestTerminal
from simulator.terminal.state import StateFile

__all__ = ["Answer", "Clock", "NoAnswer", "NotTaken", "Observer", "RestTerminal", "StateFile", "Terminal"]
