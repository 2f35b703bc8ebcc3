"""A terminal's request, from JSON to rows: `requests.receive`, by REST (`api`) or by line (`line`), under the table's
lock.

auth, signatures   whose token it is        messages           the form of a message
beats              a request without events intake             the steps of numbered events
desk, writes       what a request works with and writes at its end
marks              told moments             jackpot_rounds     which jackpot wagers count
chain              the chain of a table's events
"""
