"""Progressives, levels, the event log and meters, wins; signs."""
