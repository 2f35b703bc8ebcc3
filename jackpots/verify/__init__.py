"""What the jackpots hand to `manage.py verify` and the watchdog: each row made again from what it rests on."""
