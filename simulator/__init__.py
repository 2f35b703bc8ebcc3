"""A floor that plays by itself through the public API. Imports `rules` and its own terminal client, and no app."""
