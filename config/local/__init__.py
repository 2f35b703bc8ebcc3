"""Runs Potline on this machine: embedded PostgreSQL and Redis, all parts under one supervisor. Not used by a server
whose services are kept by somebody else; settings do not import it."""
