"""Reading the stored log, changing nothing: why a meter stands where it does (`explain`), how it stood (`history`),
what other rules would have paid (`dry_run`, `referee`, `nights`), whether hands come as often as they should
(`frequency`).
"""
