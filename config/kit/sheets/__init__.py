"""Tables of rows as files: what a column holds, and writers for CSV, JSON Lines and XLSX. Knows no app."""
