"""Django's PostgreSQL, which asks less often whether a session is still there: `base`."""
