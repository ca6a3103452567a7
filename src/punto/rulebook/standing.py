"""Where a bet stands before the coup has ended: won, lost, a stand-off, or still open."""

from collections.abc import Iterable

from punto.coup import outcome
from punto.rulebook.menu import Menu, Priced
from punto.rulebook.patterns import NO_FACES, Faces

_STANDING = {"win": "won", "lose": "lost", "stand-off": "stand-off", "returned": "stand-off"}


def standing(priced: Priced, outcomes: frozenset[int], faces: Faces = NO_FACES) -> str:
    """Where a bet stands while these outcomes can still come: `won`, `lost`, `stand-off` or `open`.

    It is won as soon as a win is certain, though its odds may be open (AMB-13). With no outcome at
    all nothing is certain. Bets that look at cards are told the faces that lie open.

    >>> from punto.coup import card, possible
    >>> from punto.rulebook import load, menu
    >>> bets = menu(load("da-hu-ying-xiong"))
    >>> pair = possible((card("3h"), card("3d"), None), (card("8c"), None, None))
    >>> standing(bets["tiger-pair"], pair), standing(bets["small-tiger"], pair), standing(bets["player"], pair)
    ('won', 'lost', 'open')
    """
    if not priced.by_outcome:
        return _by_faces(priced, outcomes, faces)
    found = priced._standings.get(outcomes)
    if found is None:
        found = priced._standings[outcomes] = _judge(priced, outcomes)
    return found


def established(menu: Menu, outcomes: frozenset[int], bets: Iterable[str], faces: Faces = NO_FACES) -> bool:
    """Whether any of the named bets is already won or lost; a certain stand-off is neither (AMB-13).

    >>> from punto.coup import card, possible
    >>> from punto.rulebook import load, menu
    >>> nine = possible((card("9h"), card("Kd"), None), (None, None, None))
    >>> bets = menu(load("wu-song"))
    >>> established(bets, nine, ["player", "banker", "tie"]), established(bets, nine, ["tie", "wu-song"])
    (False, True)
    """
    return any(standing(menu[bet], outcomes, faces) in ("won", "lost") for bet in bets)


def _judge(priced: Priced, outcomes: frozenset[int]) -> str:
    found = "open"
    for index in outcomes:
        each = _STANDING[priced.verdict(index).result]
        if found == "open":
            found = each
        elif each != found:
            return "open"
    return found


def _by_faces(priced: Priced, outcomes: frozenset[int], faces: Faces) -> str:
    """The same for a bet that looks at cards. What cannot be told is open."""
    seen = tuple(outcome(index) for index in outcomes)
    found = set()
    for row in priced.rows if seen else ():
        holds = row.when.told(faces, seen)
        if holds is not False:
            found.add(_STANDING[row.result])
        if holds:
            break
    else:
        found.add("lost")
    return found.pop() if len(found) == 1 and seen else "open"
