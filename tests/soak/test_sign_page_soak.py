"""A whole minute of a sign at ten frames a second, in a real browser."""

from tests.jackpots.signs.test_sign_page_under_play import test_at_ten_frames_a_second

__all__ = ["test_at_ten_frames_a_second"]
