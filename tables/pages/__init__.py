"""The floor's pages and reports: every table at a glance, one table, one round, what it should have won, its
pictures."""
