"""The audit trail: `audit.record` writes it, `record_pages` shows it, `shipping` sends it outside as it happens."""
