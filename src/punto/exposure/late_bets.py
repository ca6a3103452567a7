"""Bets that are placed when the first four cards lie open, as a perfect counter plays them.

Whoever places such a bet knows the cards gone by and the four that lie there. So its edge is that of the cards that can
still come: every third card, weighed by how many are left of its kind. Where the window opens it is recorded like an
insurance offer: how often it did, how often the edge was the patron's, and what that was worth.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from punto.coup import CARDS_IN_A_DECK, STOOD
from punto.exposure.card_nets import kinds_of
from punto.exposure.recording import Ints, add, grains
from punto.kernels.compiled import SOURCES, digest, kernel, part
from punto.kernels.deal_faces import place_of, points
from punto.kernels.faces import NO_FACE
from punto.kernels.play import banker_draws, player_draws
from punto.rulebook import Priced
from punto.simulation import cpu
from punto.simulation.card_bets import CardBets, Program, card_bets
from punto.simulation.cpu import cell_of

FIRST_CARDS = 4
I64, U64 = np.int64, np.uint64
LATE_SOURCES = SOURCES ^ digest(cpu.__file__)
"""Tells versions of what the kernel is made of apart."""


class LateBet(msgspec.Struct, frozen=True, eq=False):
    """A late bet: its machines, the kind of each card by rank and suit, and a face of each kind."""

    cards: CardBets
    kinds: Ints
    faces: Ints


class LateBets(msgspec.Struct, frozen=True, eq=False):
    """Some late bets by name."""

    bets: dict[str, LateBet]

    @property
    def names(self) -> tuple[str, ...]:
        """What they are called."""
        return tuple(self.bets)

    @property
    def digest(self) -> bytes:
        """The SHA-256 of what they are; nothing where there are none."""
        each = [bet.cards.digest for bet in self.bets.values()]
        return sha256(" ".join(each).encode()).digest() if each else b""


NO_LATE_BETS = LateBets({})


def late_bets(bets: Mapping[str, Priced]) -> LateBets:
    """Make ready those of some bets that are placed after the first four cards."""
    found = {}
    for name, priced in bets.items():
        cards = None if priced.window is None else card_bets({name: priced})
        if cards is not None:
            kinds, faces = kinds_of(cards, priced)
            found[name] = LateBet(cards, kinds, np.array(faces))
    return LateBets(found)


@part
def joint_of(faces: Any, program: Program) -> Any:
    """The joint of a finished coup, by its six faces."""
    _, steps, table, classes, joints = program
    drew = faces[4] < NO_FACE
    third, last = points(faces[4]) if drew else 0, points(faces[5]) if faces[5] < NO_FACE else 0
    values = 0, 0, 0, 0, third, last  # the cell of a round asks for the last two only
    hands = (points(faces[0]) + points(faces[2])) % 10, (points(faces[1]) + points(faces[3])) % 10
    heights = faces[0] >> 2, faces[1] >> 2, faces[2] >> 2, faces[3] >> 2, 0, 0
    case, state = I64(classes[0, cell_of(values, heights, hands, drew)]), I64(0)
    for number in range(len(steps)):
        begin = state if steps[number, 2] < 0 else steps[number, 2]
        state = I64(table[begin + (faces[steps[number, 0]] >> steps[number, 1])])
        if steps[number, 3]:
            case += state
    return joints[case]


@part
def net_from(faces: Any, left: Any, size: Any, kinds: Any, program: Program, nets: Any) -> Any:
    """Whether the window opens after four faces, and the net over all ordered pairs of the next two cards.

    `left` are the cards by kind, `size` of them, and `kinds` a face of each; `nets` are by joint what the bet nets and
    whether it could be placed.
    """
    player, banker = (points(faces[0]) + points(faces[2])) % 10, (points(faces[1]) + points(faces[3])) % 10
    drawn = player_draws(player, banker)
    faces[4], faces[5] = NO_FACE, NO_FACE
    net, opens = I64(0), False
    for fifth in range(len(kinds) if drawn else 1):
        held = left[fifth] if drawn else I64(1)
        if held <= 0:
            continue
        faces[4] = kinds[fifth] if drawn else NO_FACE
        if not banker_draws(player, banker, points(faces[4]) if drawn else STOOD):
            faces[5] = NO_FACE
            joint = joint_of(faces, program)
            opens = opens or nets[1, joint] > 0
            net += nets[0, joint] * held * (size - 1)
            continue
        for sixth in range(len(kinds)):
            more = left[sixth] - (1 if drawn and fifth == sixth else 0)
            if more <= 0:
                continue
            faces[5] = kinds[sixth]
            joint = joint_of(faces, program)
            opens = opens or nets[1, joint] > 0
            net += nets[0, joint] * held * more * (I64(1) if drawn else size - 1)
    return opens, net


@part
def record_late_with(add_to: Any, faces: Any, unseen: Any, room: Any, bet: Any, where: Any, offers: Any) -> None:
    """Record a late bet in one round; `room` are places for six faces and for counts by kind."""
    kind_of, kinds, unit, printed, program, nets = bet
    block, cell = where
    seen, left = room
    size = I64(0)
    for kind in range(len(kinds)):
        left[kind] = 0
    for card in range(CARDS_IN_A_DECK):
        left[kind_of[card]] += I64(unseen[card])
        size += I64(unseen[card])
    for at in range(FIRST_CARDS):
        seen[at] = I64(faces[at])
        if at != printed:
            left[kind_of[place_of(seen[at])]] -= 1
            size -= 1
    opens, net = net_from(seen, left, size, kinds, program, nets)
    if opens:
        add_to(offers, (block, cell, I64(0)), I64(1))
        if net > 0:
            add_to(offers, (block, cell, I64(1)), I64(1))
            add_to(offers, (block, cell, I64(2)), grains(net, size * (size - 1), unit))


@kernel
def record_late_bet(
    ends: Ints,
    blocks: Ints,
    unseen: NDArray[np.uint8],
    faces: NDArray[np.int8],
    bet: Any,
    cell: int,
    offers: Ints,
    sources: int = LATE_SOURCES,  # noqa: ARG001  # part of the cache's key
) -> None:
    """Record a late bet in all rounds of some shoes on one core."""
    room = np.empty(6, np.int64), np.empty(CARDS_IN_A_DECK, np.int64)
    at = 0
    for shoe in range(len(ends)):
        while at < ends[shoe]:
            record_late_with(add, faces[at], unseen[at], room, bet, (blocks[shoe], cell), offers)
            at += 1


def as_kernels_take(bet: LateBet, printed: int) -> tuple[Any, ...]:
    """A late bet for kernels: kinds, faces, unit, the place of a printed card, program, and nets with placed."""
    cards = bet.cards
    return bet.kinds, bet.faces, I64(cards.units[0]), printed, cards.program, cards.nets
