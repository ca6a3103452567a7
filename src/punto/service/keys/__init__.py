"""The keys of a house: the master key outside the database, the one that signs checkpoints, and new ones for old."""
