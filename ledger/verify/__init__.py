"""`manage.py verify`: everything recomputed from its sources, and the wrong row named.

A room registers a check (`verify.register`) and says where entries come from (`entries.vouch`). `watchdog` runs the
same checks every few seconds over what is new.
"""
