"""What can go wrong with a store. Every message is a sentence for whoever runs the house."""


class JournalError(ValueError):
    """The store cannot be used, or did not do what was asked."""


class Unavailable(JournalError):
    """The store did not answer, or has no room: asking again at once is of no use."""


class Unfit(JournalError):
    """The store cannot keep this, however often it is sent."""
