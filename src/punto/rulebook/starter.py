"""A first file for a game of one's own: a commented book, its clause index, and a story that goes as told."""

import csv
import json
import shlex
from collections.abc import Mapping
from io import StringIO

import msgspec

from punto.rulebook.facts import IN_BOOKS
from punto.rulebook.vocabulary import DRAWING


class BankerPays(msgspec.Struct, frozen=True):
    """A way in which Banker pays: in words, its rows, and a round that shows it."""

    says: str
    rows: tuple[str, ...]
    round: str


BANKER: Mapping[str, BankerPays] = {
    "commission": BankerPays(
        "0.95 to 1: a commission of 5% is in the odds",
        ('when = { winner = "banker" }\nodds = "0.95:1"',),
        "expose 6h 8c Kd Ks\nsettle\n  line ann player lose -100 2.1\n  line bob banker win 95 5.2\n",
    ),
    "seven": BankerPays(
        "1 to 1, but a win on 7 with three cards comes back",
        (
            'when = { winner = "banker", points = 7, banker-cards = 3 }\nresult = "stand-off"',
            'when = { winner = "banker" }\nodds = "1:1"',
        ),
        "expose 6h 4c Kd Ks\ndraw\nexpose 3c\n"
        "settle\n  line ann player lose -100 2.1\n  line bob banker stand-off 0 5.2\n",
    ),
    "six": BankerPays(
        "1 to 1, but a win on 6 pays half",
        (
            'when = { winner = "banker", points = 6 }\nodds = "1:2"',
            'when = { winner = "banker" }\nodds = "1:1"',
        ),
        "expose 5h 6c Kd Ks\ndraw\nexpose Kc\nsettle\n  line ann player lose -100 2.1\n  line bob banker win 50 5.2\n",
    ),
}
"""How Banker may pay, by a short name."""

_MARGINS = 'odds = { 4 = "1:1", 5 = "2:1", 6 = "4:1", 7 = "6:1", 8 = "10:1", 9 = "30:1" }'


class SideBet(msgspec.Struct, frozen=True):
    """A side bet that a new book can have: its name, and its rows."""

    name: str
    rows: tuple[str, ...]
    in_order: bool = False


def _bonus(hand: str) -> tuple[str, ...]:
    return (
        f'when = {{ winner = "{hand}", natural = ["{hand}", "both"] }}\nodds = "1:1"',
        f'when = {{ winner = "{hand}" }}\nby = "margin"\n{_MARGINS}',
        'when = { winner = "tie", natural = "both" }\nresult = "stand-off"',
    )


SIDE_BETS: Mapping[str, SideBet] = {
    "player-pair": SideBet("Player Pair", ('when = { pairs = ["player", "both", "twin"] }\nodds = "11:1"',)),
    "banker-pair": SideBet("Banker Pair", ('when = { pairs = ["banker", "both", "twin"] }\nodds = "11:1"',)),
    "either-pair": SideBet("Either Pair", ('when = { not = { pairs = "none" } }\nodds = "5:1"',)),
    "dragon-7": SideBet("Dragon 7", ('when = { winner = "banker", points = 7, banker-cards = 3 }\nodds = "40:1"',)),
    "panda-8": SideBet("Panda 8", ('when = { winner = "player", points = 8, player-cards = 3 }\nodds = "25:1"',)),
    "lucky-6": SideBet(
        "Lucky 6", ('when = { winner = "banker", points = 6 }\nby = "banker-cards"\nodds = { 2 = "12:1", 3 = "20:1" }',)
    ),
    "big": SideBet("Big", ('when = { cards = [5, 6] }\nodds = "0.54:1"',)),
    "small": SideBet("Small", ('when = { cards = 4 }\nodds = "3:2"',)),
    "dragon-bonus-player": SideBet("Dragon Bonus Player", _bonus("player"), in_order=True),
    "dragon-bonus-banker": SideBet("Dragon Bonus Banker", _bonus("banker"), in_order=True),
}
"""The side bets that a new book can have, with the pay tables that are usual."""


class StartedBook(msgspec.Struct, frozen=True):
    """What a new game is made of, by the answers of whoever invents it."""

    id: str
    title: str
    banker: str = "commission"
    tie: str = "8:1"
    sides: tuple[str, ...] = ()

    def book(self) -> str:
        """The text of the book.

        >>> from punto.rulebook import parse
        >>> list(parse(StartedBook("mine", "Mine", sides=("big",)).book().encode(), "mine.toml").bets)
        ['player', 'banker', 'tie', 'big']
        """
        return "\n".join(self._parts())

    def _parts(self) -> list[str]:
        sides = [(f"2.{at}", f"5.{at}", name, SIDE_BETS[name]) for at, name in enumerate(self.sides, start=4)]
        bets = "".join(_bet(name, each.name, clause, in_order=each.in_order) for clause, _, name, each in sides)
        pays = "".join(_pays("sides", name, each.rows, clause) for _, clause, name, each in sides)
        groups = '["main", "sides"]' if sides else '["main"]'
        main = [
            _pays("main", "player", ('when = { winner = "player" }\nodds = "1:1"', _TIE), "5.1"),
            _pays("main", "banker", (*BANKER[self.banker].rows, _TIE), "5.2"),
            _pays("main", "tie", (f'when = {{ winner = "tie" }}\nodds = {_text(self.tie)}',), "5.3"),
        ]
        return [
            _HEAD.format(id=_text(self.id), title=_text(self.title), silent=_silent()),
            _CARDS.format(drawing="\n".join(f'{case} = "{_DRAWN.get(case, "4.4")}"' for case in DRAWING)),
            _BETS + _bet("player", "Player", "2.1", "player") + _bet("banker", "Banker", "2.2", "banker"),
            _bet("tie", "Tie", "2.3").lstrip("\n") + bets,
            _PAYS + "".join(main) + pays,
            _REST.format(groups=groups),
        ]

    def index(self) -> str:
        """The clause index of the book, as CSV."""
        out = StringIO()
        rows = csv.writer(out, lineterminator="\n")
        rows.writerow(("clause", "kind", "nature", "summary"))
        for clause, kind, nature, summary in (*_INDEX, *self._side_clauses()):
            rows.writerow((clause, kind, nature, summary))
        return out.getvalue()

    def _side_clauses(self) -> list[tuple[str, str, str, str]]:
        found = []
        for at, name in enumerate(self.sides, start=4):
            shown = SIDE_BETS[name].name
            found.append((f"2.{at}", "bet", "rule", f"The bet {shown}; it loses where no row of its pay table is met"))
            found.append((f"5.{at}", "settlement", "rule", f"What {shown} pays"))
        return found

    def scenario(self, file: str) -> str:
        """A story at a table of the book, which is in a file beside it."""
        title, named = " ".join(self.title.split()), shlex.quote(file)
        return _STORY.format(title=title, file=named, banker=BANKER[self.banker].round)


def _text(words: str) -> str:
    """Words as TOML writes them."""
    return json.dumps(words, ensure_ascii=False)


def _silent() -> str:
    """The facts of which the book says nothing, one on each line."""
    return "\n".join(f'    "{fact}",' for fact in IN_BOOKS)


def _bet(bet: str, name: str, clause: str, hand: str | None = None, *, in_order: bool = False) -> str:
    on = f'hand = "{hand}"\n' if hand else ""
    ordered = "in-order = true\n" if in_order else ""
    return f'\n[bets.{bet}]\nname = {_text(name)}\n{on}clause = "{clause}"\nloses = "{clause}"\n{ordered}'


def _pays(group: str, bet: str, rows: tuple[str, ...], clause: str) -> str:
    return "".join(f'\n[[pays.{group}]]\nbet = "{bet}"\n{row}\nclause = "{clause}"\n' for row in rows)


_TIE = 'when = { winner = "tie" }\nresult = "stand-off"'

_DRAWN = {
    "order": "4.1",
    "natural-player": "4.2",
    "natural-banker": "4.2",
    "player-draws": "4.3",
    "player-stands": "4.3",
    "player-stood": "4.5",
    "winner": "4.6",
    "tie": "4.6",
}

_HEAD = """\
# A game of your own. Clause numbers are this file's; the index beside it says what each is about.
# `punto lint` checks this file, `punto watch` shows it again after every save, `punto odds` counts its edges.
id = {id}
title = {title}
operator = "nobody yet"
approver = "nobody yet"
version = "1"
effective = 2026-01-01T00:00:00+00:00
front = {{ title = "1", approval = "1" }}
decks = {{ min = 6, max = 8, clause = "1.1" }}
layouts-clause = "1.2"
boxes-clause = "1.3"
menu-clause = "2"
# What can go wrong at a table and this book says nothing of: the residual authority decides it. Write an
# [[irregularity]] about a fact, and take it out of this list.
silent = [
{silent}
]
"""

_CARDS = """\
[cards]
values = [
    {{ ranks = "A", points = 1, clause = "3.1" }},
    {{ ranks = "23456789", points = "face", clause = "3.1" }},
    {{ ranks = "TJQK", points = 0, clause = "3.1" }},
]
values-clause = "3"
total-to-nine = "3.2"
total-over-nine = "3.2"

# The Table of Play is the same in every book; these are the clauses that state it.
[drawing]
{drawing}
"""

_BETS = "# The menu: one section a bet.\n"

_PAYS = """\
# What the bets pay. The first row of a bet that matches counts; a bet is lost where none does.
"""

_REST = """\
# Layouts name the groups of pay rows that they carry.
[layouts.A]
clause = "1.2"
positions = {{ min = 1, max = 9 }}
pays = {groups}

[betting]
closes = {{ value = "closing-call", clause = "6.1" }}
late-bet = {{ value = "refused", clause = "6.1" }}

# Who works at the table, the lowest first, and who decides what the book does not cover.
[authority]
ranks = [["dealer"], ["floor-supervisor"], ["shift-manager"]]
residual = {{ value = "uncovered", by = "shift-manager", reason = true, clause = "7.1" }}
"""

_INDEX = (
    ("1", "front", "heading", "The game"),
    ("1.1", "equipment", "rule", "Six to eight decks"),
    ("1.2", "layout", "rule", "The layout"),
    ("1.3", "layout", "rule", "One to nine betting boxes"),
    ("2", "bet", "heading", "The bets"),
    ("2.1", "bet", "rule", "The bet on the Player hand; it loses where the Banker hand wins"),
    ("2.2", "bet", "rule", "The bet on the Banker hand; it loses where the Player hand wins"),
    ("2.3", "bet", "rule", "The bet on a tie; it loses where a hand wins"),
    ("3", "cards", "heading", "The cards"),
    ("3.1", "cards", "rule", "What cards count"),
    ("3.2", "cards", "rule", "How a hand is counted"),
    ("4.1", "dealing", "rule", "The order of the first four cards"),
    ("4.2", "dealing", "rule", "A natural ends the hand"),
    ("4.3", "dealing", "rule", "When the Player draws"),
    ("4.4", "dealing", "rule", "When the Banker draws"),
    ("4.5", "dealing", "rule", "When the Banker draws after the Player stood"),
    ("4.6", "dealing", "rule", "Who wins, and what a tie is"),
    ("5.1", "settlement", "rule", "What Player pays"),
    ("5.2", "settlement", "rule", "What Banker pays"),
    ("5.3", "settlement", "rule", "What Tie pays"),
    ("6.1", "betting", "rule", "Bets are closed by the call"),
    ("7.1", "authority", "rule", "Who decides what the book does not cover"),
)

_STORY = """\
scenario {title}: a Player win, and what Banker pays
shows {file} 5.1 5.2 6.1

open-table {file} 2026-01-01T20:00:00+00:00 decks=8 minimum=10 maximum=1000
load-shoe
sit ann 1
sit bob 2
buy-in ann 1000
buy-in bob 1000

# The first four cards go to Player, Banker, Player, Banker: 9 against 7.
open-bets
place ann player 100
place bob banker 100
place bob tie 10
close-bets
place ann player 50
  refused 6.1
draw
draw
draw
draw
expose 9h 7c Kd Ks
settle
  line ann player win 100 5.1
  line bob banker lose -100 2.2
  line bob tie lose -10 2.3
  ann has 1100
  bob has 890

open-bets
place ann player 100
place bob banker 100
close-bets
draw
draw
draw
draw
{banker}"""
