"""Signs on the wall: their tokens and pages, the hub that feeds their sockets, and what they say they showed."""
