"""Idempotency keys of commands, in two spaces that never meet: those of clients, and those of the house itself.

Every key of a client is kept behind the name of its account and a blank. A key of the house holds no blank, so no
client can write one, whatever they choose.
"""

_BLANK = " "


def client_key(account: str, key: str) -> str:
    """The key under which a command of an account is kept; nobody can use another's.

    >>> client_key("ann", "k/post")
    'ann k/post'
    """
    return f"{account}{_BLANK}{key}"


def house_key(*parts: object) -> str:
    """A key of the house itself.

    >>> house_key("post", "lee", 17)
    'post/lee/17'
    """
    key = "/".join(str(each) for each in parts)
    assert _BLANK not in key, "a key with a blank is a client's"
    return key
