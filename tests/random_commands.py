"""Commands made at random for a table as it stands: what play needs next, an answer, a report, or anything at all."""

import random
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any, TypeVar

from punto.coup import RANKS, SUITS
from punto.rulebook import SHIPPED, Book, Refused, ids, load, menu
from punto.rulebook.facts import FACTS
from punto.rulebook.vocabulary import VERBS
from punto.settlement import Limits, enforced
from punto.shoe import commit_word
from punto.table import (
    AUTOMATION,
    Question,
    Round,
    Table,
    act,
    fold,
)
from punto.table import commands as c
from punto.table import events as e
from punto.table.felt import due, unexposed, whole

AT = "2025-06-01T20:00:00+08:00"
PATRONS = ("ann", "bob", "cat", "dan")
STAFF = ("sam", "tess")
NOBODY = ("", "house", "nobody", "player", "patrons")
WORDS = ("", "nothing", "player", "banker", "tie", "aside", "squeeze", "expose", "points", "result", "A", "C")
DECK = tuple(rank + suit for rank in RANKS for suit in SUITS)
HANDS = ("player", "banker")

T = TypeVar("T")


class Chance(random.Random):
    """Luck that a number fixes."""

    def often(self, share: float) -> bool:
        return self.random() < share

    def one(self, of: Sequence[T]) -> T:
        return of[self.randrange(len(of))]

    def some(self, of: Sequence[T]) -> tuple[T, ...]:
        return tuple(each for each in of if self.often(0.5))


# What a command may hold


def ranks(book: Book) -> list[str]:
    return [rank for tier in book.ranks for rank in tier]


def anybody(luck: Chance, table: Table) -> str:
    return luck.one((*ranks(table.book), *PATRONS, *STAFF, *NOBODY))


def a_patron(luck: Chance, table: Table) -> str:
    if table.patrons and luck.often(0.9):
        return luck.one(list(table.patrons))
    return luck.one((*PATRONS, *NOBODY)) if luck.often(0.5) else luck.one(PATRONS)


def by_patron_or_staff(luck: Chance, table: Table, patron: str) -> str:
    return luck.one((patron, patron, "dealer", anybody(luck, table)))


def by_rank(luck: Chance, table: Table, rank: str | None = None) -> str:
    """Somebody who may well decide it."""
    if luck.often(0.75):
        return rank or ranks(table.book)[-1]
    return anybody(luck, table)


def a_box(luck: Chance, table: Table) -> int | None:
    most = table.setup.positions
    return luck.one((None, None, None, luck.randint(1, most), luck.randint(1, min(most, 3)), 0, most + 1))


def a_bet(luck: Chance, table: Table) -> str:
    if luck.often(0.6):
        return luck.one(HANDS)
    return luck.one(WORDS) if luck.often(0.1) else luck.one(list(menu(table.book, table.setup.layout).bets))


def an_amount(luck: Chance, table: Table) -> int:
    limits = table.setup.limits
    if luck.often(0.1):
        return luck.one((0, -1, -1000, 1, 7, 999, 10**9, 1005))
    least = limits.minimum or 1000
    posted = [each for each in (limits.maximum, limits.differential) if each]
    return luck.one((least, least, 2 * least, 5 * least, 500, 100 * luck.randint(1, 300), *posted))


def a_face(luck: Chance) -> str:
    if luck.often(0.02):
        return luck.one(("", "1h", "Zs", "joker"))
    return luck.one("A2345") + luck.one(SUITS) if luck.often(0.3) else luck.one(DECK)


def a_hand(luck: Chance) -> str:
    return luck.one(HANDS) if luck.often(0.95) else luck.one(WORDS)


def some_limits(luck: Chance) -> Limits:
    wide = Limits(1000, 200000, 200000)
    tight = Limits(1000, 20000, 1000)
    uneven = Limits(1000, 30000, 2500, unit=500, rounding="up")
    single = Limits(2000, 50000, 10000, minimums={"tie": 500}, maximums={"tie": 5000, "player": 40000})
    no_differential = Limits(1000, 50000)
    chips = Limits(2000, 50500, 10500, unit=100)  # at 0.95 to 1 stakes go by 20.00, at 1 to 2 by 2.00
    return luck.one((wide, wide, tight, tight, uneven, single, no_differential, chips, Limits()))


def open_it(luck: Chance, of: Book) -> c.OpenTable:
    layout = luck.one((None, luck.one(list(of.layouts))))
    return c.OpenTable(
        of.id,
        AT if luck.often(0.95) else luck.one(("2019-01-01T00:00:00+08:00", "2025-06-01", "yesterday")),
        luck.one((4, 4, 6, 8, 8, 8, 10, 0)),
        layout=layout,
        positions=luck.one((None, None, 1, 3, 5, 9)),
        limits=some_limits(luck),
        currency=luck.one(("SGD", "dollars")) if luck.often(0.1) else "USD",
        shoe=luck.one(("hand", "read", "virtual")) if luck.often(0.98) else "sleeve",
        face_down=luck.often(0.6),
        method=luck.one((None, "A", "B", "C")) if luck.often(0.7) else None,
        by=luck.one(("pit-manager", of.ranks[-1][-1], of.ranks[-1][-1], of.ranks[-1][0], "dealer")),
        private=luck.often(0.4),
        high_limit=luck.often(0.5),
        house_ranks=dict(luck.some([(at, luck.one(ranks(of))) for at in of.house_ranks])) if luck.often(0.2) else {},
        auto=luck.some(AUTOMATION) if luck.often(0.6) else (),
        counter_clockwise=luck.often(0.7),
        acknowledged=luck.often(0.9),
    )


def opening(luck: Chance, book: Book) -> tuple[e.Event, ...]:
    """The first events of a table: opened somehow, perhaps with a shoe that is nearly out, perhaps in full play."""
    library = SHIPPED.with_book(book)
    for _ in range(20):
        try:
            _, events = act(None, open_it(luck, book), library)
        except Refused:
            continue
        break
    else:
        limits = enforced(book, Limits(1000, 100000, 100000))
        _, events = act(None, c.OpenTable(book.id, AT, 8, limits=limits, acknowledged=True), library)
    if luck.often(0.3):
        events = (*events, e.ShoeLoaded(1, luck.randint(1, 16)))
    table = fold(events, library=library)
    for _ in range(luck.one((0, 0, 10, 20, 30, 40))):
        try:
            table, more = act(table, play_on(luck, table))
        except Refused:
            continue
        events = (*events, *more)
    return events


# One maker for each kind of command


def _squeeze(kind: Any) -> Callable[[Chance, Table], c.Command]:
    def make(luck: Chance, table: Table) -> c.Command:
        patron = a_patron(luck, table)
        squeezers = table.running.squeezers if table.running else {}
        hand = a_hand(luck)
        if kind is c.DeclineSqueeze and squeezers and luck.often(0.8):
            hand, patron = luck.one(list(squeezers.items()))
        made: c.Command = kind(patron, hand, by=by_patron_or_staff(luck, table, patron))
        return made if kind is not c.GrantSqueeze else c.GrantSqueeze(patron, hand, by=by_rank(luck, table))

    return make


def _patron(kind: Any, *, rank: bool = False) -> Callable[[Chance, Table], c.Command]:
    def make(luck: Chance, table: Table) -> c.Command:
        patron = a_patron(luck, table)
        by = by_rank(luck, table) if rank else by_patron_or_staff(luck, table, patron)
        made: c.Command = kind(patron, by=by)
        return made

    return make


def _staff(kind: Any) -> Callable[[Chance, Table], c.Command]:
    def make(luck: Chance, table: Table) -> c.Command:
        made: c.Command = kind(by=by_rank(luck, table, "dealer"))
        return made

    return make


def _dispute(kind: Any, *more: Callable[[Chance, Table], Any]) -> Callable[[Chance, Table], c.Command]:
    def make(luck: Chance, table: Table) -> c.Command:
        count = len(table.disputes)
        number = luck.randrange(count) if count and luck.often(0.95) else luck.randint(-1, 3)
        by = by_rank(luck, table)
        if kind is c.FileComplaint and 0 <= number < count:
            by = luck.one((table.disputes[number].patron, by))
        made: c.Command = kind(number, *(each(luck, table) for each in more), by=by)
        return made

    return make


def _change_book(luck: Chance, table: Table) -> c.Command:
    to = open_it(luck, load(luck.one(ids())) if luck.often(0.5) else table.book)
    values = {name: getattr(to, name) for name in to.__struct_fields__}
    return c.ChangeBook(**values)


def _newcomer(luck: Chance, table: Table) -> str:
    return luck.one(PATRONS) if luck.often(0.95) else anybody(luck, table)


def _sit(luck: Chance, table: Table) -> c.Command:
    who = _newcomer(luck, table)
    box = luck.randint(1, table.setup.positions) if luck.often(0.95) else luck.randint(-1, 20)
    return c.Sit(who, box, luck.often(0.7), by=by_patron_or_staff(luck, table, who))


def _stand(luck: Chance, table: Table) -> c.Command:
    who = _newcomer(luck, table)
    return c.Stand(who, luck.often(0.7), by=by_patron_or_staff(luck, table, who))


def _buy_in(luck: Chance, table: Table) -> c.Command:
    who = a_patron(luck, table)
    amount = an_amount(luck, table) if luck.often(0.3) else luck.one((10000, 50000, 400000))
    return c.BuyIn(who, amount, by=by_patron_or_staff(luck, table, who))


def _cash_out(luck: Chance, table: Table) -> c.Command:
    who = a_patron(luck, table)
    return c.CashOut(who, luck.one((None, an_amount(luck, table))), by=by_patron_or_staff(luck, table, who))


def _pay_owed(luck: Chance, table: Table) -> c.Command:
    who = a_patron(luck, table)
    owed = table.patrons[who].owed if who in table.patrons else 0
    return c.PayOwed(who, owed if luck.often(0.7) else an_amount(luck, table), by=by_patron_or_staff(luck, table, who))


def _take_shoe(luck: Chance, table: Table) -> c.Command:
    patron = a_patron(luck, table)
    if table.running and table.running.wagers and luck.often(0.7):
        patron = luck.one(list(table.running.wagers))[0]
    return c.TakeShoe(patron, by=by_patron_or_staff(luck, table, patron))


def _give_back(luck: Chance, table: Table) -> c.Command:
    controller = table.shoe.controller if table.shoe else None
    return c.GiveBackShoe(by=luck.one((controller or "dealer", "dealer", anybody(luck, table))))


def _place(luck: Chance, table: Table) -> c.Command:
    patron = a_patron(luck, table)
    medium = "chips" if luck.often(0.97) else "cash"
    box = a_box(luck, table)
    return c.Place(
        patron, a_bet(luck, table), an_amount(luck, table), box, medium, by=by_patron_or_staff(luck, table, patron)
    )


def _wager(luck: Chance, table: Table) -> tuple[str, str, int | None]:
    """A wager that lies there, or one that does not."""
    if table.round and table.round.wagers and luck.often(0.9):
        patron, box, bet = luck.one(list(table.round.wagers))
        return patron, bet, box
    return a_patron(luck, table), a_bet(luck, table), a_box(luck, table)


def _less(kind: Any) -> Callable[[Chance, Table], c.Command]:
    def make(luck: Chance, table: Table) -> c.Command:
        patron, bet, box = _wager(luck, table)
        by = by_rank(luck, table) if kind is c.Remove else by_patron_or_staff(luck, table, patron)
        made: c.Command = kind(patron, bet, an_amount(luck, table), box, by=by)
        return made

    return make


def _off(kind: Any) -> Callable[[Chance, Table], c.Command]:
    def make(luck: Chance, table: Table) -> c.Command:
        patron, bet, box = _wager(luck, table)
        by = "dealer" if kind is c.Pull and luck.often(0.9) else by_patron_or_staff(luck, table, patron)
        made: c.Command = kind(patron, bet, box, by=by)
        return made

    return make


def _find(luck: Chance, table: Table) -> c.Command:
    patron, box = a_patron(luck, table), a_box(luck, table)
    by, reason = luck.one((("dealer", ""), ("pit-supervisor", "It was seen so.")))
    return c.Find(patron, a_bet(luck, table), an_amount(luck, table), box, reason, by=by_rank(luck, table, by))


def _object(luck: Chance, table: Table) -> c.Command:
    patron = a_patron(luck, table)
    return c.Object(patron, a_box(luck, table) or 0, by=by_patron_or_staff(luck, table, patron))


def _draw(luck: Chance, table: Table) -> c.Command:
    controller = table.shoe.controller if table.shoe else None
    to = luck.one((None, None, "player", "banker")) if luck.often(0.95) else luck.one(WORDS)
    return c.Draw(to, by=controller if controller and luck.often(0.9) else by_rank(luck, table, "dealer"))


def _expose(luck: Chance, table: Table) -> c.Command:
    down = unexposed(table.round) if table.round else ()
    squeezers = list(table.running.squeezers.values()) if table.running else []
    by = luck.one(squeezers) if squeezers and luck.often(0.3) else by_rank(luck, table, "dealer")
    if luck.often(0.2):
        at = luck.one(down) if down and luck.often(0.8) else luck.randint(-1, 7)
        return c.Expose((a_face(luck),), at, by=by)
    count = luck.randint(0, len(down) + 1) if luck.often(0.3) else len(down)
    return c.Expose(tuple(a_face(luck) for _ in range(count)), by=by)


def _announce(luck: Chance, table: Table) -> c.Command:
    what = luck.one(("points", "result")) if luck.often(0.95) else luck.one(WORDS)
    winner = luck.one((None, "player", "banker", "tie")) if luck.often(0.95) else luck.one(WORDS)
    return c.Announce(what, winner, by=by_rank(luck, table, "dealer"))


def _banker_first(luck: Chance, table: Table) -> c.Command:
    patron = a_patron(luck, table)
    how = luck.one(("squeeze", "expose")) if luck.often(0.9) else luck.one(WORDS)
    return c.BankerThirdFirst(patron, how, by=by_patron_or_staff(luck, table, patron))


def _insure(luck: Chance, table: Table) -> c.Command:
    window = table.round.window if table.round else None
    if window is not None and window.most and luck.often(0.85):
        (patron, box, _), most = luck.one(list(window.most.items()))
        good = most // 1500 * 1500
        stake = luck.one((most, most // 60 * 60, good, good, good, most + 1, most // 3000 * 1500))
        return c.Insure(patron, window.hand, stake, luck.one((box, None)), by=by_patron_or_staff(luck, table, patron))
    patron = a_patron(luck, table)
    return c.Insure(patron, a_hand(luck), an_amount(luck, table), a_box(luck, table), by=patron)


ENDS_A_ROUND = ("foreign-card", "deck-count", "unshuffled", "too-few-cards", "interruption")


def _report(luck: Chance, table: Table) -> c.Command:
    fact = luck.one(list(FACTS))
    if fact in ENDS_A_ROUND and luck.often(0.7):
        fact = luck.one(list(FACTS))
    return a_report(luck, table, fact if luck.often(0.99) else luck.one(WORDS))


def a_report(luck: Chance, table: Table, fact: str) -> c.Report:
    dealt = len(table.round.cards) if table.round else 0
    needs = fact in ("wrong-area", "simultaneous-draw", "cards-carried-off", "wrong-call")
    cards: tuple[int, ...] = ()
    if dealt and luck.often(0.9 if needs else 0.2):
        cards = tuple(luck.sample(range(dealt), luck.randint(1, dealt)))
        down = list(unexposed(table.round)) if table.round else []
        if fact == "cards-carried-off" and down and luck.often(0.9):
            cards = tuple(luck.sample(down, luck.randint(1, min(2, len(down)))))
        if fact == "simultaneous-draw" and dealt > 1 and luck.often(0.9):
            cards = luck.one((tuple(range(dealt))[-2:], tuple(range(dealt))[:2], tuple(range(dealt))))
    elif luck.often(0.03):
        cards = luck.one(((-1,), (9,), (0, 0)))
    faces: tuple[str, ...] = ()
    if luck.often(0.4):
        faces = tuple(a_face(luck) for _ in range(len(cards) or 1))
    by = luck.one(list(table.patrons)) if table.patrons and luck.often(0.2) else by_rank(luck, table, "dealer")
    return c.Report(
        fact,
        cards=cards,
        faces=faces,
        hand=a_hand(luck) if luck.often(0.6) else None,
        order=luck.one(("known", "unknown", "unknown")) if luck.often(0.6) else luck.one((None, "perhaps")),
        reconstructible=luck.one((None, True, False)),
        exposed=luck.one((None, None, True, False)),
        seen=luck.one((None, True, False)),
        earlier=luck.often(0.1),
        cause=luck.one((None, "power", "other")) if luck.often(0.97) else "rain",
        patron=a_patron(luck, table) if luck.often(0.3) else None,
        note=luck.one(("", "Something fell on the felt.")) if fact != "other" else "Something fell on the felt.",
        by=by,
    )


def a_count(luck: Chance, table: Table) -> tuple[dict[str, int], tuple[str, ...]]:
    """What is left of the decks, and what was read under seal, as honest people would enter it."""
    gone = table.procedures[-1].cards if table.procedures else ()
    round = table.round or Round(1)
    left: Counter[str] = Counter(dict.fromkeys(DECK, table.setup.decks))
    left.subtract(str(each.face) for each in round.cards if each.face is not None)
    down = [at for at in unexposed(round) if at not in gone]
    sealed = tuple(luck.one(DECK) for _ in range(len(round.reserve) + len(down)))
    left.subtract(sealed)
    left.subtract(luck.one(DECK) for _ in gone)
    return {face: max(number, 0) for face, number in left.items()}, sealed


def a_ruling(luck: Chance, table: Table) -> tuple[dict[str, str | int | bool], ...]:
    steps: list[dict[str, str | int | bool]] = []
    for _ in range(luck.randint(1, 3)):
        verb = luck.one(list(VERBS))
        objects = list(table.book.offers) if verb == "offer" else list(VERBS[verb])
        steps.append({verb: luck.one(objects) if objects and luck.often(0.8) else True})
    return tuple(steps)


def answers(luck: Chance, table: Table, question: Question) -> Iterator[c.Answer]:
    """Each choice of a question, by whom it was put to, with what it asks for."""
    for choice in question.choices:
        count, sealed = a_count(luck, table) if question.form == "count" else ({}, ())
        order: tuple[int, ...] = ()
        if question.form == "order" and table.procedures:
            order = tuple(luck.sample(table.procedures[-1].cards, len(table.procedures[-1].cards)))
        remedies: tuple[dict[str, str | int | bool], ...] = ()
        if choice == "rule":
            remedies = a_ruling(luck, table) if luck.often(0.7) else ({"continue": True},)
        patron = luck.one(question.waiting) if question.to == "patrons" else None
        by = question.to if patron is None else luck.one((patron, "dealer")) if patron in table.patrons else "dealer"
        yield c.Answer(
            question.id,
            choice,
            reason="It was seen so.",
            patron=patron,
            order=order,
            count=count,
            sealed=sealed,
            patrons=luck.some(question.about) if question.form == "patrons" else (),
            remedies=remedies,
            by=by,
        )


def an_answer(luck: Chance, table: Table) -> c.Command:
    if not table.questions or luck.often(0.03):
        return c.Answer(luck.randint(-1, 9), luck.one(WORDS), by=anybody(luck, table))
    question = luck.one(table.questions)
    given = luck.one(list(answers(luck, table, question)))
    if luck.often(0.85):
        return given
    wrong = luck.randrange(7)
    return c.Answer(
        given.question,
        luck.one(WORDS) if wrong == 0 else given.choice,
        reason="" if wrong == 1 else given.reason,
        patron=luck.one(PATRONS) if wrong == 2 else given.patron,
        order=(0, 0) if wrong == 3 else given.order,
        count={"joker": 3} if wrong == 4 else given.count,
        sealed=(*given.sealed, "Ah") if wrong == 5 else given.sealed,
        patrons=luck.some(PATRONS) if wrong == 2 else given.patrons,
        wagers=luck.some(("player", "banker", "tie")) if wrong == 3 else (),
        remedies=a_ruling(luck, table) if wrong == 4 else given.remedies,
        by=anybody(luck, table) if wrong == 6 else given.by,
    )


def _rule(luck: Chance, table: Table) -> c.Command:
    policy = luck.one((*table.book.policies, WORDS[0])) if luck.often(0.95) else luck.one(WORDS)
    known = table.book.policies.get(policy)
    value = luck.one(known.choices) if known and luck.often(0.95) else luck.one(WORDS)
    point = table.book.point("authority", "residual")
    by = by_rank(luck, table, point.by if point else None)
    return c.Rule(policy, value, "So it is." if luck.often(0.9) else "", by=by)


def _resolve(luck: Chance, table: Table) -> c.Command:
    references = table.book.point("disputes", "references")
    known = references.value if references and isinstance(references.value, tuple) else ()
    said = luck.some(known) if luck.often(0.8) else luck.some(WORDS)
    count = len(table.disputes)
    number = luck.randrange(count) if count else 0
    by = by_rank(luck, table)
    return c.Resolve(number, said, "We looked." if luck.often(0.9) else "", luck.often(0.4), by=by)


def _method(luck: Chance, table: Table) -> c.Command:
    method = luck.one("ABC") if luck.often(0.9) else luck.one(WORDS)
    point = table.book.point("dealing", "method-c" if method == "C" else "method-choice")
    return c.SetMethod(method, by=by_rank(luck, table, point.by if point else None))


def _assign(luck: Chance, table: Table) -> c.Command:
    post = luck.one(ranks(table.book)) if luck.often(0.9) else luck.one(WORDS)
    person = luck.one(STAFF) if luck.often(0.9) else anybody(luck, table)
    return c.Assign(person, post, luck.often(0.5), by=by_rank(luck, table, post))


PROMISED, WORD = "c" * 64, b"a word of thirty-two bytes at all"[:32]
"""What the house commits to at a virtual shoe, and what every patron says."""


def _commit_word(luck: Chance, table: Table) -> c.Command:
    patron = a_patron(luck, table)
    digest = commit_word(WORD, PROMISED, patron) if luck.often(0.8) else luck.one(WORDS)
    return c.CommitWord(patron, digest, by=patron if luck.often(0.9) else anybody(luck, table))


def _reveal_word(luck: Chance, table: Table) -> c.Command:
    patron = a_patron(luck, table)
    word = WORD.hex() if luck.often(0.8) else luck.one(WORDS)
    return c.RevealWord(patron, word, by=patron if luck.often(0.9) else anybody(luck, table))


MAKERS: dict[Any, Callable[[Chance, Table], c.Command]] = {
    c.OpenTable: lambda luck, table: open_it(luck, table.book),
    c.ChangeBook: _change_book,
    c.PostLimits: lambda luck, table: c.PostLimits(some_limits(luck), by=by_rank(luck, table, "dealer")),
    c.CloseTable: _staff(c.CloseTable),
    c.Assign: _assign,
    c.Relieve: lambda luck, table: c.Relieve(luck.one((*STAFF, "nobody")), by=by_rank(luck, table, "dealer")),
    c.Sit: _sit,
    c.Stand: _stand,
    c.Leave: _patron(c.Leave),
    c.BuyIn: _buy_in,
    c.CashOut: _cash_out,
    c.PayOwed: _pay_owed,
    c.LoadShoe: _staff(c.LoadShoe),
    c.InviteWords: lambda luck, table: c.InviteWords(PROMISED, by=by_rank(luck, table, "dealer")),
    c.CommitWord: _commit_word,
    c.CallWords: _staff(c.CallWords),
    c.RevealWord: _reveal_word,
    c.Burn: lambda luck, table: c.Burn(luck.one((1, 1, 11, 5, 0, 12, -1)), by=by_rank(luck, table, "dealer")),
    c.LastHand: _staff(c.LastHand),
    c.EndShoe: _staff(c.EndShoe),
    c.SetMethod: _method,
    c.TakeShoe: _take_shoe,
    c.GiveBackShoe: _give_back,
    c.LetDraw: _patron(c.LetDraw, rank=True),
    c.OpenBets: _staff(c.OpenBets),
    c.Place: _place,
    c.Lower: _less(c.Lower),
    c.Withdraw: _off(c.Withdraw),
    c.Find: _find,
    c.Pull: _off(c.Pull),
    c.Object: _object,
    c.Remove: _less(c.Remove),
    c.CapArea: lambda luck, table: c.CapArea(luck.randint(0, 4), by=by_rank(luck, table)),
    c.CloseBets: _staff(c.CloseBets),
    c.ClearStrike: _patron(c.ClearStrike, rank=True),
    c.Draw: _draw,
    c.Expose: _expose,
    c.Announce: _announce,
    c.OpenFirst: lambda luck, table: c.OpenFirst(a_hand(luck), by=by_rank(luck, table, "dealer")),
    c.AskSqueeze: _squeeze(c.AskSqueeze),
    c.DeclineSqueeze: _squeeze(c.DeclineSqueeze),
    c.GrantSqueeze: _squeeze(c.GrantSqueeze),
    c.BarSqueeze: _patron(c.BarSqueeze, rank=True),
    c.BankerThirdFirst: _banker_first,
    c.OfferInsurance: _staff(c.OfferInsurance),
    c.Insure: _insure,
    c.DeclareIntent: _patron(c.DeclareIntent),
    c.NoInsurance: _patron(c.NoInsurance),
    c.Report: _report,
    c.Answer: an_answer,
    c.Rule: _rule,
    c.Complain: lambda luck, table: c.Complain(
        a_patron(luck, table), luck.one(("misplaced", "limits", "display", "weather")), by="dealer"
    ),
    c.Settle: _staff(c.Settle),
    c.RaiseDispute: lambda luck, table: c.RaiseDispute(
        a_patron(luck, table), luck.one(("That was mine.", "That was mine.", "")), by="dealer"
    ),
    c.Escalate: _dispute(c.Escalate),
    c.Gather: _dispute(c.Gather, lambda luck, _: luck.one(("information", "surveillance", "gossip"))),
    c.GiveTimeFrame: _dispute(c.GiveTimeFrame, lambda *_: "in a week"),
    c.Resolve: _resolve,
    c.TellOfComplaint: _dispute(c.TellOfComplaint),
    c.FileComplaint: _dispute(c.FileComplaint),
    c.Assist: _dispute(c.Assist),
}
KINDS = list(MAKERS)
RARE = (c.OpenTable, c.ChangeBook, c.CloseTable, c.CashOut, c.Leave, c.EndShoe, c.NoInsurance)


def anything(luck: Chance, table: Table) -> c.Command:
    kind = luck.one(KINDS)
    if kind in RARE and luck.often(0.7):
        kind = luck.one(KINDS)
    return MAKERS[kind](luck, table)


def something_goes_wrong(luck: Chance, table: Table) -> c.Command:
    return _report(luck, table)


def an_opportunity(luck: Chance, table: Table) -> c.Command:
    """Something that the table as it stands has room for."""
    return luck.one(luck.one([each for each in opportunities(luck, table) if each]))


def opportunities(luck: Chance, table: Table) -> Iterator[list[c.Command]]:
    top, round = ranks(table.book)[-1], table.round
    yield [_good_wager(luck, table), _good_wager(luck, table), _rule(luck, table)]
    yield [c.ClearStrike(name, by=top) for name in sorted(table.strikes)]
    yield [c.PayOwed(name, each.owed) for name, each in table.patrons.items() if each.owed]
    for number, dispute in enumerate(table.disputes[-2:], max(0, len(table.disputes) - 2)):
        references = table.book.point("disputes", "references")
        known = references.value if references and isinstance(references.value, tuple) else ()
        agreed = c.Resolve(number, known[:2], "So it was.", luck.often(0.3), by=top)
        if dispute.state == "open" and len(dispute.done) < 2:
            yield [c.Gather(number, "information", by=top)]
            yield [c.Gather(number, "surveillance", by=top), c.Escalate(number, by=top)]
        elif dispute.state == "open":
            yield [agreed]
        elif dispute.state == "complaint-available":
            yield [c.TellOfComplaint(number), c.FileComplaint(number, by=dispute.patron), c.Assist(number)]
            yield [c.FileComplaint(number, by=dispute.patron)]
    if round is None or not table.patrons:
        return
    if round.phase == "settled":
        faces = tuple(luck.one(DECK) for _ in round.cards)
        yield [c.CashOut(name) for name, each in table.patrons.items() if each.balance]
        yield [c.Report("wrong-call", tuple(range(len(faces))), faces), c.Report("foreign-card")]
        yield [c.Report("insurance-neglected"), c.Leave(luck.one(list(table.patrons)))]
        yield [c.NoInsurance(luck.one(list(table.patrons)))] if table.setup.private else []
    elif round.phase == "closed":
        yield from _after_the_call(luck, table, round)


def _after_the_call(luck: Chance, table: Table, round: Round) -> Iterator[list[c.Command]]:
    top = ranks(table.book)[-1]
    backers = [name for name, _, bet in round.wagers if bet in HANDS and name in table.patrons]
    yield [c.Pull(name, bet, box) for name, box, bet in round.wagers]
    seen = {"reason": "It was seen so.", "by": "pit-supervisor"}
    owners = [name for name, each in table.patrons.items() if each.balance]
    yield [c.Find(name, bet, 500, 1, **seen) for name in owners for bet in HANDS]
    yield [c.Report("burn-missed", seen=False), c.Report("device-reset")] if len(round.cards) < 2 else []
    yield [c.GiveBackShoe()] if table.shoe and table.shoe.controller else []
    yield [c.TakeShoe(name, by=name) for name in backers] if table.method == "C" else []
    if table.setup.face_down:
        yield [c.AskSqueeze(name, hand, by=name) for name in backers for hand in HANDS]
        yield [c.DeclineSqueeze(name, hand, by=name) for hand, name in round.squeezers.items()]
    if not round.cards:
        yield [c.Remove(name, bet, each.stake, box, by=top) for (name, box, bet), each in round.wagers.items()]
        yield [c.Place(name, hand, 1000, by=name) for name in backers for hand in HANDS]
    if round.window is not None:
        yield [c.DeclareIntent(spot[0], by=spot[0]) for spot in round.window.most if spot[0] in table.patrons]
        yield [_insure(luck, table) for _ in range(3)]
        yield [c.Report("wrong-lammer"), c.Report("simultaneous-draw", (2, 3)), c.Report("wrong-area", (1, 2))]
    if table.book.insurance is not None and len(round.cards) >= 4:
        yield [c.OfferInsurance(), c.Report("insurance-neglected")]
        how = luck.one(("squeeze", "expose"))
        yield [c.BankerThirdFirst(name, how, by=name) for name in backers]


# How a round is played


def play_on(luck: Chance, table: Table) -> c.Command:
    """What play needs next."""
    blocking = [each for each in table.questions if each.blocks]
    if blocking:
        given = list(answers(luck, table, blocking[-1]))
        return luck.one([each for each in given if each.choice != "void"] if luck.often(0.7) else given)
    running = table.running
    if running is None:
        return _between(luck, table)
    if running.phase == "betting":
        if not running.wagers or luck.often(0.6):
            return _good_wager(luck, table)
        return c.CloseBets()
    if luck.often(0.6) and table.book.insurance is not None and len(running.cards) >= 4 and table.patrons:
        return luck.one(list(_of_insurance(luck, table, running)))
    return onward(luck, table)


def _of_insurance(luck: Chance, table: Table, round: Round) -> Iterator[c.Command]:
    """What the dealer offers, and what patrons make of it."""
    if round.window is None:
        yield c.OfferInsurance()
        if table.setup.face_down:
            yield from (c.BankerThirdFirst(name, luck.one(("squeeze", "expose")), by=name) for name in table.patrons)
        return
    yield _insure(luck, table)
    yield _insure(luck, table)
    yield from (c.DeclareIntent(spot[0], by=spot[0]) for spot in round.window.most if spot[0] in table.patrons)


def _between(luck: Chance, table: Table) -> c.Command:
    rich = [name for name, each in table.patrons.items() if each.balance >= 10000]
    if len(table.patrons) < 2 or luck.often(0.05):
        name = luck.one(PATRONS)
        taken = {each.box for each in table.patrons.values()}
        free = [box for box in range(1, table.setup.positions + 1) if box not in taken]
        return c.Sit(name, luck.one(free), True, by=name) if free else c.Stand(name, True, by=name)
    if len(rich) < 2:
        return c.BuyIn(luck.one(list(table.patrons)), luck.one((50000, 400000)))
    return to_open(luck, table)


def to_open(luck: Chance, table: Table) -> c.Command:
    shoe, number = table.shoe, table.round.number if table.round else 0
    if shoe is None and table.words is not None and table.words.missing:
        return c.InviteWords(PROMISED) if table.words.called else c.CallWords()
    if shoe is None:
        return c.LoadShoe(PROMISED if table.setup.shoe == "virtual" else "")
    if shoe.replace is not None or (shoe.last_round is not None and number >= shoe.last_round):
        return c.EndShoe()
    if table.book.point("dealing", "methods") is not None and table.method is None:
        method = luck.one("AABC")
        point = table.book.point("dealing", "method-c" if method == "C" else "method-choice")
        return c.SetMethod(method, by=(point.by if point else None) or "dealer")
    if table.setup.shoe == "virtual" and table.book.point("dealing", "burn") and not (shoe.burned or shoe.rounds):
        return c.Burn()
    return c.OpenBets()


def _good_wager(luck: Chance, table: Table) -> c.Command:
    if not table.patrons:
        return _between(luck, table)
    name = luck.one(list(table.patrons))
    limits = table.setup.limits
    stake = luck.one((limits.minimum or 1000, 2000, 4000, 10000))
    bet = luck.one(HANDS) if luck.often(0.7) else luck.one(list(menu(table.book, table.setup.layout).bets))
    box = table.patrons[name].box or luck.randint(1, table.setup.positions)
    return c.Place(name, bet, stake, box, by=name)


def onward(luck: Chance, table: Table) -> c.Command:
    """The next thing to do with bets closed, until the round is paid."""
    round = table.running
    assert round is not None
    if not round.cards:
        for question in table.questions:
            if question.topic == "differential":
                return next(answers(luck, table, question))
    down = unexposed(round)
    at, controller = due(round), table.shoe.controller if table.shoe else None
    if down and (at is None or luck.often(0.3)):
        deck = luck.one((DECK, DECK[:16], DECK[20:36]))
        return c.Expose(tuple(luck.one(deck) for _ in down), by="dealer")
    if at is not None:
        return c.Draw(by=controller or "dealer")
    if whole(round) and "result" not in round.announced:
        return c.Announce("result")
    return c.Settle()


MOVES: tuple[Callable[[Chance, Table], c.Command], ...] = (
    play_on,
    play_on,
    play_on,
    play_on,
    anything,
    anything,
    something_goes_wrong,
    an_opportunity,
    an_opportunity,
    an_answer,
)
