"""Tables, limits, rounds, wagers; the settlement workers; the floor's pages."""
