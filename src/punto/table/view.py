"""What one viewer may see of a table: no closed face, nobody else's purse; and what is to be done next."""

from functools import lru_cache
from math import lcm

import msgspec

from punto.amounts import digits_of
from punto.coup import Card
from punto.roads import Result
from punto.rulebook import Menu, PrintedCard
from punto.rulebook.facts import FACTS
from punto.rulebook.vocabulary import PATRONS
from punto.settlement import Chips, Limits, Line, enforced
from punto.table.authority import holds, post_of
from punto.table.felt import FIRST_FOUR, due, points
from punto.table.next_steps import Next, next_steps
from punto.table.state import Question, Round, Table
from punto.table.visible import HIDDEN, PUBLIC, Viewer, own_question, viewer_at

_OWN_STEPS = frozenset(("insure", "escalate", "gather", "resolve", "tell-of-complaint", "file-complaint", "assist"))
"""Steps about the insurance or the dispute of one patron: others are not told of them."""


class SeenHand(msgspec.Struct, frozen=True):
    """A hand as it lies: a face, or None for a card face down."""

    cards: tuple[str | None, ...]
    points: int
    squeezer: str | None


class SeenWager(msgspec.Struct, frozen=True):
    """A wager on the felt."""

    patron: str
    box: int
    bet: str
    stake: int
    advised: bool


class SeenPatron(msgspec.Struct, frozen=True):
    """A patron; the purse only to themself and to the staff."""

    name: str
    box: int | None
    away: bool
    balance: int | None
    held: int
    owed: int | None


class SeenOffer(msgspec.Struct, frozen=True):
    """Insurance on offer: the odds, how much the viewer may take, by box, and the step in which cover goes."""

    stage: str
    hand: str
    odds: str
    most: dict[str, int]
    late: bool
    step: int = 1


class SeenRound(msgspec.Struct, frozen=True):
    """The round as it stands."""

    number: int
    phase: str
    free: bool
    player: SeenHand
    banker: SeenHand
    next: str | None
    wagers: tuple[SeenWager, ...]
    offer: SeenOffer | None
    lines: dict[str, tuple[Line, ...]]
    result: Result | None
    late: tuple[str, ...] = ()
    """The bets that may be placed now though bets are closed: the first four cards lie open."""


class SeenWords(msgspec.Struct, frozen=True):
    """Words for a virtual shoe: while they are asked for, the house's commitment; then whose words are in the shoe.

    `committed` and `left_out` are patrons; `called` where it is time to reveal.
    """

    commitment: str = ""
    called: bool = False
    committed: tuple[str, ...] = ()
    revealed: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    shoe: tuple[str, ...] | None = None


class SeenShoe(msgspec.Struct, frozen=True):
    """The virtual shoe in use and what the house has committed to, 0 and nothing between two shoes.

    `over` is the number of the last shoe that has ended: it can be checked (docs/shoe.md). A shoe is `fresh` while no
    card of it has left it for a round.
    """

    number: int = 0
    commitment: str = ""
    over: int = 0
    fresh: bool = False


class Happened(msgspec.Struct, frozen=True):
    """What led to a question: the reported fact, in English and Chinese, and its cards that lie open."""

    question: int
    names: tuple[str, str]
    cards: tuple[str, ...]


class SeenPrinted(msgspec.Struct, frozen=True):
    """The card that is printed on the layout: in which hand it counts, at which place of it from 0, and its face."""

    hand: str
    at: int
    card: str


class View(msgspec.Struct, frozen=True):
    """A table as one person sees it."""

    book: str
    layout: str
    currency: str
    limits: Limits
    open: bool
    method: str | None
    insurance_off: bool
    patrons: tuple[SeenPatron, ...]
    round: SeenRound | None
    cards_left: int | None
    carried: tuple[str | None, ...]
    last_round: int | None
    results: tuple[Result, ...]
    questions: tuple[Question, ...]
    next: tuple[Next, ...]
    digest: str
    """Of the very book that the table goes by, whatever book has the same id today."""
    words: SeenWords | None = None
    digits: int = 2
    """How many digits the minor unit of the currency has after the point."""
    shoe: SeenShoe | None = None
    """At a table whose shoes are virtual."""
    steps: dict[str, int] = {}
    """By bet: stakes are multiples of this, so that every payment is whole chips (AMB-30)."""
    step: int = 1
    """Multiples of this can be laid on any bet."""
    happened: tuple[Happened, ...] = ()
    """For each of the questions to which a reported fact has led."""
    printed: SeenPrinted | None = None
    """The card with which a hand begins, where the layout has one in print; nothing of it is drawn."""


def view(table: Table, viewer: str | None = None) -> View:
    """What a viewer sees: a post, a person of the staff, a patron, or nobody in particular."""
    return own_view(_public_view(table), table, viewer)


def own_view(public: View, table: Table, viewer: str | None) -> View:
    """What everybody sees of a table, with what this viewer sees besides: purses, lines, cover and questions."""
    if viewer is None:
        return public
    who, questions = viewer_at(table, viewer), questions_for(table, viewer)
    return msgspec.structs.replace(
        public,
        patrons=tuple(_own_patron(each, table, who) for each in public.patrons),
        round=_own_round(public.round, table.round, who),
        questions=questions,
        next=_steps_for(table, who) if _differs(table) else public.next,
        happened=tuple(_happened(table, each.id, each.step) for each in questions if each.step is not None),
    )


def _public_view(table: Table) -> View:
    """What anybody may see of a table."""
    shoe = table.shoe
    posted = table.paused.setup if table.paused is not None else table.posted or table.setup
    steps = _steps(table.menu, table.chips_by(table.policies, posted))
    return View(
        table.book.id,
        table.setup.layout,
        table.setup.currency,
        enforced(table.book, posted.limits),
        table.open,
        table.method,
        table.insurance_off,
        tuple(SeenPatron(name, who.box, who.away, None, who.held, None) for name, who in table.patrons.items()),
        None if table.round is None else _public_round(table.round, table.chips),
        None if shoe is None else shoe.left,
        () if shoe is None else tuple(map(_face, shoe.carried)),
        None if shoe is None else shoe.last_round,
        () if shoe is None else shoe.results,
        (),
        _steps_for(table, PUBLIC),
        table.book.digest,
        _words(table),
        digits_of(table.setup.currency),
        _virtual_shoe(table),
        steps,
        lcm(*steps.values()),
        printed=_printed(table.book.cards.printed),
    )


def _printed(card: PrintedCard | None) -> SeenPrinted | None:
    return None if card is None else SeenPrinted(FIRST_FOUR[card.place], card.place // 2, str(card.card))


@lru_cache(256)
def _steps(menu: Menu, chips: Chips) -> dict[str, int]:
    """By bet of a layout the step that stakes go in."""
    return {bet: chips.step(priced) for bet, priced in menu.bets.items()}


def _virtual_shoe(table: Table) -> SeenShoe | None:
    shoe = table.shoe
    if table.setup.shoe != "virtual":
        return None
    if shoe is None:
        return SeenShoe(over=table.shoes)
    return SeenShoe(shoe.number, shoe.commitment, shoe.number - 1, shoe.left + shoe.burnt == shoe.cards)


def _words(table: Table) -> SeenWords | None:
    asked, shoe = table.words, table.shoe
    if asked is not None:
        said = tuple(asked.committed), tuple(asked.revealed), tuple(sorted(asked.left_out))
        return SeenWords(asked.commitment, asked.called, *said)
    if shoe is None or shoe.words is None:
        return None
    return SeenWords(shoe=tuple(name for name, _ in shoe.words))


def questions_for(table: Table, viewer: str | None) -> tuple[Question, ...]:
    """The open questions that a viewer may answer; a patron is not told who else is asked, nor what they say."""
    if viewer is None:
        return ()
    if viewer in table.patrons:
        return tuple(own_question(each, viewer) for each in table.questions if viewer in each.waiting)
    post = post_of(table, viewer)
    if post is None:
        return ()
    return tuple(each for each in table.questions if each.to == PATRONS or holds(table.book, post, each.to))


def _happened(table: Table, question: int, step: int) -> Happened:
    """What the procedure is about that waits for an answer: everybody was told when it was reported."""
    procedure = table.procedures[step]
    cards = () if table.round is None else table.round.cards
    faces = (cards[at].face for at in procedure.cards if at < len(cards))
    return Happened(question, FACTS[procedure.fact].names, tuple(str(face) for face in faces if face is not None))


def _steps_for(table: Table, viewer: Viewer) -> tuple[Next, ...]:
    """What is to be done next; what somebody else is asked is not read out, what they may insure not said."""
    steps = next_steps(table)
    if viewer.staff:
        return steps
    own = {each.says for each in table.questions if viewer.name in each.waiting}
    return tuple(
        msgspec.structs.replace(each, says=HIDDEN, message=None)
        if each.do == "answer" and each.says not in own
        else each
        for each in steps
        if each.do not in _OWN_STEPS or viewer.name in each.by.split()
    )


def _differs(table: Table) -> bool:
    """Whether what is to be done next is not the same for everybody who looks."""
    window = table.running.window if table.running is not None else None
    return bool(table.questions or table.disputes) or window is not None


def _face(card: Card | None) -> str | None:
    return None if card is None else str(card)


def _own_patron(public: SeenPatron, table: Table, viewer: Viewer) -> SeenPatron:
    """A patron with their purse, where that is for the viewer."""
    if not viewer.staff and viewer.name != public.name:
        return public
    who = table.patrons[public.name]
    return msgspec.structs.replace(public, balance=who.balance, owed=who.owed)


def _own_round(public: SeenRound | None, round: Round | None, viewer: Viewer) -> SeenRound | None:
    """The round with the viewer's own lines and cover, or everybody's for the staff."""
    if public is None or round is None:
        return None
    lines = {name: each for name, each in round.lines.items() if viewer.staff or name == viewer.name}
    offer = public.offer
    if offer is not None and round.window is not None:
        own = {spot: most for spot, most in round.window.most.items() if viewer.staff or spot[0] == viewer.name}
        most = {f"{patron}/{box}": amount for (patron, box, _), amount in own.items()}
        offer = msgspec.structs.replace(offer, most=most)
    return msgspec.structs.replace(public, lines=lines, offer=offer)


def _public_round(round: Round, chips: Chips) -> SeenRound:
    window = round.window
    offer = None
    if window is not None:
        step = chips.step(window.row)
        offer = SeenOffer(window.stage, window.hand, window.row.odds.text, {}, window.late, step)
    return SeenRound(
        round.number,
        round.phase,
        round.free,
        _hand(round, "player"),
        _hand(round, "banker"),
        due(round) if round.phase == "closed" else None,
        tuple(SeenWager(*spot, placed.stake, placed.advised) for spot, placed in round.wagers.items()),
        offer,
        {},
        round.result,
        round.late or (),
    )


def _hand(round: Round, name: str) -> SeenHand:
    cards = round.hand(name)
    return SeenHand(tuple(_face(each.face) for each in cards), points(cards), round.squeezers.get(name))
