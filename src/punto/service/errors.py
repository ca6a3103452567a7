"""Errors that several rooms of the service raise."""


class Unknown(ValueError):
    """There is no such table, book, round or file. The message is a sentence."""


class ProviderAway(ValueError):
    """The provider of the sign-in does not answer, or not as it should. The message is a sentence."""
