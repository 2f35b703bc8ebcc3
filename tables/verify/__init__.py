"""What the floor hands to `manage.py verify`: rounds, messages, corrections and counts, each made again from its
source."""
