"""The leaves that every app may import. They import no app.

money and documents   canonical_json, documents, strict_json, sheets (CSV, XLSX, JSON Lines)
saying no             refusals, problems, errors, rest, forms
who and when          origin, gaming_day, languages
the database          database (limits), rights (roles), triggers, at_once (migrations), fastsql
around it             keys, redis, wake_ups, logs, processes, http, demo, faces
"""
