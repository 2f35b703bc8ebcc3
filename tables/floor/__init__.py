"""Setting a floor up and running it: tables, their rules and limits, terminals, and a casino as a document.

opening        tables made, opened, closed       silence, silence_policy   tables that others wait for
set_up         rules of a table, two people      document, apply           a whole floor as one file
limits, changes, notices                         terminals                 their tokens
"""
