"""What this room refuses."""


class BadExposure(ValueError):
    """Something that cannot be asked of this room. The message is a sentence."""
