"""When did it happen, and how sure are we: the place of each event in a progressive's order.

    server_clock, instants   the one clock, and instants as microseconds
    clocks, vouched          bounds of a terminal's clock, watermark and lease, signed
    links                    which wagers of a table feed which progressive
    by_place                 the order itself
    barrier, pokes           up to where it is final, whom it waits for, and asking them to speak

The log asks for places, the fold for the order. The reasoning is in rules.progressive, which is pure.
"""
