"""What the staff of a table look at and may do; it also serves the trainer. No HTTP here."""
