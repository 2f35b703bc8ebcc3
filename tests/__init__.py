"""Tests mirror the rooms of the house. A package, so that no library that ships its own tests can stand in its way."""
