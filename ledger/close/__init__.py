"""How a gaming day closes: `closing.checklist` runs the checks that rooms registered, `closing.close_day` locks the
day.

`reconciliation` sets levels and tables against meters and counts; `dues` clears what premises owe each other.
"""
