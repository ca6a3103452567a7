"""A live table as a Gymnasium environment, for people who train agents: one patron, one shoe, the rules of a book.

The agent sits in its own process, at the same kind of table that the service runs: it places wagers, is offered
insurance where the book offers it, and is paid by the clauses of the book. What the table refuses is told and not
placed.
"""

from typing import Any

from punto.coup import RANKS
from punto.extras import needs
from punto.rulebook import SHIPPED, Refused, load, menu
from punto.settlement import Limits, payable
from punto.shoe import SEED_BYTES, shuffle
from punto.table import Round, Table, act, can
from punto.table import commands as c
from punto.table.felt import unexposed
from punto.table.next_steps import Next, next_steps

with needs("gym"):
    import gymnasium
    import numpy as np
    from gymnasium import spaces
    from numpy.typing import NDArray

AGENT = "agent"
BOX = 1
OPENED = "2026-01-31T20:00:00+08:00"
"""The hour at which a table opens, if nothing else is said; its book must be in effect then."""

BETS, INSURANCE = 0, 1
"""What the agent decides now."""

UNKNOWN = 10
"""In the place of the points of a hand that is not open."""

MOST_CHIPS = 1e9
"""No patron has more."""

_WINNERS = ("player", "banker", "tie")
_AUTO = ("announce", "deal", "offer", "settle")
_MOST_CARDS = 6

Seen = dict[str, Any]
"""What the agent is told: a value for every name of the observation space."""


class AgentTable(gymnasium.Env[Seen, NDArray[np.int64]]):
    """One shoe at a live table, played by one patron.

    An action has a number of chips for every bet of the layout, in the order of `bets`, and at last the share of the
    cover on offer to take, in `levels` steps. Which of them count is told by `phase`: the wagers before a round, the
    cover while insurance is on offer. The reward of a round is what the patron won, in chips. The shoe is over when the
    cut card comes, or when the patron has no chip left.

    >>> env = AgentTable("wu-song", layout="F")
    >>> seen, _ = env.reset(seed=7)
    >>> env.bets[:3], seen["bankroll"].tolist()
    (('player', 'banker', 'tie'), [100.0])
    >>> seen, reward, ended, _, info = env.step(np.array([1] + [0] * len(env.bets)))
    >>> info["lines"], reward
    (['Banker wins 7 to 1: 10.00 on Player loses. (3.13)'], -1.0)
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  # as Gymnasium declares it
        "render_modes": ["ansi"],
        "render_fps": 1,
    }

    def __init__(
        self,
        book: str = "wu-song",
        layout: str | None = None,
        *,
        decks: int = 8,
        cut: int = 14,
        chip: int = 10_00,
        bankroll: int = 100,
        levels: int = 5,
        opened: str = OPENED,
        render_mode: str | None = None,
    ) -> None:
        self._book = load(book)
        self._library = SHIPPED.with_book(self._book)
        self._decks, self._cut, self._chip, self._bankroll, self._levels = decks, cut, chip, bankroll, levels
        self._opened = opened
        self._layout = menu(self._book, layout).layout.id
        self.render_mode = render_mode
        self.bets = tuple(menu(self._book, self._layout).laid_before.bets)
        """The bets that an action has chips for, in its order."""
        self.action_space = spaces.MultiDiscrete([levels + 1] * (len(self.bets) + 1))
        self.observation_space = _observations(len(self.bets), decks)
        self._table: Table | None = None
        self._shoe: list[str] = []
        self._faces: list[str] = []
        self._lines: list[str] = []
        self._last = len(_WINNERS)
        self._before = 0

    @property
    def table(self) -> Table:
        """The table as it stands; a notebook shows it."""
        if self._table is None:
            raise gymnasium.error.ResetNeeded("Call reset before anything else.")
        return self._table

    def reset(
        self,
        *,
        seed: int | None = None,
        options: dict[str, Any] | None = None,  # noqa: ARG002  # as Gymnasium calls it
    ) -> tuple[Seen, dict[str, Any]]:
        """Open a table with a new shoe; the same seed deals the same one."""
        super().reset(seed=seed)
        chip = self._chip
        limits = Limits(minimum=chip, maximum=chip * 1000, differential=chip * 1000)
        opening = c.OpenTable(
            self._book.id,
            self._opened,
            self._decks,
            layout=self._layout,
            limits=payable(menu(self._book, self._layout), limits),
            shoe="read",
            auto=_AUTO,
            acknowledged=True,
        )
        self._table, _ = act(None, opening, self._library)
        self._shoe = [str(card) for card in shuffle(self.np_random.bytes(SEED_BYTES), self._decks)]
        for command in (
            c.LoadShoe(),
            c.Sit(AGENT, BOX, accepts_notice=True, by=AGENT),
            c.BuyIn(AGENT, self._bankroll * chip, by=AGENT),
        ):
            self._do(command)
        self._last = len(_WINNERS)
        self._go_on()
        return self._seen(), {"refused": [], "lines": []}

    def step(self, action: NDArray[np.int64]) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Place the wagers or take the cover, and go on to what the agent decides next."""
        chosen = [int(number) for number in action]
        refused: list[str] = []
        if self._offered:
            self._insure(chosen[-1], refused)
            self._do(c.Draw())
        else:
            self._before = self._money()
            self._place(chosen, refused)
            self._do(c.CloseBets())
        self._go_on()
        if self._offered:
            return self._seen(), 0.0, False, False, {"refused": refused, "lines": []}
        reward = (self._money() - self._before) / self._chip
        ended = self.table.running is None
        return self._seen(), reward, ended, False, {"refused": refused, "lines": self._lines}

    def render(self) -> str | None:
        """The last round in a line, where `render_mode` is `ansi`."""
        if self.render_mode != "ansi":
            return None
        chips = f"{self._money() / self._chip:g} chips"
        results = self.table.shoe.results if self.table.shoe else ()
        return f"{len(results)} rounds, {chips}; last: {results[-1].winner if results else 'none'}"

    # The table

    def _do(self, command: c.Command) -> None:
        self._table, _ = act(self.table, command)

    def _go_on(self) -> None:
        """Do what the dealer does, up to the next decision of the agent or the end of the shoe."""
        while not self._offered:
            step = next(each for each in next_steps(self.table) if each.possible)
            if step.do == "close-bets":
                return
            if step.do == "open-bets":
                self._remember()
                if self._over:
                    return
            self._do(self._command(step))

    def _command(self, step: Next) -> c.Command:
        """The command by which the dealer does what is to be done next."""
        if step.do == "expose":
            return self._opened_next(step.by)
        if step.do == "burn":
            self._shoe.pop(0)
            return c.Burn(by=step.by)
        if step.do == "set-method":
            methods = self._book.point("dealing", "methods")
            names = methods.value if methods is not None and isinstance(methods.value, tuple) else ()
            return c.SetMethod(names[0], by=step.by)
        plain: dict[str, type[c.Command]] = {"open-bets": c.OpenBets, "draw": c.Draw, "settle": c.Settle}
        return plain[step.do](by=step.by)

    def _opened_next(self, by: str) -> c.Command:
        """Open the first card that somebody may open; those of a squeezed hand are its patron's."""
        round = self._round
        for card in round.cards[len(self._faces) :]:
            self._faces.append("" if card.printed else self._shoe.pop(0))
        opening = [c.Expose((self._faces[at],), at, by=by) for at in unexposed(round)]
        return next(each for each in opening if can(self.table, each))

    @property
    def _round(self) -> Round:
        round = self.table.round
        if round is None:
            raise gymnasium.error.ResetNeeded("There is no round: call reset first.")
        return round

    @property
    def _offered(self) -> int:
        """How much cover the agent may take now, in minor units."""
        round = self.table.running
        if round is None or round.window is None or round.window.drawn:
            return 0
        return sum(most for spot, most in round.window.most.items() if spot[0] == AGENT)

    @property
    def _over(self) -> bool:
        """Whether the shoe has come to its cut card, or the patron to their last chip."""
        left = self.table.shoe.left if self.table.shoe else 0
        return left < max(self._cut, _MOST_CARDS) or self.table.patrons[AGENT].balance < self._chip

    def _place(self, chosen: list[int], refused: list[str]) -> None:
        for bet, chips in zip(self.bets, chosen, strict=False):
            if chips:
                self._try(c.Place(AGENT, bet, chips * self._chip, by=AGENT), refused)

    def _insure(self, share: int, refused: list[str]) -> None:
        """Take a share of the cover on offer, in whole steps of what can be paid."""
        window = self._round.window
        if window is None:
            return
        step = self.table.chips.step(window.row)
        for (_, box, hand), most in window.most.items():
            stake = most * share // self._levels // step * step
            if stake:
                self._try(c.Insure(AGENT, hand, stake, box, by=AGENT), refused)

    def _try(self, command: c.Command, refused: list[str]) -> None:
        try:
            self._do(command)
        except Refused as error:
            refused.append(str(error))

    def _remember(self) -> None:
        """The last round is over, and none of the cards of the next is out."""
        self._faces = []
        past = self.table.round
        self._lines = [] if past is None else [line.why for line in past.lines.get(AGENT, ())]
        shoe = self.table.shoe
        if shoe is not None and shoe.results:
            self._last = _WINNERS.index(shoe.results[-1].winner)

    def _money(self) -> int:
        patron = self.table.patrons[AGENT]
        return patron.balance + patron.held - patron.owed

    # What the agent sees

    def _seen(self) -> Seen:
        table, offered = self.table, self._offered
        round, shoe = table.running, table.shoe
        points, wagers, price = [UNKNOWN, UNKNOWN], [0.0] * len(self.bets), 0.0
        if round is not None and offered and round.window is not None:
            faces = [[each.face for each in hand] for hand in (round.hands.player, round.hands.banker)]
            points = [sum(face.value for face in hand if face is not None) % 10 for hand in faces]
            price = float(round.window.row.odds.fraction)
            for spot, placed in round.wagers.items():
                wagers[self.bets.index(spot[2])] = placed.stake / self._chip
        counts = [0] * len(RANKS)
        for face, number in shoe.faces.items() if shoe is not None else ():
            counts[RANKS.index(face[0])] += number
        for card in round.cards if round is not None else ():
            if card.face is not None and not card.printed:
                counts[card.face.rank - 1] += 1
        return {
            "phase": INSURANCE if offered else BETS,
            "bankroll": np.array([self._money() / self._chip], dtype=np.float64),
            "left": np.array([shoe.left if shoe is not None else 0], dtype=np.int64),
            "ranks": np.array(counts, dtype=np.int64),
            "last": self._last,
            "points": np.array(points, dtype=np.int64),
            "wagers": np.array(wagers, dtype=np.float64),
            "cover": np.array([offered / self._chip], dtype=np.float64),
            "price": np.array([price], dtype=np.float64),
        }


def _observations(bets: int, decks: int) -> spaces.Dict:
    def amounts(size: int) -> spaces.Box:
        return spaces.Box(0, MOST_CHIPS, (size,), np.float64)

    return spaces.Dict(
        {
            "phase": spaces.Discrete(2),
            "bankroll": amounts(1),
            "left": spaces.Box(0, 52 * decks, (1,), np.int64),
            "ranks": spaces.Box(0, 4 * decks, (len(RANKS),), np.int64),
            "last": spaces.Discrete(len(_WINNERS) + 1),
            "points": spaces.MultiDiscrete([UNKNOWN + 1, UNKNOWN + 1]),
            "wagers": amounts(bets),
            "cover": amounts(1),
            "price": amounts(1),
        }
    )


gymnasium.register("punto/AgentTable-v0", entry_point="punto.gym:AgentTable")
