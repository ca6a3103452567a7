"""Errors that several rooms of the service raise."""

from punto.messages import SpokenError


class Unknown(SpokenError):
    """There is no such table, book, round or file. The message is a sentence."""


class ProviderAway(SpokenError):
    """The provider of the sign-in does not answer, or not as it should. The message is a sentence."""
