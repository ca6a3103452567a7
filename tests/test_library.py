"""Punto in a notebook: values show themselves, tables become data frames and files, an agent plays a live table."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pandas  # type: ignore[import-untyped]  # its types are no part of what is tested
import polars
import pytest
from gymnasium.utils.env_checker import check_env

import punto
from punto.coup import deal_from
from punto.exposure import Exposure
from punto.gym import AGENT, BETS, INSURANCE, AgentTable
from punto.history import History, RecordedCover, RecordedRound, RecordedShoe, RecordedWager
from punto.odds import bet_odds, full_shoe, insurance_odds
from punto.roads import parse, roads
from punto.rulebook import ids, load, menu
from punto.settlement import Limits
from punto.shoe import shuffle
from punto.simulation import Tally
from punto.table import act
from punto.table import commands as c
from punto.tabular import BadTable, Rows, Tabular, of_records, read


class Cells(HTMLParser):
    """What a person reads in the cells of HTML; every tag must be closed."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.cells: list[str] = []
        self.feed(text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: object) -> None:  # noqa: ARG002  # as the parser calls it
        self.open.append(tag)
        if tag in ("td", "th", "caption"):
            self.cells.append("")

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.cells and self.open:
            self.cells[-1] += data


def shown(value: object) -> list[str]:
    return Cells(value._repr_html_()).cells  # type: ignore[attr-defined]  # the protocol of notebooks


def settled() -> Tabular:
    wagers = [punto.Wager("player", punto.money("100")), punto.Wager("tie", punto.money("10"))]
    return punto.settle(load("wu-song"), punto.deal("K 6 7 K"), wagers)


def test_a_book_shows_its_bets_with_what_they_pay_and_where() -> None:
    cells = shown(load("wu-song"))
    assert "Wu Song (Non-Commission Baccarat), version 3" in cells[0]
    at = cells.index("Wu Song")
    assert cells[at + 1 : at + 3] == ["36 to 1", "A, B, C, D"]  # 4.1.9; the refusal for layout F names the same layouts
    assert shown(menu(load("wu-song"), "F"))[0] == "Wu Song (Non-Commission Baccarat), layout F"


def test_a_coup_shows_both_hands() -> None:
    assert shown(punto.deal("6h 2c Kd As 5h"))[4:] == ["Player", "6♥ K♦", "6", "Banker", "2♣ A♠ 5♥", "8"]


def test_lines_show_what_they_came_to() -> None:
    cells = shown(settled())
    assert "Player wins 7 to 6: 100.00 on Player wins 50.00 at 1 to 2." in cells
    [first, _] = punto.settle(
        load("wu-song"), punto.deal("K 6 7 K"), [punto.Wager("player", 10000), punto.Wager("tie", 1000)]
    )
    assert "5000" in shown(first)


def test_roads_show_five_grids() -> None:
    board = roads(parse("PBPBBPT"))
    cells = shown(board)
    assert [each for each in cells if each[1:]] == [
        "Bead plate",
        "Big road",
        "Big eye boy",
        "Small road",
        "Cockroach pig",
    ]
    assert "".join(cells).count("●") == 6 + len(board.big_eye + board.small + board.cockroach)


def test_a_table_shows_patrons_wagers_and_only_the_cards_that_lie_open() -> None:
    limits = Limits(10_00, 1000_00, 1000_00)
    table, _ = act(None, c.OpenTable("wu-song", "2026-01-31T20:00:00+08:00", 8, limits=limits))
    assert shown(table)[0].endswith("layout A")
    given = (c.LoadShoe(), c.Sit("<ann>", 1), c.BuyIn("<ann>", 500_00), c.OpenBets(), c.Place("<ann>", "tie", 100_00))
    for command in (*given, c.CloseBets(), c.Draw(), c.Draw(), c.Expose(("6h",), 0)):
        table, _ = act(table, command)
    assert "&lt;ann&gt;" in table._repr_html_()
    cells = shown(table)
    assert cells[-4:] == ["player", "6h", "banker", "?"]
    at = cells.index("<ann>")
    assert cells[at : at + 4] == ["<ann>", "1", "400.00", "100.00"]


def test_figures_show_themselves() -> None:
    shoe = full_shoe(8)
    assert "10.3614%" in shown(bet_odds(menu(load("wu-song")), shoe)["player-pair"])[0]
    assert "player-pair" in shown(bet_odds(menu(load("wu-song")), shoe))
    assert len(shown(insurance_odds(load("commission-insurance"), shoe))) > 60 * 10
    assert insurance_odds(load("commission-insurance"), shoe)._repr_html_().endswith("<p>… and 13 more rows</p>")
    assert all(issubclass(each, Tabular) for each in (Tally, Exposure))


def test_tables_become_data_frames() -> None:
    lines = settled()
    frame, other = lines.to_polars(), lines.to_pandas()
    assert isinstance(frame, polars.DataFrame)
    assert isinstance(other, pandas.DataFrame)
    assert frame["net"].to_list() == other["net"].to_list() == [5000, -1000]
    assert frame["readings"].dtype == polars.List(polars.String)  # also where no row has a reading
    assert frame["clauses"].to_list() == [["4.1.1"], ["1.26"]]
    odds = bet_odds(menu(load("commission-insurance")), full_shoe(8)).to_polars()
    edges = dict(zip(odds["bet"], odds["edge"], strict=True))
    assert (round(edges["banker"], 6), round(edges["player"], 6)) == (0.010579, 0.012351)  # published everywhere
    assert odds["offered"].dtype == polars.String  # a column without a value is text


def test_a_history_is_a_table_of_rounds_and_one_of_wagers() -> None:
    bet, cover = RecordedWager("player", 100_00, patron="Ann"), RecordedCover("four-cards", "player", 20_00, on=1)
    rounds = (
        RecordedRound(1, punto.deal("6h 2c Kd As 5h").cards, wagers=(bet,), covers=(cover,)),
        RecordedRound(2, void=True),
    )
    history = History((RecordedShoe("commission-insurance", rounds=rounds),))
    first, second = history.to_rows().records()
    assert (first["winner"], first["player_points"], first["banker_points"]) == ("banker", 6, 8)
    assert (second["void"], second["winner"]) == (True, None)
    assert history.wagers().column("bet") == ("player", "player-insurance")


@pytest.mark.parametrize("name", ["a.csv", "a.jsonl", "a.parquet"])
def test_a_table_is_written_and_read_again(name: str, tmp_path: Path) -> None:
    table = Rows(
        ("bet", "net", "share", "won", "clauses"),
        (("tie", 800, 0.5, True, ("4.1", "5")), ("“a,b”", None, 1.0, False, ())),
    )
    table.write(tmp_path / name)
    again = read(tmp_path / name)
    assert again.columns == table.columns
    if name == "a.csv":
        assert again.rows == (("tie", "800", "0.5", "true", "4.1 5"), ("“a,b”", None, "1.0", "false", None))
    else:
        assert again.rows == table.rows


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("a.csv", "", "there is no line with the names of columns."),
        ("a.csv", "bet,bet\n", "two columns are called 'bet'."),
        ("a.csv", "bet,net\ntie\n", "there are 1 cells, and 2 columns."),
        ("a.jsonl", "[1]\n", "a row is an object"),
        ("a.jsonl", "{\n", "this is not JSON"),
        ("a.parquet", "nothing", "this is not Parquet."),
        ("a.xlsx", "", "ends in .csv, .jsonl or .parquet."),
    ],
)
def test_what_is_no_table_is_told(name: str, text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    with pytest.raises(BadTable, match=re.escape(says)):
        read(tmp_path / name)


def test_records_with_other_keys_make_one_table() -> None:
    table = of_records([{"a": 1}, {"b": "x"}])
    assert [json.loads(line) for line in table.json_lines().splitlines()] == [
        {"a": 1, "b": None},
        {"a": None, "b": "x"},
    ]


# An agent at a live table


@pytest.mark.parametrize("book", ids())
def test_the_environment_is_one_by_gymnasiums_own_check(book: str) -> None:
    env = gymnasium.make("punto.gym:punto/AgentTable-v0", book=book, render_mode="ansi").unwrapped
    check_env(env)


def test_a_shoe_pays_what_its_cards_are_settled_at() -> None:
    """By a second way: the cards of the seed dealt off one after the other, and each coup settled alone."""
    env = AgentTable("wu-song", "A", render_mode="ansi")
    env.reset(seed=11)
    expected = np.random.Generator(np.random.PCG64(11)).bytes(32)
    cards = list(shuffle(expected, 8))
    action = np.array([1 if bet in ("banker", "tie") else 0 for bet in env.bets] + [0])
    ended, rewards, due = False, [], []
    seen: dict[str, Any] = {}
    while not ended:
        seen, reward, ended, _, info = env.step(action)
        rewards.append(reward)
        coup = deal_from(tuple(cards[:6]))
        del cards[: len(coup.cards)]
        wagers = [punto.Wager("banker", 10_00), punto.Wager("tie", 10_00)]
        due.append(sum(line.net for line in punto.settle(env.table.book, coup, wagers, layout="A")) / 10_00)
        assert len(info["lines"]) == 2
    assert rewards == due
    assert seen["left"][0] == len(cards) < 14
    assert env.render() == f"{len(due)} rounds, {100 + sum(due):g} chips; last: {coup.winner}"


def test_insurance_is_a_decision_of_its_own_and_cover_is_paid() -> None:
    env = AgentTable("commission-insurance")
    seen, _ = env.reset(seed=3)
    action = np.array([1 if bet == "player" else 0 for bet in env.bets] + [5])
    covered = 0
    for _ in range(60):
        phase = seen["phase"]
        seen, reward, _, _, info = env.step(action)
        if phase == BETS and seen["phase"] == INSURANCE:
            assert (reward, info["lines"]) == (0.0, [])
            assert max(seen["points"]) <= 9
            assert seen["cover"][0] > 0 < seen["price"][0]
        if phase == INSURANCE:
            assert info["refused"] == []
            covered += any("Insurance" in line for line in info["lines"])
    assert covered > 3


def test_what_the_table_does_not_take_is_told_and_the_round_goes_on() -> None:
    env = AgentTable("wu-song", bankroll=1)
    env.reset(seed=1)
    _, reward, _, _, info = env.step(np.array([1] * (len(env.bets) + 1)))
    assert "agent has 0.00 left." in info["refused"]
    assert len(info["lines"]) == 1
    assert reward == (env.table.patrons[AGENT].balance - 10_00) / 10_00


def test_the_same_seed_deals_the_same_shoe() -> None:
    def played(seed: int) -> list[object]:
        env = AgentTable("dragon-tiger-mbs")
        env.reset(seed=seed)
        return [env.step(np.array([2] + [0] * len(env.bets)))[4]["lines"] for _ in range(10)]

    assert played(5) == played(5) != played(6)


def test_before_a_shoe_there_is_no_table() -> None:
    with pytest.raises(gymnasium.error.ResetNeeded):
        AgentTable().step(np.array([0] * 11))
