"""What each family of commands leads to: checks against the book, then events."""
