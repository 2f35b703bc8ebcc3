"""The rules room: games and rulebooks as staff read them, from the declarations and the coverage tables. Reads only."""
