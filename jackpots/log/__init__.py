"""What tables tell, appended with its place: `event_log` has a verb for each kind of row, called in the tables'
transactions.

`hits` places a decided round's hits, `held` keeps hands that nobody waited for, `suspects` keeps contributions apart
that look wrong until people have looked, `games` says what is played at a linked table.
"""
