"""The head of a game of one's own that rests on classic punto banco."""


def head(name: str = "mine", title: str = "Mine") -> str:
    """What such a file begins with."""
    return f"""base = "punto-banco"
id = "{name}"
title = "{title}"
operator = "A house"
approver = "nobody"
version = "1"
effective = 2026-01-01T00:00:00+00:00
"""
