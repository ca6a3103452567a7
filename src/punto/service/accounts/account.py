"""An account and its posts, and which names and posts there can be."""

import re
import secrets
from typing import Literal

import msgspec

from punto.journal import HOUSE
from punto.messages import SpokenError, say
from punto.rulebook import SHIPPED, Library
from punto.service.accounts.own_limits import OwnLimits

ACCOUNT = "account"
"""The kind of record in the store that an account is."""

EVERYWHERE = "*"
"""In the place of a table's name: every table."""

Kind = Literal["patron", "staff", "device"]
KINDS: tuple[Kind, ...] = ("patron", "staff", "device")

CASHIER = "cashier"
"""A post of the house, and no rank of any book: whoever holds it takes and pays money, and does nothing else."""

REQUESTS = "request"
"""In the place of a person in the keys of what was asked of the cage: whoever sees to it, it is done once."""

_NAME = re.compile(r"[a-z0-9_-]{1,40}")
_GUEST = re.compile(r"guest-[0-9a-f]{16}")
_TABLE = re.compile(r"\*|[a-z0-9][a-z0-9-]{0,62}")
_RANK = re.compile(r"[a-z][a-z-]{0,59}")
_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
_PERSON_LETTERS = 10
_LONGEST_SHOWN = 40


class BadAccount(SpokenError):
    """An account that cannot be made or used like this. The message is a sentence."""


class HeldPost(msgspec.Struct, frozen=True):
    """A post at a table; `acting` where it is not the person's own."""

    rank: str
    acting: bool = False


class Account(msgspec.Struct, frozen=True):
    """A person or a device. A token is good only while its `version` is that of the account.

    `name` is for logging in, and for nobody else's eyes. At a table everything is done by, and belongs to, `person`: an
    id that is never used again. `shown` is what people see in its place, if anything is set; `own` are the limits that
    a patron has set for themself. An account is `closed` while it is being removed: nobody logs in to it or acts by it,
    so that what its person owns can be settled.
    """

    name: str
    kind: Kind
    password: str | None = None
    posts: dict[str, HeldPost] = {}
    version: int = 1
    person: str = ""
    shown: str = ""
    closed: bool = False
    own: OwnLimits | None = None

    def post_at(self, table: str) -> HeldPost | None:
        """The post that this account holds at a table."""
        return self.posts.get(table) or self.posts.get(EVERYWHERE)


class SignedIn(Account, frozen=True):
    """An account, and the session by which somebody has shown that it is theirs. It is never kept like this."""

    session: str = ""


def by_session(account: Account, session: str) -> SignedIn:
    """An account as it is used in a session."""
    return SignedIn(**{name: getattr(account, name) for name in account.__struct_fields__}, session=session)


def read_account(body: str) -> Account:
    """An account as it is kept. One of the first releases has no person: it is the person of its own name.

    >>> read_account('{"name": "ann", "kind": "patron"}').person
    'ann'
    """
    found = msgspec.json.decode(body, type=Account)
    return found if found.person else msgspec.structs.replace(found, person=found.name)


def new_person() -> str:
    """An id for a person, which tells nothing about them."""
    return "p-" + "".join(secrets.choice(_LETTERS) for _ in range(_PERSON_LETTERS))


def check_person(person: str, library: Library = SHIPPED) -> None:
    """Refuse an id that no person can have."""
    if not is_name(person):
        raise BadAccount(say("person-id-form", "The id of a person is 1 to 40 small letters, digits, - and _."))
    if person in reserved(library):
        raise BadAccount(
            say(
                "person-id-reserved",
                "{person:quoted} is a word of the books or of the house: no person has such an id.",
                person=person,
            )
        )


def check_shown(shown: str) -> None:
    """Refuse a name that cannot be shown.

    >>> check_shown("Ms Chan 陳")
    """
    if len(shown) > _LONGEST_SHOWN or not shown.isprintable() or shown != shown.strip():
        raise BadAccount(
            say(
                "shown-name-form",
                "A shown name is at most {most} printable characters, without blanks around it.",
                most=_LONGEST_SHOWN,
            )
        )


def is_name(name: str) -> bool:
    """Whether an account can have this name.

    >>> is_name("ann-2"), is_name("Ann"), is_name("")
    (True, False, False)
    """
    return _NAME.fullmatch(name) is not None


def guest_name() -> str:
    """A name for the account of somebody who comes in as a guest.

    >>> is_guest(guest_name()), is_guest("guest-ann")
    (True, False)
    """
    return f"guest-{secrets.token_hex(8)}"


def is_guest(name: str) -> bool:
    """Whether an account of this name was made by somebody for themself, by coming in."""
    return _GUEST.fullmatch(name) is not None


def check_new(
    name: str, kind: str, password: str | None, posts: dict[str, HeldPost], library: Library = SHIPPED
) -> None:
    """Refuse an account that there cannot be."""
    if not is_name(name):
        raise BadAccount(say("account-name-form", "A name is 1 to 40 small letters, digits, - and _."))
    if name in reserved(library):
        raise BadAccount(
            say(
                "account-name-reserved",
                "{name:quoted} is a word of the books or of the house: no account has such a name.",
                name=name,
            )
        )
    if kind not in KINDS:
        raise BadAccount(say("account-kinds", "An account is a patron, staff or a device."))
    if kind == "patron" and posts:
        raise BadAccount(say("patron-holds-no-post", "A patron holds no post."))
    if kind == "device" and password is not None:
        raise BadAccount(say("device-has-token", "A device has a token, not a password."))
    for table, held in posts.items():
        check_post(table, held.rank)


def check_post(table: str, rank: str) -> None:
    """Refuse a post that there cannot be."""
    if not _TABLE.fullmatch(table) or table == HOUSE:
        raise BadAccount(
            say("not-a-table-name", "{table:quoted} is not the name of a table; * is all of them.", table=table)
        )
    if not _RANK.fullmatch(rank):
        raise BadAccount(say("not-a-rank-name", "{rank:quoted} is not a rank, like pit-manager.", rank=rank))


def is_above_dealer(rank: str, library: Library = SHIPPED) -> bool:
    """Whether some book has a rank above the dealer's.

    >>> is_above_dealer("dealer"), is_above_dealer("pit-manager"), is_above_dealer(CASHIER)
    (False, True, False)
    """
    return any(library.book(book).tiers.get(rank, 0) > 0 for book in library.ids())


OF_THE_HOUSE = frozenset(
    {HOUSE, CASHIER, REQUESTS, "cage", "wallet", "service", "console", "patrons", "player", "banker"}
)
"""Words that mean something of the house's own: no account has such a name, and no book such a rank."""


def reserved(library: Library = SHIPPED) -> frozenset[str]:
    """Names that no account has: the ranks of all books, and the names under which the house itself acts."""
    return OF_THE_HOUSE | library.ranks()
