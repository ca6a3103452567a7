"""Who is answered on which route: every route of the service and everybody who may ask, held against a list.

`routes.toml` says it by hand, a row a route. A route that is not there fails, and so does an answer to somebody for
whom it is not meant; everything is asked by the session's cookie and by its token.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import httpx
import pytest

from punto.amounts import show_money
from route_callers import (
    BOUGHT_ELSEWHERE,
    CALLERS,
    GOOD,
    OTHER_PAGE,
    OWN_LIMIT,
    PATRONS,
    STRANGERS,
    Answered,
    House,
    house,
    key_of,
    routes_of,
    ways,
)
from service_process import bearer

LISTED: dict[str, dict[str, dict[str, Any]]] = tomllib.loads(
    (Path(__file__).parent / "routes.toml").read_text(encoding="utf-8")
)
ROUTES, TOLD = LISTED["routes"], LISTED["told"]
CHANGES = [each for each in ROUTES if not each.startswith("GET ")]
ABOVE_DEALER = ("supervisor", "pit", "top", "top-everywhere")
GROUPS = {
    "everybody": CALLERS,
    "anybody": ("nobody", "foreign-cookie", *GOOD),
    "known": GOOD,
    "patrons": PATRONS,
    "supervisor+": ABOVE_DEALER,
    "staff": ("dealer", "dealer-everywhere", *ABOVE_DEALER),
    "cash": ("cashier", "cashier-everywhere"),
}
ANSWERED = range(200, 400)
SOCKET_REFUSED, OTHER_PAGES_SOCKET = 4401, 4403
Cell = tuple[str, str, str]
"""A route, a caller, and the way in which they show who they are."""


class Asked(NamedTuple):
    """Everything that was asked and answered, and the house it was asked of."""

    house: House
    answers: dict[Cell, Answered]
    grown: list[str]
    """The routes that only read, and by which a chain of the house grew all the same."""
    private: dict[str, tuple[str, ...]]
    """What is not for everybody, as it may be written."""


def callers(words: str) -> set[str]:
    """The callers whom a row names."""
    found = {one for each in words.split() for one in GROUPS.get(each, (each,))}
    assert found <= set(CALLERS), found - set(CALLERS)
    return found


def expected(route: str, caller: str) -> int | None:
    """The status of a refusal; None where somebody is answered."""
    row = ROUTES[route]
    if caller in callers(row["to"]):
        return None
    status: int = row.get("strangers" if caller in STRANGERS else "else", 403)
    if caller in callers(row.get("seen", "")):
        status = 403
    return SOCKET_REFUSED if route.startswith("WS ") and status == 403 else status


def in_figures(amount: int) -> tuple[str, str]:
    """An amount as programs read it and as people do."""
    return str(amount), show_money(amount, "USD")


def told(answers: dict[Cell, Answered], *texts: str) -> set[str]:
    """Whom something was told, whatever they had asked for."""
    whole = re.compile("|".join(rf"(?<![\w.-]){re.escape(text)}(?![\w-])" for text in texts))
    return {
        caller
        for (_, caller, _), answer in answers.items()
        if any(text in answer.text for text in texts) and whole.search(answer.text)
    }


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Asked]:
    with house(tmp_path_factory.mktemp("routes")) as found:
        request = found.casino.requests.ask("t", found.person("patron"), "buy-in", 1000, "now")
        private = {
            "what the patron wants to lose at most": in_figures(OWN_LIMIT),
            "a session of the patron": (found.session_of(found.tokens["patron"]),),
            "what the patron asks of the cage": (request.id,),
            "what was bought at the other table": in_figures(BOUGHT_ELSEWHERE),
        }
        answers: dict[Cell, Answered] = {}
        grown = []
        for route in sorted(ROUTES, key=lambda each: not each.startswith("GET ")):  # what reads comes first
            before = found.chains()
            for caller in CALLERS:
                for way in ways(caller):
                    answers[route, caller, way] = found.answer(route, caller, way)
            if route.startswith("GET ") and found.chains() != before:
                grown.append(route)
        yield Asked(found, answers, grown, private)


def test_every_route_has_a_row(asked: Asked) -> None:
    assert {each.split(" # ")[0] for each in ROUTES} == routes_of(asked.house.client.app)


@pytest.mark.parametrize("route", ROUTES)
def test_whoever_asks_is_answered_or_refused_as_the_list_says(asked: Asked, route: str) -> None:
    wrong = {
        (caller, way): (found.status, found.text[:200])
        for (of, caller, way), found in asked.answers.items()
        if of == route and (None if found.status in ANSWERED else found.status) != expected(route, caller)
    }
    assert not wrong


def test_what_only_reads_changes_nothing(asked: Asked) -> None:
    assert asked.grown == []


@pytest.mark.parametrize("what", TOLD)
def test_what_is_not_for_everybody_is_told_to_these_and_to_nobody_else(asked: Asked, what: str) -> None:
    assert told(asked.answers, *asked.private[what]) == callers(TOLD[what]["to"])


def test_nobody_is_told_a_login_name_but_their_own(asked: Asked) -> None:
    for caller, login in asked.house.logins.items():
        assert told(asked.answers, login) == ({caller} if caller in GOOD else set()), login
    assert told(asked.answers, "login-lou") == set()


@pytest.mark.parametrize("route", CHANGES)
def test_a_page_of_another_host_changes_nothing_whoever_looks_at_it(asked: Asked, route: str) -> None:
    for caller in CALLERS:
        ask = asked.house.ask(route, caller)
        before = asked.house.chains()
        for way in ways(caller):
            for origin in (OTHER_PAGE, "null"):
                found = asked.house.send(route, caller, way, ask, origin)
                if route.startswith("WS "):
                    assert found.status == OTHER_PAGES_SOCKET, (caller, way, origin)
                else:
                    said = json.loads(found.text)["message"]["id"]
                    assert (found.status, said) == (403, "page-may-not-speak"), (caller, way, origin)
        assert asked.house.chains() == before


@pytest.mark.parametrize("caller", CALLERS)
def test_a_command_on_a_socket_is_answered_as_by_a_request(asked: Asked, caller: str) -> None:
    for way in ways(caller):
        by_request = asked.answers["POST /api/tables/{name:str}/commands", caller, way]
        by_socket = asked.house.by_socket(caller, way, key_of(caller), asked.house.command(caller))
        if by_request.status == 200:
            assert by_socket.get("repeated") is True, by_socket
        else:
            assert by_socket.get("kind", "Denied") == "Denied", by_socket


def test_a_key_stands_for_one_command_on_sockets_and_requests(asked: Asked) -> None:
    found = asked.house
    one, other = ({**found.command("patron"), "says": says} for says in ("It was mine.", "It was hers."))
    path, head = "/api/tables/t/commands", bearer(found.tokens["patron"])

    def by_request(key: str, command: dict[str, Any]) -> httpx.Response:
        return found.client.post(path, json=command, headers={**head, "Idempotency-Key": key})

    assert by_request("first by request", one).status_code == 200
    refused = found.by_socket("patron", "bearer", "first by request", other)
    assert found.by_socket("patron", "bearer", "first by request", one)["repeated"]
    assert not found.by_socket("patron", "bearer", "first by socket", one)["repeated"]
    again = by_request("first by socket", other)
    assert (again.status_code, again.json()["message"]) == (409, refused["message"])
    assert by_request("first by socket", one).json()["repeated"]
