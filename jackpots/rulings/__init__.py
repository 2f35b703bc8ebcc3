"""Which of two hits came first, where clocks cannot tell: `rulings.request_ruling` by two people, and its page."""
