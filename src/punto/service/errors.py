"""Errors that several rooms of the service raise."""


class Unknown(ValueError):
    """There is no such table, book, round or file. The message is a sentence."""
