"""What people can ask of a table. `by` is a post of the book, a person of the staff, or a patron."""

from typing import Annotated

import msgspec

from punto.amounts import MOST
from punto.rulebook.vocabulary import DEALER
from punto.settlement import Limits

Number = Annotated[int, msgspec.Meta(ge=-MOST, le=MOST)]
"""A number as it is read from outside: no table needs a larger one."""


class Command(
    msgspec.Struct,
    frozen=True,
    kw_only=True,
    gc=False,
    tag_field="do",
    rename="kebab",
    forbid_unknown_fields=True,
    omit_defaults=True,
):
    """Anything that can be asked. Nobody named means the dealer.

    What has its default is not written down, so a default is never changed: journals rest on it.
    """

    by: str = DEALER


def _tag(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")


# Opening and people


class OpenTable(Command, frozen=True, tag=_tag):
    """Open a table under a book. `at` is the time, with its zone; the book must be in effect."""

    book: str
    at: str
    decks: Number
    layout: str | None = None
    positions: Number | None = None
    limits: Limits = msgspec.field(default_factory=Limits)
    currency: str = "USD"
    shoe: str = "hand"
    face_down: bool = False
    method: str | None = None
    private: bool = False
    high_limit: bool = False
    house_ranks: dict[str, str] = {}
    auto: tuple[str, ...] = ()
    counter_clockwise: bool = True
    acknowledged: bool = False


class ChangeBook(OpenTable, frozen=True, tag=_tag):
    """Go over to another book, version or layout; only between shoes."""


class PostLimits(Command, frozen=True, tag=_tag):
    """Post other limits; only between rounds."""

    limits: Limits


class CloseTable(Command, frozen=True, tag=_tag):
    """Close the table; everything must be paid."""


class Assign(Command, frozen=True, tag=_tag):
    """Put a person of the staff into a post."""

    person: str
    post: str
    acting: bool = False


class Relieve(Command, frozen=True, tag=_tag):
    """Take a person of the staff out of their post."""

    person: str


class Sit(Command, frozen=True, tag=_tag):
    """A patron sits down at a box."""

    patron: str
    box: Number
    accepts_notice: bool = False


class Stand(Command, frozen=True, tag=_tag):
    """A patron stands: newly come without a seat, or risen from one."""

    patron: str
    accepts_notice: bool = False


class Leave(Command, frozen=True, tag=_tag):
    """A patron goes away. What they have at stake stays, and is settled."""

    patron: str


class BuyIn(Command, frozen=True, tag=_tag):
    """Money for chips."""

    patron: str
    amount: Number


class CashOut(Command, frozen=True, tag=_tag):
    """Chips for money: so much, or all."""

    patron: str
    amount: Number | None = None


class PayOwed(Command, frozen=True, tag=_tag):
    """A patron pays what they owe, with money from outside, or with `chips`."""

    patron: str
    amount: Number
    chips: bool = False


# Shoe


class LoadShoe(Command, frozen=True, tag=_tag):
    """Put shuffled cards into use; for a virtual shoe with the commitment to its seed."""

    commitment: str = ""


class InviteWords(Command, frozen=True, tag=_tag):
    """Ask patrons for words that are shuffled into the next virtual shoe; again, without those who kept theirs back."""

    commitment: str = ""


class CommitWord(Command, frozen=True, tag=_tag):
    """A patron commits to a word for the next shoe by its hash."""

    patron: str
    digest: str


class CallWords(Command, frozen=True, tag=_tag):
    """Let the words that were committed to come out."""


class RevealWord(Command, frozen=True, tag=_tag):
    """A patron reveals the word that they committed to."""

    patron: str
    word: str


class Burn(Command, frozen=True, tag=_tag):
    """Burn cards before the first round of a shoe; the first may be shown."""

    count: Number = 1


class LastHand(Command, frozen=True, tag=_tag):
    """Announce the last hand of the shoe."""


class EndShoe(Command, frozen=True, tag=_tag):
    """Take the cards out of use; the seed of a virtual shoe is revealed, and the key of what was sealed meanwhile."""

    seed: str = ""
    key: str = ""


class SetMethod(Command, frozen=True, tag=_tag):
    """Choose the method of dealing."""

    method: str


class TakeShoe(Command, frozen=True, tag=_tag):
    """A patron takes control of the shoe (Method C)."""

    patron: str


class GiveBackShoe(Command, frozen=True, tag=_tag):
    """The patron in control gives the shoe up."""


class LetDraw(Command, frozen=True, tag=_tag):
    """Let a patron draw without a wager (Method C)."""

    patron: str


# Betting


class OpenBets(Command, frozen=True, tag=_tag):
    """The opening call."""


class Place(Command, frozen=True, tag=_tag):
    """Put money on a bet, or more money on it."""

    patron: str
    bet: str
    stake: Number
    box: Number | None = None
    medium: str = "chips"


class Lower(Command, frozen=True, tag=_tag):
    """Take some of a wager back."""

    patron: str
    bet: str
    amount: Number
    box: Number | None = None


class Withdraw(Command, frozen=True, tag=_tag):
    """Take a wager back."""

    patron: str
    bet: str
    box: Number | None = None


class Find(Command, frozen=True, tag=_tag):
    """A wager that lay there at the closing call and that nobody had noticed; once a card is known, with a reason."""

    patron: str
    bet: str
    stake: Number
    box: Number | None = None
    reason: str = ""


class Pull(Command, frozen=True, tag=_tag):
    """A patron has taken chips back after the closing call."""

    patron: str
    bet: str
    box: Number | None = None


class Object(Command, frozen=True, tag=_tag):
    """The patron of a box objects to another's wager in it."""

    patron: str
    box: Number


class Remove(Command, frozen=True, tag=_tag):
    """Take a wager, or part of it, off the felt to cure the differential."""

    patron: str
    bet: str
    amount: Number
    box: Number | None = None


class CapArea(Command, frozen=True, tag=_tag):
    """Lower the number of wagers in an area; 3 ends it."""

    most: Number


class CloseBets(Command, frozen=True, tag=_tag):
    """The closing call."""


class ClearStrike(Command, frozen=True, tag=_tag):
    """Forget that a patron once bet under the minimum: a new gaming day."""

    patron: str


# Dealing


class Draw(Command, frozen=True, tag=_tag):
    """Draw a card. `to` where it was laid elsewhere than it was due."""

    to: str | None = None


class Expose(Command, frozen=True, tag=_tag):
    """Turn cards over: their faces, for the unexposed ones in drawn order, or for one place `at`.

    A patron who squeezes a hand opens the cards of that hand.
    """

    faces: tuple[str, ...]
    at: Number | None = None


class Announce(Command, frozen=True, tag=_tag):
    """Call the points, or the result with a winner."""

    what: str = "points"
    winner: str | None = None


class OpenFirst(Command, frozen=True, tag=_tag):
    """Say which hand is opened first (Method A)."""

    hand: str


class AskSqueeze(Command, frozen=True, tag=_tag):
    """A patron asks to squeeze a hand's cards."""

    patron: str
    hand: str


class DeclineSqueeze(Command, frozen=True, tag=_tag):
    """A patron does not want the cards."""

    patron: str
    hand: str


class GrantSqueeze(Command, frozen=True, tag=_tag):
    """Let any patron squeeze a hand."""

    patron: str
    hand: str


class BarSqueeze(Command, frozen=True, tag=_tag):
    """Bar a patron from squeezing."""

    patron: str


class BankerThirdFirst(Command, frozen=True, tag=_tag):
    """Ask that the Banker's third card be squeezed or exposed before the Player's third is opened."""

    patron: str
    how: str = "squeeze"


# Insurance


class OfferInsurance(Command, frozen=True, tag=_tag):
    """Offer what the cards call for."""


class Insure(Command, frozen=True, tag=_tag):
    """Strike cover on a wager."""

    patron: str
    hand: str
    stake: Number
    box: Number | None = None


class DeclareIntent(Command, frozen=True, tag=_tag):
    """Say that one will insure; the chips follow."""

    patron: str


class NoInsurance(Command, frozen=True, tag=_tag):
    """A patron of a private table asks that no insurance be offered."""

    patron: str


# When something goes wrong


class Report(Command, frozen=True, tag=_tag):
    """A fact. `cards` are places in drawn order from 0; `faces` what is known of them.

    Cards drawn together may be named before they lie there: the fact itself draws them.
    """

    fact: str
    cards: tuple[Number, ...] = ()
    faces: tuple[str, ...] = ()
    hand: str | None = None
    order: str | None = None
    reconstructible: bool | None = None
    exposed: bool | None = None
    seen: bool | None = None
    earlier: bool = False
    cause: str | None = None
    patron: str | None = None
    note: str = ""


class Answer(Command, frozen=True, tag=_tag):
    """Answer a question, for oneself or, as staff, for a patron."""

    question: Number
    choice: str
    reason: str = ""
    patron: str | None = None
    order: tuple[Number, ...] = ()
    count: dict[str, Number] = {}
    sealed: tuple[str, ...] = ()
    patrons: tuple[str, ...] = ()
    wagers: tuple[str, ...] = ()
    remedies: tuple[dict[str, str | Number | bool], ...] = ()


class Rule(Command, frozen=True, tag=_tag):
    """Set how a reading is taken at this table, for a reason."""

    policy: str
    value: str
    reason: str = ""


class Complain(Command, frozen=True, tag=_tag):
    """A patron says that a past settlement or placement was wrong."""

    patron: str
    about: str
    note: str = ""


# Settlement, disputes


class Settle(Command, frozen=True, tag=_tag):
    """Pay and collect."""


class RaiseDispute(Command, frozen=True, tag=_tag):
    """A patron disputes something."""

    patron: str
    says: str


class Escalate(Command, frozen=True, tag=_tag):
    """Take a dispute to the next higher post."""

    dispute: Number


class Gather(Command, frozen=True, tag=_tag):
    """Add information to a dispute, or tell surveillance of it."""

    dispute: Number
    what: str
    note: str = ""


class GiveTimeFrame(Command, frozen=True, tag=_tag):
    """Say by when a dispute will be resolved."""

    dispute: Number
    due: str


class Resolve(Command, frozen=True, tag=_tag):
    """Resolve a dispute by the references it rests on; `agreed` if the patron is content."""

    dispute: Number
    references: tuple[str, ...]
    says: str
    agreed: bool = True


class TellOfComplaint(Command, frozen=True, tag=_tag):
    """Tell a patron of the right to complain."""

    dispute: Number


class FileComplaint(Command, frozen=True, tag=_tag):
    """A patron complains formally."""

    dispute: Number


class Assist(Command, frozen=True, tag=_tag):
    """Help a patron with a formal complaint."""

    dispute: Number
