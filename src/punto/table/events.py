"""What has happened at a table. A table is the fold of these; each names what it rests on."""

import msgspec

from punto.messages import Message
from punto.rulebook import Basis
from punto.rulebook.vocabulary import DEALER
from punto.settlement import Line
from punto.table.state import Question, Setup, Spot

NOTHING = Basis()


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="event", rename="kebab", omit_defaults=True, gc=False):
    """Anything that has happened: by whom, and on which clauses and readings it rests."""

    by: str = DEALER
    acting: bool = False
    basis: Basis = NOTHING


class Spoken(Event, frozen=True, kw_only=True):
    """Something with a sentence of the engine: in English, and as a message for any other language."""

    message: Message | None = None


def _tag(name: str) -> str:
    return "".join(f"-{letter.lower()}" if letter.isupper() else letter for letter in name).lstrip("-")


# Opening and people


class TableOpened(Event, frozen=True, tag=_tag):
    """A table is open."""

    setup: Setup
    at: str
    method: str | None = None


class BookChanged(Event, frozen=True, tag=_tag):
    """The table goes by another book or layout from now on."""

    setup: Setup
    at: str


class LimitsPosted(Event, frozen=True, tag=_tag):
    """Other limits hold."""

    setup: Setup


class TableClosed(Event, frozen=True, tag=_tag):
    """The table is closed, everything paid."""


class PostAssigned(Event, frozen=True, tag=_tag):
    """A person works in a post."""

    person: str
    post: str
    as_acting: bool = False


class PostLeft(Event, frozen=True, tag=_tag):
    """A person has left their post."""

    person: str


class PatronSat(Event, frozen=True, tag=_tag):
    """A patron sits at a box."""

    patron: str
    box: int
    accepted: bool = False


class PatronStood(Event, frozen=True, tag=_tag):
    """A patron stands at the table."""

    patron: str
    accepted: bool = False


class PatronLeft(Event, frozen=True, tag=_tag):
    """A patron has gone; `away` if money is still at stake or in keeping."""

    patron: str
    away: bool = False


class BoughtIn(Event, frozen=True, tag=_tag):
    """Money became chips."""

    patron: str
    amount: int


class CashedOut(Event, frozen=True, tag=_tag):
    """Chips became money."""

    patron: str
    amount: int


class OwedPaid(Event, frozen=True, tag=_tag):
    """What was owed was paid, from chips or with money from outside."""

    patron: str
    amount: int
    chips: bool = False


# Shoe


class ShoeLoaded(Event, frozen=True, tag=_tag):
    """Shuffled cards are in use."""

    number: int
    cards: int
    commitment: str = ""
    words: tuple[tuple[str, str], ...] | None = None
    """Whose words are shuffled into a virtual shoe, and which; None where nobody was asked."""


class WordsInvited(Event, frozen=True, tag=_tag):
    """Patrons may commit to words for the next virtual shoe; `left_out` did not reveal those of the last time."""

    number: int
    commitment: str
    left_out: tuple[str, ...] = ()


class WordCommitted(Event, frozen=True, tag=_tag):
    """A patron has committed to a word by its hash."""

    patron: str
    digest: str


class WordsCalled(Event, frozen=True, tag=_tag):
    """Now the words come out: no more hashes are taken."""


class WordRevealed(Event, frozen=True, tag=_tag):
    """A patron's word is out."""

    patron: str
    word: str


class Burned(Event, frozen=True, tag=_tag):
    """Cards were burned."""

    count: int


class LastHandAnnounced(Event, frozen=True, tag=_tag):
    """The coming or running hand is the last of the shoe."""


class ShoeEnded(Event, frozen=True, tag=_tag):
    """The cards are out of use; the seed of a virtual shoe is out, and the key of what was sealed in commands."""

    seed: str = ""
    key: str = ""


class MethodSet(Event, frozen=True, tag=_tag):
    """Cards are dealt by this method."""

    method: str


class ShoeTaken(Event, frozen=True, tag=_tag):
    """A patron controls the shoe."""

    patron: str


class ShoeGivenBack(Event, frozen=True, tag=_tag):
    """Control of the shoe is with the staff again."""

    patron: str


class DrawingLet(Event, frozen=True, tag=_tag):
    """A patron may draw without a wager."""

    patron: str


# Betting


class BetsOpened(Event, frozen=True, tag=_tag):
    """The opening call; a free hand takes no bets."""

    number: int
    free: bool = False


class LastRoundReopened(Event, frozen=True, tag=_tag):
    """The last round is put right before the next has begun; the bets that lie there wait."""

    number: int


class NextRoundResumed(Event, frozen=True, tag=_tag):
    """The last round is done with, and the next goes on where it was, or as a free hand."""

    number: int
    free: bool = False


class BetsReopened(Event, frozen=True, tag=_tag):
    """Bets are taken again in the same round."""


class WagerPlaced(Event, frozen=True, tag=_tag):
    """So much was put on a bet."""

    patron: str
    box: int
    bet: str
    stake: int
    found: bool = False


class WagerConfirmed(Event, frozen=True, tag=_tag):
    """Somebody above the dealer confirms, for a reason, that a wager found when a card was known had lain there."""

    patron: str
    box: int
    bet: str
    reason: str


class WagerAdvised(Spoken, frozen=True, tag=_tag):
    """The patron was told that a wager is under the minimum or over the maximum."""

    patron: str
    box: int
    bet: str
    says: str


class MoneyRefused(Spoken, frozen=True, tag=_tag):
    """Part of what was put down was not accepted."""

    patron: str
    box: int
    bet: str
    amount: int
    says: str


class WagerLowered(Spoken, frozen=True, tag=_tag):
    """So much of a wager went back to the patron."""

    patron: str
    box: int
    bet: str
    amount: int
    says: str = ""


class WagerPulled(Event, frozen=True, tag=_tag):
    """Chips were taken back after the closing call; the wager stands all the same."""

    patron: str
    box: int
    bet: str


class ObjectionNoted(Event, frozen=True, tag=_tag):
    """An objection to another's wager in one's box, which has no effect."""

    patron: str
    box: int


class AreaCapped(Event, frozen=True, tag=_tag):
    """No more than so many wagers in an area."""

    most: int


class BetsClosed(Event, frozen=True, tag=_tag):
    """The closing call: wagers are as they lie."""


class LateBetsOpened(Event, frozen=True, tag=_tag):
    """The first four cards lie open and a third is to come: these bets may be placed."""

    bets: tuple[str, ...]


class LateBetsClosed(Event, frozen=True, tag=_tag):
    """The next card comes: no more bets after the first four cards."""


class StrikeCleared(Event, frozen=True, tag=_tag):
    """A patron's bet under the minimum is forgotten."""

    patron: str


# Dealing


class CardDrawn(Event, frozen=True, tag=_tag):
    """A card left the shoe and lies in an area, face down as far as this table knows."""

    at: int
    area: str
    carried: bool = False
    reserve: bool = False
    laid_with: str | None = None


class CardsSeen(Event, frozen=True, tag=_tag):
    """Faces became known of cards that nobody had opened: next in the shoe, carried, or on the felt at some places."""

    at: tuple[int, ...] = ()
    faces: tuple[str, ...] = ()
    carried: bool = False
    moved: bool = False


class CardsExposed(Event, frozen=True, tag=_tag):
    """Cards were turned over: places in drawn order, and faces."""

    at: tuple[int, ...]
    faces: tuple[str, ...]


class Announced(Spoken, frozen=True, tag=_tag):
    """Points or a result were called."""

    what: str
    says: str


class HandOpenedFirst(Event, frozen=True, tag=_tag):
    """Which hand is opened first."""

    hand: str


class Delivered(Event, frozen=True, tag=_tag):
    """A hand's cards go to a patron, by right or by somebody's `leave`, or to nobody but the dealer."""

    hand: str
    patron: str | None = None
    leave: bool = False


class SqueezeDeclined(Event, frozen=True, tag=_tag):
    """A patron does not want a hand's cards."""

    patron: str
    hand: str


class SqueezeBarred(Event, frozen=True, tag=_tag):
    """A patron may not squeeze this round."""

    patron: str


class BankerFirstAllowed(Event, frozen=True, tag=_tag):
    """The Banker's third card comes first; there is no insurance after the Player's third."""

    patron: str
    how: str


# Insurance


class InsuranceOffered(Event, frozen=True, tag=_tag):
    """A window is open on a hand: who may take how much at which odds."""

    stage: str
    hand: str
    odds: str
    own: int
    opposite: int
    most: tuple[tuple[str, int, str, int], ...]
    late: bool = False


class IntentDeclared(Event, frozen=True, tag=_tag):
    """A patron has said that they will insure."""

    patron: str


class CoverStruck(Event, frozen=True, tag=_tag):
    """A patron insured a wager."""

    patron: str
    box: int
    bet: str
    stake: int


class CoverReturned(Spoken, frozen=True, tag=_tag):
    """Cover went back to the patron."""

    patron: str
    box: int
    bet: str
    stage: str
    amount: int
    says: str = ""


class WindowClosed(Event, frozen=True, tag=_tag):
    """The window is closed; who said nothing has forgone insurance. What was offered on wrong points comes `again`."""

    forgone: tuple[str, ...] = ()
    intent_left: bool = False
    again: tuple[str, ...] = ()


class InsuranceOff(Event, frozen=True, tag=_tag):
    """This private table offers no insurance, and says so."""

    accepted: tuple[str, ...]


# When something goes wrong


class Reported(Spoken, frozen=True, tag=_tag):
    """A fact was reported; `row` is the row of the book that applies, None if none does."""

    fact: str
    row: int | None = None
    guards: dict[str, str] = {}
    cards: tuple[int, ...] = ()
    patron: str | None = None
    hand: str | None = None
    note: str = ""
    faces: tuple[str, ...] = ()


class StepTaken(Spoken, frozen=True, tag=_tag):
    """One step of what the book says was taken; `branch` names the further steps it led to."""

    verb: str
    object: str | None = None
    branch: str = ""
    says: str = ""


class StepsRuled(Event, frozen=True, tag=_tag):
    """The residual authority has composed what is to be done."""

    steps: tuple[dict[str, str | int | bool], ...]


class Waiting(Event, frozen=True, tag=_tag):
    """What remains is done when the round has ended."""


class Asked(Event, frozen=True, tag=_tag):
    """Somebody has to decide."""

    question: Question


class Answered(Event, frozen=True, tag=_tag):
    """A question was answered, by whom it was put to or for them."""

    question: int
    choice: str
    reason: str = ""
    patron: str | None = None
    patrons: tuple[str, ...] = ()
    number: int | None = None
    wagers: tuple[str, ...] = ()


class AskedToo(Event, frozen=True, tag=_tag):
    """A question is put to one more patron, whose wager was found while it was open."""

    question: int
    patron: str


class ChoiceMade(Event, frozen=True, tag=_tag):
    """Everybody asked has chosen: who plays on, and who took back which bets as far as they lay there."""

    on: tuple[str, ...] = ()
    back: dict[str, tuple[str, ...]] = {}


class ChoiceReopened(Event, frozen=True, tag=_tag):
    """The choice that was made last is put to a patron whose wager was found since."""

    patron: str


class Lapsed(Event, frozen=True, tag=_tag):
    """A question is not open any more; what it defaults to holds."""

    question: int


class Deduced(Event, frozen=True, tag=_tag):
    """The missing cards are known from those that are left, or cannot be told."""

    counted: int
    faces: tuple[str, ...] | None = None


class RoundEnded(Event, frozen=True, tag=_tag):
    """The round ended without a result: void, or with no wagers left. Every stake goes back."""

    how: str
    reversed: bool = False
    returned: dict[str, int] = {}
    owed: dict[str, int] = {}


class OrderFixed(Event, frozen=True, tag=_tag):
    """In which order cards count that were drawn together."""

    order: tuple[int, ...]


class CardsMisplaced(Event, frozen=True, tag=_tag):
    """Cards lie in the area of the other hand."""

    at: tuple[int, ...]


class CardsRelaid(Event, frozen=True, tag=_tag):
    """Cards lie now where they belong, by place in drawn order."""

    areas: tuple[str, ...]


class LeftAsItLies(Event, frozen=True, tag=_tag):
    """The hand is played as the cards lie."""


class CardsCarried(Event, frozen=True, tag=_tag):
    """Surplus cards begin the next round, or a card that was `seen` before it left the shoe.

    A `free` hand that they begin is dealt even `after_last`, the announced last hand.
    """

    at: tuple[int, ...]
    free: bool = False
    seen: tuple[str, ...] = ()
    after_last: bool = False


class CardsRecalled(Event, frozen=True, tag=_tag):
    """Cards that this round had handed on to the next lie in it again, aside: the last ones carried."""

    count: int


class CardsRetrieved(Event, frozen=True, tag=_tag):
    """All cards of the round went back to the top of the shoe, unseen."""


class CardsReserved(Event, frozen=True, tag=_tag):
    """Cards were set aside, in order, for third cards."""

    count: int


class HandFreed(Event, frozen=True, tag=_tag):
    """This hand, or the next one, is a free hand."""

    now: bool


class CardsToBeReplaced(Event, frozen=True, tag=_tag):
    """The next round needs other cards."""


class Noticed(Spoken, frozen=True, tag=_tag):
    """Everybody at the table is told."""

    says: str


class FacesCorrected(Event, frozen=True, tag=_tag):
    """What the cards really are."""

    at: tuple[int, ...]
    faces: tuple[str, ...]


class OriginalReturned(Event, frozen=True, tag=_tag):
    """A wager that would have been insured comes back; `amount` if it had been collected already."""

    patron: str
    box: int
    bet: str
    amount: int = 0


class DifferentialPassed(Event, frozen=True, tag=_tag):
    """By a ruling, wagers over the differential are settled as they lie."""


class Bound(Event, frozen=True, tag=_tag):
    """Who goes on is bound by every later card."""

    patrons: tuple[str, ...]


class RulingMade(Event, frozen=True, tag=_tag):
    """From now on this table takes a reading so."""

    policy: str
    value: str
    reason: str


class ComplaintAnswered(Spoken, frozen=True, tag=_tag):
    """A complaint about the past, and what the book says to it."""

    patron: str
    about: str
    says: str


class NotedDown(Spoken, frozen=True, tag=_tag):
    """On the record."""

    says: str


# Settlement


class RoundSettled(Event, frozen=True, tag=_tag):
    """Everything paid and collected, line by line."""

    lines: dict[str, tuple[Line, ...]]
    spots: dict[str, tuple[Spot, ...]]
    moves: dict[str, tuple[int, int]]
    """By patron: to the balance, and to what is owed."""
    winner: str
    cards: tuple[tuple[str, ...], tuple[str, ...]]
    strikes: tuple[str, ...] = ()
    again: bool = False


class FirstFourSettled(Event, frozen=True, tag=_tag):
    """The bets paid and collected that the first four cards settle, line by line."""

    lines: dict[str, tuple[Line, ...]]
    spots: dict[str, tuple[Spot, ...]]
    moves: dict[str, tuple[int, int]]
    """By patron: to the balance, and to what is owed."""


class FirstFourReversed(Event, frozen=True, tag=_tag):
    """What was paid with the first four cards is taken back: the round has no result."""

    spots: tuple[Spot, ...]
    moves: dict[str, tuple[int, int]]
    """By patron: to the balance, and to what is owed."""


# Disputes


class DisputeRaised(Event, frozen=True, tag=_tag):
    """A patron disputes something."""

    patron: str
    says: str
    level: str


class DisputeMoved(Event, frozen=True, tag=_tag):
    """A dispute went a step on."""

    dispute: int
    step: str
    says: str = ""
    level: str | None = None
    references: tuple[str, ...] = ()
    state: str | None = None
