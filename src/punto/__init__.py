"""Punto makes approved baccarat rulebooks executable: every answer names its clause."""
