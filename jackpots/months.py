"""What the jackpots room knows of a month of frames: they wait for nobody, and give the hashes in their rows."""

from __future__ import annotations

from ledger.months.month_files import register
from ledger.months.month_texts import Texts
from ledger.months.months import FRAMES

TEXTS = Texts(FRAMES, key="frame_id", rows="jackpots_frame", own="body", word="frame")

register(TEXTS.keeper(lambda _: iter(())))
