"""Premises: made by two people, the first one by whoever sets up an empty installation. Verbs, pages, REST, first
steps."""
