"""Tables divided by months: `months.turn` opens the next one, `month_files` takes an old one out or brings it back."""
