"""Passwords in tests: hashed as Potline does it, with next to no work, where a real one takes a fifth of a second.

The work is written in the hash, so that a server started as production starts it lets them in as well.
"""

from __future__ import annotations

from django.contrib.auth.hashers import ScryptPasswordHasher

QUICK = "tests.hashers.QuickScrypt"


class QuickScrypt(ScryptPasswordHasher):
    work_factor = 2
    parallelism = 1
