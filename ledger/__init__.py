"""Gaming days, the double-entry journal, seals, reconciliation and exports."""
