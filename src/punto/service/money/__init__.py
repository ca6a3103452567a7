"""Money: where it comes from, how much of it, and where all of it is."""
