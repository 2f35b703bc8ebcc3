"""Statements that are made for speed: a terminal's request sends each of them thousands of times a minute.

`statements.together` writes all rows of a request by one statement, `statements.rows_of` reads. `prepared.run` sends a
prepared statement by libpq's own call; `columns` sends many rows as PostgreSQL's binary arrays. The doors of the tables
and the log of the jackpots call them. docs/performance.md has the figures; code elsewhere uses the ORM.
"""
