"""The state of a table, as immutable values with three lifetimes: the round, the shoe, the table.

Amounts are minor units. A card on the felt has a face only once it is exposed: no value here holds
an unexposed one.
"""

from typing import Literal

import msgspec

from punto.coup import Card, Coup
from punto.messages import Message, Sentence
from punto.roads import Result
from punto.rulebook import Basis, Book, CoverRow, Menu, menu
from punto.rulebook.model import Remedy
from punto.settlement import ROUNDING, Chips, Limits, Line, chips_at, show_money
from punto.tabular import html_table

Area = Literal["player", "banker", "aside"]
Phase = Literal["betting", "closed", "settled", "void"]
WALKED_AWAY = "away"
"""Insurance was forgone by walking away after a bet, whatever was offered."""

Spot = tuple[str, int, str]
"""The place of a wager: patron, box and bet."""

AUTOMATION = ("announce", "close", "deal", "expose", "offer", "settle")
"""What a table may do by itself. `close` and `expose` need a clock and a shoe, which the runtime has."""

SHOES = ("hand", "read", "virtual")


class Setup(msgspec.Struct, frozen=True):
    """How a table is set up: what is fixed while it is open, and what is posted."""

    book: str
    digest: str
    layout: str
    positions: int
    limits: Limits
    decks: int
    currency: str = "USD"
    shoe: str = "hand"
    face_down: bool = False
    private: bool = False
    high_limit: bool = False
    house_ranks: dict[str, str] = {}
    auto: frozenset[str] = frozenset()
    counter_clockwise: bool = True
    """Whether boxes are numbered counter-clockwise (AMB-82)."""
    whole_chips: bool = False
    """Whether every payment is whole chips (AMB-30); tables of engines before 5 paid to the minor unit."""


class Patron(msgspec.Struct, frozen=True, gc=False):
    """A person at the table. `owed` is what they owe the house after a correction."""

    box: int | None = None
    balance: int = 0
    held: int = 0
    owed: int = 0
    away: bool = False


class Post(msgspec.Struct, frozen=True):
    """The post a person of the staff works in; `acting` where it is not their own."""

    rank: str
    acting: bool = False


class Placed(msgspec.Struct, frozen=True, gc=False):
    """A wager. `money` keeps each piece with its place in the order of acceptance."""

    stake: int
    money: tuple[tuple[int, int], ...]
    advised: bool = False
    found: bool = False
    too_late: tuple[str, ...] = ()
    """The stages of insurance that were over when it was found: nobody neglected it there (AMB-115)."""
    pulled: bool = False
    back: Basis | None = None
    """Why it is returned whatever the result, if it is."""
    paid: tuple[int, int] | None = None
    """What it came to, if it was paid with the first four cards: stake and net, and commission on record."""


class Felt(msgspec.Struct, frozen=True, gc=False):
    """A card that has left the shoe: where it lies, and its face once exposed."""

    area: Area
    face: Card | None = None
    seen: bool = False
    """Somebody saw its face before it was opened; the face is here if it was told."""
    laid_with: str | None = None
    """The hand that it came out to before the points could show whether it was due there; it waits aside."""
    printed: bool = False
    """It is printed on the layout, and no card of the shoe."""
    disposed: bool = False
    """No hand needs it, and the residual authority has ruled what becomes of it: it goes to the discards."""


class Seen(msgspec.Struct, frozen=True, gc=False):
    """A card that still lies in the shoe and whose face somebody has seen; `moved` if that was in moving the shoe."""

    face: Card
    moved: bool = False


class Hands(msgspec.Struct, frozen=True, gc=False):
    """Both hands of a round, in drawn order, and what follows from them by the Table of Play.

    `punto.table.felt.read_hands` works it out once, whenever a card is laid down, opened or moved.
    """

    player: tuple[Felt, ...] = ()
    banker: tuple[Felt, ...] = ()
    due: Literal["player", "banker"] | None = "player"
    """The hand that the next card belongs to; None while one must be opened first, or when both are finished."""
    coup: Coup | None = None
    """The finished coup, once no card is due and all are open."""


class PlacedCover(msgspec.Struct, frozen=True):
    """Insurance struck on a wager, with the row it was struck at."""

    spot: Spot
    stage: str
    hand: str
    stake: int
    row: CoverRow
    late: bool = False
    back: bool = False
    """It comes back, though it was paid: the points that it was priced on were misread."""


class Window(msgspec.Struct, frozen=True):
    """An open insurance window: who may take how much, and who has said that they will."""

    stage: str
    hand: str
    row: CoverRow
    most: dict[Spot, int]
    intent: frozenset[str] = frozenset()
    late: bool = False
    drawn: bool = False
    """The next card is out: only declared intent can still be made good (AMB-57)."""


class Procedure(msgspec.Struct, frozen=True):
    """What is being done about a reported fact: the steps still to take, and what is known of the case."""

    fact: str
    rest: tuple[Remedy, ...]
    basis: Basis
    guards: dict[str, str] = {}
    cards: tuple[int, ...] = ()
    patron: str | None = None
    hand: str | None = None
    note: str = ""
    faces: tuple[str, ...] = ()
    answer: dict[str, str] | None = None
    reason: str = ""
    found: tuple[str, ...] | None = None
    until_round_end: bool = False
    ruled: int = 0
    """How many of the steps left are those of a ruling, with the one that asked for it."""
    led: tuple[int, ...] = ()
    """The cards that it has led on to another fact about."""
    chosen: frozenset[str] | None = None
    """Who had chosen before the choice was put to somebody else as well; None while it is put for the first time."""


class Round(msgspec.Struct, frozen=True):
    """One round. `hands` follows from `cards`."""

    number: int
    phase: Phase = "betting"
    free: bool = False
    wagers: dict[Spot, Placed] = {}
    counted: dict[Spot, int] | None = None
    """What the differential is measured on, once it is: the wagers as they lay then, and those found later.

    A wager that is taken back or returned afterwards stays in it, so nobody else's stake changes (AMB-114).
    """
    cards: tuple[Felt, ...] = ()
    hands: Hands = Hands()
    as_it_lies: tuple[int, ...] = ()
    """The places of the cards that play goes on with as they lie: a later error moves only others."""
    announced: tuple[str, ...] = ()
    squeezers: dict[str, str] = {}
    by_leave: frozenset[str] = frozenset()
    """The hands whose squeezer needs no wager, by somebody's leave."""
    declined: tuple[tuple[str, str], ...] = ()
    barred: frozenset[str] = frozenset()
    window: Window | None = None
    windows: dict[str, tuple[int, int]] = {}
    """The windows that were offered, or made good, with the points of both hands that they were priced on."""
    opened: dict[str, tuple[int, bool]] = {}
    """The stages of insurance whose points lie open: how many cards were out then, and whether the next was unknown."""
    late: tuple[str, ...] | None = None
    """The bets that may be placed now that the first four cards lie open; none once that is over."""
    covers: tuple[PlacedCover, ...] = ()
    forgone: dict[str, tuple[str, ...]] = {}
    """Who has forgone insurance, and by what: the stages at which an offer found them silent, and `WALKED_AWAY`."""
    passed_over: dict[str, frozenset[str]] = {}
    """By stage, who was offered nothing in its window because they had forgone insurance before."""
    waived: bool = False
    banker_first: bool = False
    bound: dict[str, int] = {}
    """Who has chosen to play on, and how many cards lay there then: later ones are accepted (AMB-109)."""
    withdrew: dict[str, frozenset[str]] = {}
    """Who has taken wagers back, and which bets were undecided then: one found later goes back too (AMB-115)."""
    polled: Procedure | None = None
    """The choice that patrons have made last, as long as no card was drawn, opened or seen since."""
    revealed: bool = False
    """A card has become known since bets closed."""
    shoe: int = 0
    """The number of the shoe that its cards came from."""
    printed: tuple[int, Card] | None = None
    """The card that is printed on the layout, and its place among the cards, where it lies from the first card on."""
    reserve: tuple[Card | None, ...] = ()
    """Cards set aside for third cards, with their faces where seen."""
    gone: tuple[int, ...] = ()
    """The places of cards that were carried off."""
    handed_on: int = 0
    """How many of the cards carried to the next round came from this one."""
    only_seen: int = 0
    """How many of those were not drawn in it, but seen in the shoe: the last of them."""
    judged: bool = False
    """What it left over has been dealt with."""
    ruled: bool = False
    """The residual authority decided something in it: its cards may lie otherwise than by the Table of Play."""
    passed: bool = False
    """By a ruling, wagers are settled as they lie though the differential is exceeded."""
    lines: dict[str, tuple[Line, ...]] = {}
    result: Result | None = None
    struck: frozenset[str] = frozenset()
    """Who used up their one wager under the minimum in this round."""
    rulings: dict[str, str] | None = None
    """The rulings that it was settled by, if others hold since."""
    final: bool = False
    """The table has changed its book or layout since, so this round cannot be settled again."""

    @property
    def bettors(self) -> set[str]:
        """Who had wagers in it: those who played on, or all if nobody did."""
        return {spot[0] for spot in self.wagers} or set(self.withdrew)

    @property
    def from_shoe(self) -> int:
        """How many of its cards came from the shoe."""
        return len(self.cards) - sum(each.printed for each in self.cards)

    def hand(self, name: str) -> tuple[Felt, ...]:
        """The cards of a hand, in drawn order."""
        return self.hands.banker if name == "banker" else self.hands.player


class Past(msgspec.Struct, frozen=True):
    """The last round, with the set-up it was played under, as long as the next has not begun as the book counts."""

    round: Round
    setup: Setup


class Paused(msgspec.Struct, frozen=True):
    """The round that bets are open for, while the last one is put right."""

    round: Round
    setup: Setup
    procedures: int = 0
    """How many procedures were open when it was left."""


class Shoe(msgspec.Struct, frozen=True):
    """The shoe in use, with `left` cards in it. The next round begins with those `carried`, their faces where seen."""

    number: int
    left: int
    rounds: int = 0
    burned: bool = False
    carried: tuple[Card | None, ...] = ()
    free_next: bool = False
    free_after_last: bool = False
    """That free hand is dealt though the last hand has been announced (AMB-95)."""
    first_bettors: tuple[str, ...] | None = None
    """Who had wagers in the first hand, once bets are open for the second."""
    last_round: int | None = None
    """The number of the round that was announced as the last."""
    replace: Basis | None = None
    """Why the cards must be changed before the next round, if they must."""
    controller: str | None = None
    results: tuple[Result, ...] = ()
    cards: int = 0
    """How many cards were loaded."""
    burnt: int = 0
    discarded: int = 0
    """Cards of earlier rounds."""
    carried_off: int = 0
    gone: dict[str, int] = {}
    """How many of each face patrons have carried off in its earlier rounds, where that is known."""
    faces: dict[str, int] = {}
    """How often each face has lain open in its earlier rounds, or was seen and burned."""
    top: tuple[Seen | None, ...] = ()
    """The next cards in the shoe as far as they are known; None for one between that nobody saw."""
    free_because: Basis | None = None
    """What made the next round a free hand, where that is on record."""
    words: tuple[tuple[str, str], ...] | None = None
    """Whose words were shuffled into it, and which; None where patrons could add nothing."""
    commitment: str = ""
    """What the house has published to be bound to its cards; nothing for one that is dealt by hand."""


class Question(msgspec.Struct, frozen=True):
    """Something that a person decides. `to` is a rank, or `patrons` for each of `waiting`.

    `form` says what an answer holds besides the choice: `order`, `count`, `patrons` or `remedies`. A question
    that does not block lapses when `lapses` says.
    """

    id: int
    topic: str
    to: str
    choices: tuple[str, ...]
    says: str
    basis: Basis
    reason: bool = False
    form: str | None = None
    blocks: bool = True
    lapses: str = "round"
    default: str | None = None
    waiting: tuple[str, ...] = ()
    answers: dict[str, str] = {}
    about: tuple[str, ...] = ()
    step: int | None = None
    """Which of the table's procedures waits for the answer, if one does."""
    message: Message | None = None

    @property
    def sentence(self) -> str:
        """What is asked, with its message where it has one."""
        return self.says if self.message is None else Sentence(self.says, self.message)


class Dispute(msgspec.Struct, frozen=True):
    """A dispute on the record, and how far it has come."""

    patron: str
    says: str
    level: str
    done: tuple[str, ...] = ()
    state: Literal["open", "resolved", "complaint-available", "complaint"] = "open"


class Words(msgspec.Struct, frozen=True):
    """Words of patrons that are asked for, to be shuffled into the next shoe: first their hashes, then they."""

    commitment: str
    """The house's own, to its part of the seed."""
    committed: dict[str, str] = {}
    """By patron: the hash of their word, in the order in which they came."""
    called: bool = False
    """Whether it is time to reveal: no more hashes are taken."""
    revealed: dict[str, str] = {}
    left_out: frozenset[str] = frozenset()
    """Who did not reveal in time, and adds nothing to this shoe."""

    @property
    def missing(self) -> tuple[str, ...]:
        """Who has committed to a word and not revealed it yet."""
        return tuple(name for name in self.committed if name not in self.revealed)


class Table(msgspec.Struct, frozen=True):
    """A whole table: the fold of its events.

    Balances and held stakes, less what is owed, and the house's account sum to zero.
    """

    book: Book
    setup: Setup
    posted: Setup | None = None
    """Limits posted after a round was paid; they hold from the next opening call on."""
    open: bool = True
    house: int = 0
    patrons: dict[str, Patron] = {}
    posts: dict[str, Post] = {}
    strikes: frozenset[str] = frozenset()
    policies: dict[str, str] = {}
    area_cap: int | None = None
    method: str | None = None
    without_wager: frozenset[str] = frozenset()
    """Who may draw in Method C without a wager."""
    insurance_off: bool = False
    notice: frozenset[str] = frozenset()
    """Who has accepted the notice of a table without insurance."""
    shoe: Shoe | None = None
    shoes: int = 0
    words: Words | None = None
    """Words that are being asked for, before the next shoe."""
    round: Round | None = None
    past: Past | None = None
    """What can still be put right though bets are open again: a round may begin only with its first card (AMB-09)."""
    paused: Paused | None = None
    sequence: int = 0
    """Counts accepted money, so that later money can be told from earlier."""
    questions: tuple[Question, ...] = ()
    asked: int = 0
    procedures: tuple[Procedure, ...] = ()
    disputes: tuple[Dispute, ...] = ()

    def policy(self, name: str) -> str | None:
        """A reading in force at this table: a ruling's, else the book's own."""
        if name in self.policies:
            return self.policies[name]
        policy = self.book.policies.get(name)
        return policy.value if policy else None

    @property
    def rounding(self) -> str:
        """How payments are rounded that chips cannot make: by a ruling, else as posted, else by the book."""
        return self.chips.rounding

    @property
    def chips(self) -> Chips:
        """The chip of the table, and how payments are rounded that it cannot make."""
        limits = self.setup.limits
        ruling = self.policies.get(ROUNDING)
        return chips_at(self.book, limits.unit, limits.rounding, ruling, self.setup.currency, self.setup.whole_chips)

    def chips_by(self, rulings: dict[str, str], setup: Setup | None = None) -> Chips:
        """The chip of the table, or of limits posted for later, with payments rounded by some rulings."""
        by = self.setup if setup is None else setup
        ruling = rulings.get(ROUNDING)
        return chips_at(self.book, by.limits.unit, by.limits.rounding, ruling, by.currency, by.whole_chips)

    @property
    def begins_with_first_card(self) -> bool:
        """Whether a round begins with its first card in this book, and not with the opening call."""
        begins = self.book.point("round", "begins")
        return begins is not None and begins.value == "first-card"

    @property
    def menu(self) -> Menu:
        """The bets of the table's layout."""
        return menu(self.book, self.setup.layout)

    def _repr_html_(self) -> str:
        def money(*amounts: int) -> list[str]:
            return [show_money(each, self.setup.currency) for each in amounts]

        patrons = [(name, each.box, *money(each.balance, each.held)) for name, each in self.patrons.items()]
        title = f"{self.book.title}, layout {self.setup.layout}"
        shown = html_table(title, ("patron", "box", "chips", "at stake"), patrons)
        if self.round is None:
            return shown
        wagers = [(*spot, *money(each.stake)) for spot, each in self.round.wagers.items()]
        hands = [(name, *(str(each.face or "?") for each in self.round.hand(name))) for name in ("player", "banker")]
        about = f"Round {self.round.number}, {self.round.phase}"
        return shown + html_table(about, ("patron", "box", "bet", "stake"), wagers) + html_table("", (), hands)

    @property
    def running(self) -> Round | None:
        """The round from its opening to its end, or None between rounds."""
        round = self.round
        return round if round is not None and round.phase in ("betting", "closed") else None
