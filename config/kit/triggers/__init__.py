"""The triggers that guard rows: ones no setting switches off, and tables whose rows are only added."""
