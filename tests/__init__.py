"""Tests mirror the rooms of Potline. A package, so that no library that ships its own tests can stand in its way."""
