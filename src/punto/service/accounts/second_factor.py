"""The second factor of the staff: a code from a telephone besides the password, or a recovery code.

The secret of a telephone is among the secrets of the store, wrapped like the others. A record says that there is one,
which step was used last, and holds the hashes of the recovery codes that are left.
"""

import time
from collections.abc import Callable, Collection
from hashlib import sha256
from secrets import choice

import msgspec

from punto.journal import Journal, RecordChange
from punto.messages import Wording, say
from punto.rulebook import SHIPPED, Library
from punto.service.accounts.account import CASHIER, Account
from punto.service.accounts.guesses import check_delay
from punto.service.accounts.tokens import Denied
from punto.service.accounts.totp import address_of_secret, new_secret, step_of
from punto.service.settings import BadSettings

FACTOR = "second-factor"
"""The kind of record that says which person has a second factor."""

NOT_SET_UP = say(
    "second-factor-not-set-up",
    "Your post needs a second factor, and you have none: ask the house for one (punto users totp), "
    "or for a one-time link.",
)
WITHOUT_CODE = say("second-factor-code-missing", "Your post needs a second factor: log in again, with its code.")
WRONG_CODE = say("code-wrong", "The code is wrong, or was used before.")

_GUESSED_CODES = Wording("too-many-codes", "Too many wrong codes: try again in {seconds:seconds}.")
_OF_SECRETS = ""
"""Where the store keeps secrets that are no table's."""

_CODES = 10
_LETTERS = "abcdefghijklmnopqrstuvwxyz234567"
_CODE_LETTERS = 16
_TRIES = 20


class CodeNeeded(Denied):
    """The password is right, and the code of the second factor is missing."""

    needs = "code"


class FactorState(msgspec.Struct, frozen=True):
    """The last step whose code was used, the hashes of the recovery codes that are left, and the latest wrong codes."""

    step: int
    recovery: list[str]
    failures: int = 0
    tried: float = 0.0
    """Wrong codes in a row, and when the last one was given."""


def ranks_for_factor(chosen: Collection[str] | None, library: Library = SHIPPED) -> frozenset[str]:
    """The ranks that need a second factor: those that are set, or those that decide money.

    These are the cashier, and the ranks above the dealer in every book, also in editions that tables still go by.

    >>> "dealer" in ranks_for_factor(None), "pit-manager" in ranks_for_factor(None)
    (False, True)
    """
    books = (*map(library.book, library.ids()), *library.editions.values())
    if chosen is None:
        return frozenset({CASHIER, *(rank for book in books for tier in book.ranks[1:] for rank in tier)})
    every = {CASHIER, *library.ranks()}
    unknown = sorted(set(chosen) - every)
    if unknown:
        raise BadSettings(f"second_factor names {unknown[0]!r}, which is no rank; they are {', '.join(sorted(every))}.")
    return frozenset(chosen)


class SecondFactors:
    """Who has a second factor, who needs one, and whether a code is right. Every method waits for the store."""

    def __init__(self, journal: Journal, ranks: Collection[str] = (), clock: Callable[[], float] = time.time) -> None:
        self._journal, self._ranks, self._clock = journal, frozenset(ranks), clock

    def needs(self, account: Account) -> bool:
        """Whether an account holds a post that needs a second factor. This does not wait for the store."""
        return account.kind == "staff" and any(held.rank in self._ranks for held in account.posts.values())

    def has(self, account: Account) -> bool:
        """Whether an account has a second factor."""
        return self._journal.record(FACTOR, account.person) is not None

    def check(self, account: Account, code: str) -> bool:
        """Take the code that came with a right password; False if the account neither has nor needs one.

        A code is taken once, in whichever process. Wrong ones are counted by the person, wherever they come from and
        whichever process is asked: only who has the password gets here.
        """
        if account.kind != "staff" or not self.has(account):
            if self.needs(account):
                raise Denied(NOT_SET_UP)
            return False
        given = "".join(each for each in code if each not in " -").lower()
        if not given:
            raise CodeNeeded(say("code-needed", "Give the code of your second factor, too."))
        if not self._take(account.person, given):
            raise Denied(WRONG_CODE)
        return True

    def _take(self, person: str, code: str) -> bool:
        """Use a code or a recovery code up, or count it as wrong; `TooMany` if it comes too early to be looked at."""
        for _ in range(_TRIES):
            body = self._journal.record(FACTOR, person)
            secret = self._journal.secret(_OF_SECRETS, _secret_of(person))
            if body is None or secret is None:
                return False
            state, now = msgspec.json.decode(body, type=FactorState), self._clock()
            failures = check_delay(state.failures, state.tried, now, _GUESSED_CODES)
            after = _after(state, secret, code, now) or FactorState(state.step, state.recovery, failures + 1, now)
            if self._journal.change_record(FACTOR, person, body, msgspec.json.encode(after).decode()):
                return not after.failures
        return False

    def prepare(self, account: Account) -> tuple[RecordChange, str, list[str]]:
        """A new secret: the change that brings it into force, its address for a telephone, and recovery codes."""
        secret, codes = new_secret(), [_new_code() for _ in range(_CODES)]
        before = self._journal.record(FACTOR, account.person)
        state = FactorState(0, [_hash_of(each.replace("-", "")) for each in codes])
        self._journal.put_secret(_OF_SECRETS, _secret_of(account.person), secret)
        after = msgspec.json.encode(state).decode()
        return RecordChange(FACTOR, account.person, before, after), address_of_secret(secret, account.name), codes

    def removal(self, account: Account) -> RecordChange | None:
        """The change that takes a second factor away; None if there is none."""
        before = self._journal.record(FACTOR, account.person)
        return None if before is None else RecordChange(FACTOR, account.person, before, None)

    def forget(self, account: Account) -> None:
        """Forget the secret of an account whose second factor is gone."""
        self._journal.drop_secret(_OF_SECRETS, _secret_of(account.person))


def _after(state: FactorState, secret: bytes, code: str, now: float) -> FactorState | None:
    """What is left once a code or a recovery code is used up; None if it is neither."""
    step, hashed = step_of(secret, code, now, state.step), _hash_of(code)
    if step is not None:
        return FactorState(step, state.recovery)
    if hashed in state.recovery:
        return FactorState(state.step, [each for each in state.recovery if each != hashed])
    return None


def _secret_of(person: str) -> str:
    return f"totp {person}"


def _new_code() -> str:
    letters = "".join(choice(_LETTERS) for _ in range(_CODE_LETTERS))
    return "-".join(letters[at : at + 4] for at in range(0, _CODE_LETTERS, 4))


def _hash_of(code: str) -> str:
    """A recovery code has 80 random bits: its hash tells nothing."""
    return sha256(b"punto recovery " + code.encode()).hexdigest()
