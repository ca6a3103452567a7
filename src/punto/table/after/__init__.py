"""What every kind of event does to a table."""
