"""A layout's bets, priced: what each bet does with each of the 2,000 outcomes, or with the cards of a coup."""

from functools import lru_cache
from math import lcm

import msgspec

from punto.coup import OUTCOMES, Coup, Outcome, outcome
from punto.messages import Message, Sentence, say
from punto.rulebook.card_model import PrintedCard
from punto.rulebook.clauses import printed
from punto.rulebook.model import Basis, Bet, Book, Layout, Row, WagerResult
from punto.rulebook.prices import Commission, Odds
from punto.rulebook.refusal import Refused
from punto.rulebook.words import pattern_in_words, pays_in_words
from punto.tabular import Rows, Tabular

_PAIRS = {
    "none": say("neither-hand-pairs", "Neither hand has a pair"),
    "player": say("player-hand-pairs", "The Player hand has a pair, the Banker hand none"),
    "banker": say("banker-hand-pairs", "The Banker hand has a pair, the Player hand none"),
    "both": say("both-hands-pair", "Both hands have pairs, of different ranks"),
    "twin": say("same-pair", "Both hands have the same pair"),
}


class Verdict(msgspec.Struct, frozen=True):
    """What an outcome does to a bet, why, and the fact behind it in a few words."""

    result: WagerResult
    odds: Odds | None
    basis: Basis
    fact: str
    message: Message
    """The fact as a message. Both are plain values: every wager of every round is put into words with them."""
    commission: Commission | None = None


class Priced:
    """A bet with the pay rows that one layout carries for it."""

    def __init__(
        self,
        bet: Bet,
        rows: tuple[Row, ...],
        disputed: tuple[str, ...] = (),
        printed: PrintedCard | None = None,
    ) -> None:
        self.bet, self.rows = bet, rows
        self.printed = printed
        """The card on the layout that counts in every coup of the book, if there is one."""
        self.multiple = lcm(*(row.multiple for row in rows))
        """Stakes of so many minor units, or a multiple, are paid without a fraction at any of the odds."""
        self._disputed = Basis((), disputed)  # readings on which this layout's print was set aside
        self.by_outcome = all(row.when.by_outcome for row in rows)
        """Whether the outcome of a coup tells what this bet does; otherwise its cards are looked at."""
        self.window = None if bet.placed is None else bet.placed.pattern
        """The coups in which a bet that is placed after the first four cards could be placed."""
        self.patterns = (*(row.when for row in rows), *(() if self.window is None else (self.window,)))
        """All that it looks at: what its rows ask, and what opens its window."""
        self.by_suit = any(each.by_suit for each in self.patterns)
        self.plain = self.by_outcome and self.window is None
        """Whether it is laid in every round, and the outcome tells what it nets."""
        self._told_by_outcome = self.by_outcome and bet.settled is None
        self._verdicts: dict[int, Verdict] = {}
        self._standings: dict[frozenset[int], str] = {}  # by the outcomes that can still come

    def verdict(self, index: int) -> Verdict:
        """What the outcome at a dense index does to this bet, which looks at nothing else. The first row counts."""
        found = self._verdicts.get(index)
        if found is None:
            found = self._verdicts[index] = self._verdict(self.row_at(index), self._fact(outcome(index)))
        return found

    def row_at(self, index: int) -> Row | None:
        """The row that the outcome at a dense index meets, or None where it loses by meeting none."""
        seen = outcome(index)
        return next((row for row in self.rows if row.when.matches(seen)), None)

    def verdict_of(self, coup: Coup) -> Verdict:
        """What a finished coup does to this bet. The first row that it meets counts."""
        if self._told_by_outcome:
            return self._verdicts.get(coup.outcome) or self.verdict(coup.outcome)
        self._check_suits(coup)
        row = self.row_of(coup)
        if self.bet.settled is not None:
            return self._verdict(row, _first_four(coup))
        hands = {"player": list(map(str, coup.player)), "banker": list(map(str, coup.banker))}
        return self._verdict(row, say("cards-of-both", "Player {player:cards}, Banker {banker:cards}", **hands))

    def row_of(self, coup: Coup) -> Row | None:
        """The row that a finished coup meets, or None where it loses by meeting none."""
        seen = outcome(coup.outcome)
        return next((row for row in self.rows if row.when.holds(coup, seen)), None)

    def _check_suits(self, coup: Coup) -> None:
        if self.by_suit and any(card.suit is None for card in coup.cards):
            raise Refused(
                say(
                    "suits-needed",
                    "{bet} looks at suits: every card needs its own, like 6h.",
                    bet=self.bet.name,
                ),
                None,
                self.bet.basis,
            )

    def vector(self) -> tuple[Verdict, ...]:
        """The verdict of every outcome."""
        return tuple(self.verdict(index) for index in range(OUTCOMES))

    def _verdict(self, row: Row | None, fact: Sentence) -> Verdict:
        if row is None:
            return Verdict("lose", None, self.bet.loses.plus(self._disputed), str(fact), fact.message)
        wins = (self.bet.wins,) if self.bet.wins and row.result == "win" else ()
        basis = Basis((*row.basis.clauses, *wins), row.basis.readings).plus(self._disputed)
        return Verdict(row.result, row.odds, basis, str(fact), fact.message, row.commission)

    def _fact(self, seen: Outcome) -> Sentence:
        """The part of the outcome that this bet looks at, for a patron to read."""
        looked_at = {name for row in self.rows for part in row.when.parts for name, _ in part.fields}
        if "pairs" in looked_at:
            return _PAIRS[seen.pairs]
        if seen.winner == "tie":
            fact = say("tie-at", "Tie at {points}", points=seen.points)
        else:
            other = min(seen.player_points, seen.banker_points)
            points = seen.points
            fact = say(
                "hand-wins-to", "{hand:hand} wins {points} to {other}", hand=seen.winner, points=points, other=other
            )
        if "cards" in looked_at:
            fact = say(
                "with-cards-on-table", "{fact} with {cards:count} cards on the table", fact=fact, cards=seen.cards
            )
        for hand, count in (("player", seen.player_cards), ("banker", seen.banker_cards)):
            if {f"{hand}_cards", "winner_cards"} & looked_at and seen.winner == hand:
                fact = say("with-cards", "{fact} with {cards:count} cards", fact=fact, cards=count)
        return fact


def _first_four(coup: Coup) -> Sentence:
    """The first four cards, which alone decide a bet that is settled with them."""
    hands = {"player": list(map(str, coup.player[:2])), "banker": list(map(str, coup.banker[:2]))}
    return say("first-four-cards", "The first cards are Player {player:cards}, Banker {banker:cards}", **hands)


class Menu(Tabular):
    """A layout of a book, and the bets it carries."""

    def __init__(self, book: Book, layout: Layout, bets: dict[str, Priced]) -> None:
        self.book, self.layout, self.bets = book, layout, bets
        self.by_suit = any(priced.by_suit for priced in bets.values())
        """Whether a bet looks at suits."""
        self.depends = any(priced.bet.depends for priced in bets.values())
        """Whether what else lies there decides if some bet may be laid."""
        self.early = frozenset(name for name, priced in bets.items() if priced.bet.settled is not None)
        """The bets that are paid when the first four cards lie open."""
        self.late = frozenset(name for name, priced in bets.items() if priced.bet.placed is not None)
        """The bets that are placed when the first four cards lie open."""

    def to_rows(self) -> Rows:
        """The pay table: a row for every pay row, with its clause and readings."""
        return Rows(
            ("bet", "name", "when", "result", "odds", "pays", "clause", "readings"),
            tuple(
                (
                    name,
                    priced.bet.name,
                    str(pattern_in_words(row.when)),
                    row.result,
                    row.odds.text if row.odds else None,
                    pays_in_words(row),
                    printed(row.basis.clauses[0]),
                    row.basis.readings,
                )
                for name, priced in self.bets.items()
                for row in priced.rows
            ),
            f"{self.book.title}, layout {self.layout.id}",
        )

    @property
    def laid_before(self) -> "Menu":
        """The bets that are laid before the first card."""
        if not self.late:
            return self
        return self.of({name: each for name, each in self.bets.items() if name not in self.late})

    def of(self, bets: "dict[str, Priced]") -> "Menu":
        """The same layout with these bets alone."""
        return Menu(self.book, self.layout, bets)

    def with_rows(self, bet: str, rows: tuple[Row, ...]) -> "Menu":
        """This bet alone, with other pay rows."""
        return self.of({bet: Priced(self[bet].bet, rows, printed=self.book.cards.printed)})

    def __getitem__(self, bet: str) -> Priced:
        """The bet, or a refusal if this layout does not carry it.

        >>> from punto.rulebook import load
        >>> menu(load("wu-song"), "F")["wu-song"]
        Traceback (most recent call last):
        punto.rulebook.refusal.Refused: Layout F does not carry Wu Song; layouts A, B, C and D do. \
(wu-song 4.1.9, 3.7)
        """
        found = self.bets.get(bet)
        if found is None:
            raise self._refusal(bet)
        return found

    def _refusal(self, name: str) -> Refused:
        book, bet = self.book, self.book.bets.get(name)
        if bet is None:
            says = say(
                "not-a-bet",
                "{bet:quoted} is not a bet of this book; it has {bets:list}.",
                bet=name,
                bets=list(book.bets),
            )
            return Refused(says, book, Basis((book.menu_clause,)))
        groups = [group for group, rows in book.pays.items() if any(row.bet == name for row in rows)]
        carried = [each.id for each in book.layouts.values() if set(groups) & set(each.pays)]
        clause = book.pays[groups[0]][0].basis.clauses[0].partition("#")[0]
        says = _not_carried(self.layout.id, bet.name, carried)
        return Refused(says, book, Basis((clause, *bet.basis.clauses, self.layout.clause)[:2]))


def _not_carried(layout: str, bet: str, layouts: list[str]) -> Sentence:
    if not layouts:
        return say("layout-without-bet", "Layout {layout} does not carry {bet}.", layout=layout, bet=bet)
    if len(layouts) == 1:
        return say(
            "another-layout-has-bet",
            "Layout {layout} does not carry {bet}; layout {other} does.",
            layout=layout,
            bet=bet,
            other=layouts[0],
        )
    return say(
        "other-layouts-have-bet",
        "Layout {layout} does not carry {bet}; layouts {layouts:and} do.",
        layout=layout,
        bet=bet,
        layouts=layouts,
    )


@lru_cache(4096)
def _priced(bet: Bet, rows: tuple[Row, ...], disputed: tuple[str, ...], printed: PrintedCard | None) -> Priced:
    """A bet with its rows; layouts that carry the same rows share what is worked out about them."""
    return Priced(bet, rows, disputed, printed)


def _disputed(layout: Layout, bet: str) -> tuple[str, ...]:
    return tuple(reading for each in layout.prints if each.bet == bet for reading in each.basis.readings)


@lru_cache(1024)
def menu(book: Book, layout: str | None = None) -> Menu:
    """The bets of a layout, the first one if none is named.

    >>> from punto.rulebook import load
    >>> menu(load("wu-song"), "Z")
    Traceback (most recent call last):
    punto.rulebook.refusal.Refused: There is no layout 'Z': the book has A, B, C, D, E, F. \
(wu-song 2.1.1)
    """
    if layout is None:
        return menu(book, book.first_layout)
    if not isinstance(layout, str):
        raise TypeError(f"A layout is named by a text, not by {layout!r}.")
    if layout not in book.layouts:
        raise Refused(
            say(
                "no-such-layout",
                "There is no layout {layout:quoted}: the book has {layouts:list}.",
                layout=layout,
                layouts=list(book.layouts),
            ),
            book,
            Basis((book.layouts_clause,)),
        )
    found = book.layouts[layout]
    return Menu(book, found, _carried(book, found))


def _carried(book: Book, layout: Layout) -> dict[str, Priced]:
    rows = [row for group in layout.pays for row in book.pays[group]]
    found = {}
    for name, bet in book.bets.items():
        own = tuple(row for row in rows if row.bet == name)
        if own:
            found[name] = _priced(bet, own, _disputed(layout, name), book.cards.printed)
    return found


EVERY_LAYOUT = "every"
"""In the place of a layout's name: all of them together."""


@lru_cache(64)
def whole_menu(book: Book) -> Menu:
    """The different bets of all layouts together.

    A bet that layouts pay differently stands there once for each of its pay tables, with the first layout of each.

    >>> from punto.rulebook import load
    >>> list(whole_menu(load("wu-song")).bets)[:5]
    ['player', 'banker', 'tie (A)', 'tie (C)', 'tiger-tie']
    """
    first = book.layouts[book.first_layout]
    tables: dict[str, dict[tuple[Row, ...], tuple[str, Priced]]] = {name: {} for name in book.bets}
    for layout in book.layouts:
        for name, priced in menu(book, layout).bets.items():
            tables[name].setdefault(priced.rows, (layout, priced))
    bets = {
        name if len(found) == 1 else f"{name} ({layout})": priced
        for name, found in tables.items()
        for layout, priced in found.values()
    }
    return Menu(book, msgspec.structs.replace(first, id=EVERY_LAYOUT), bets)
