"""Exports: requested once, built by a worker from one snapshot, kept with their hashes and the seal."""
