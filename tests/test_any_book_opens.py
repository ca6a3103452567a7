"""A book of any kind that loads is opened, drilled, demonstrated and trained with by what it allows itself."""

import random
from pathlib import Path

import msgspec
import pytest
from litestar.testing import TestClient

from own_head import head
from punto.rulebook import SHIPPED, Book, menu, parse
from punto.service.demo.demonstration import LIMITS, opening
from punto.service.http.app import build
from punto.service.training import irregularity, mark_payout, payout
from punto.service.training.situations import some_table
from punto.settlement import chips_of, payable
from punto.table import act
from service_process import bearer
from service_room import quick

METHODS = """[dealing]
methods = { value = ["A", "C"], clause = "D" }
method-choice = { value = "before-the-round", by = "dealer", clause = "D" }
method-c = { value = "high-limit-area-only", by = "dealer", clause = "D" }
"""
DOWN = '[policy]\npayout-rounding = { value = "down", choices = ["down"], reading = "AMB-30", clause = "M" }\n'
BANKER = """[[pays.banker]]
bet = "banker"
when = { winner = "banker" }
odds = "17:19"
clause = "P"
[[pays.banker]]
bet = "banker"
when = { winner = "tie" }
result = "stand-off"
clause = "P"
"""
KINDS = {
    "one-deck": 'decks = { counts = [1], clause = "E" }\n',
    "twelve-decks": 'decks = { counts = [12], clause = "E" }\n',
    "no-tie": 'remove = ["bets.tie", "pays.tie"]\n[layouts.plain]\npays = ["player", "banker"]\n',
    "rounded-down": DOWN,
    "thirty-cents": '[money]\npayout-unit = { value = "0.30", clause = "M" }\n',
    "twenty-fives": '[money]\npayout-unit = { value = "25", clause = "M" }\n' + DOWN,
    "payout-displayed": '[limits]\ndisplayed = { value = ["payout"], clause = "M" }\n'
    'payout-scope = { value = "table", clause = "M" }\n',
    "notice": '[layouts.plain]\nnotice = { says = "Mind the step.", clause = "N" }\n',
    "methods-a-and-c": METHODS,
    "depends": '[bets.player]\nnot-with = { bets = ["banker", "tie"], clause = "B" }\n'
    '[bets.tie]\nneeds = { bets = "banker", clause = "B" }\n',
    "steps-of-nineteen": BANKER,
    "one-box": "[layouts.plain]\npositions = { min = 1, max = 1 }\n",
    "printed": '[cards]\nprinted = { player-first = "7", clause = "G" }\n',
    "other-ranks": '[authority]\nranks = [["dealer", "croupier"], ["boss"]]\n'
    'residual = { value = "uncovered", by = "boss", clause = "A" }\n',
    "by-hand": "",
}
FACT = """[[irregularity]]
fact = "exposed-card"
do = ["void"]
clause = "I"
"""


def book_of(kind: str) -> Book:
    return parse((head(kind) + KINDS[kind] + FACT).encode(), f"{kind}.toml")


@pytest.mark.parametrize("kind", KINDS)
def test_a_table_of_it_is_opened_and_it_is_drilled(kind: str) -> None:
    book = book_of(kind)
    residual = book.point("authority", "residual")
    assert residual is not None
    opened = msgspec.structs.replace(opening(book), by=residual.by)
    table, _ = act(None, opened, SHIPPED.with_book(book))
    limits = table.setup.limits
    assert payable(menu(book), limits) == limits
    for name, priced in menu(book).bets.items():
        least, step = limits.minimum_of(name), chips_of(book, limits).step(priced)
        assert least is not None
        assert least % step == 0
    for seed in range(8):
        asked = payout(book, None, seed).wagers
        assert mark_payout(book, None, seed, [None] * len(asked)).lines
        some_table(book, random.Random(seed))
    assert irregularity(book, 1).book == kind


def test_limits_that_a_book_takes_are_left_as_they_are() -> None:
    for name in ("wu-song", "dragon-tiger-mbs"):
        assert payable(menu(SHIPPED.book(name)), LIMITS) == LIMITS


def test_a_demonstration_leaves_out_a_book_that_is_not_in_effect_and_shows_the_others(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    for kind in ("rounded-down", "no-tie", "by-hand"):
        (own / f"{kind}.toml").write_text(head(kind) + KINDS[kind], encoding="utf-8")
    later = head("later").replace("2026-01-01", "2199-01-01")
    (own / "later.toml").write_text(later, encoding="utf-8")
    app = build(quick(f"sqlite:///{tmp_path}/house.db", tmp_path, books=str(own)), demo=True)
    with TestClient(app) as client:
        accounts = app.state.casino.accounts
        token = accounts.token(accounts.make("ann", "patron", person="ann"))
        shown = {each["name"]: each["book"] for each in client.get("/api/tables", headers=bearer(token)).json()}
    assert {"rounded-down", "no-tie"} <= set(shown)
    assert shown["by-hand"] == "by-hand"
    assert "later" not in shown
