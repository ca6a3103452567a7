"""The page on embedding: a back end plays the round that it shows, for two players without accounts."""

import json
import re
from pathlib import Path
from typing import Any

import httpx

from service_process import People, Service, database

from console import DOCS

PAGE = (DOCS / "embedding.md").read_text(encoding="utf-8")


def told(heading: str) -> list[dict[str, Any]]:
    """The JSON of a part of the page, in order: whole blocks, and blocks of an object a line."""
    part = PAGE.partition(f"{{#{heading}}}\n")[2].partition("\n## ")[0]
    found = []
    for block in re.findall(r"```json\n(.*?)```", part, re.S):
        whole = block.startswith("{\n")
        found += [json.loads(each) for each in ([block] if whole else block.splitlines())]
    return found


def balance(client: httpx.Client, patron: str, head: dict[str, str]) -> int | None:
    """What a patron has at the table, as whoever asks sees it."""
    patrons = client.get("/api/tables/studio-1", headers=head).json()["view"]["patrons"]
    [found] = [each for each in patrons if each["name"] == patron]
    seen: int | None = found["balance"]
    return seen


def test_a_back_end_plays_the_round_of_the_page(tmp_path: Path) -> None:
    opening, *round_of_the_page = told("round")
    [paid] = told("paid")
    [misread] = told("misread")
    with database("sqlite") as store:
        people = People(store.url)
        shift = {"Authorization": f"Bearer {people.staff('sue', 'table-game-shift-manager')}"}
        backend = {"Authorization": f"Bearer {people.staff('backend', 'dealer')}"}
        with Service(tmp_path, store.url).start() as service, httpx.Client(base_url=service.address) as client:
            where = "/api/tables/studio-1/commands"
            assert client.post(where, json=opening, headers=shift).status_code == 200
            for command in round_of_the_page:
                answer = client.post(where, json=command, headers=backend)
                assert answer.status_code == 200, (command, answer.text)

            [settled] = [each["event"] for each in answer.json()["events"]]
            only = "player-4711"
            for key in ("lines", "spots", "moves"):
                assert settled[key][only] == paid[key][only]
            shared = settled.keys() - {"lines", "spots", "moves"}
            assert shared == paid.keys() - {"lines", "spots", "moves"}
            assert {key: settled[key] for key in shared} == {key: paid[key] for key in shared}

            bought, staked, back = 100000, 11000, paid["moves"][only][0]
            assert balance(client, only, backend) == bought - staked + back

            answer = client.post(where, json=misread, headers=backend)
            events = [each["event"] for each in answer.json()["events"]]
            assert [each["faces"] for each in events if each["event"] == "faces-corrected"] == [["2h"]]
            [again] = [each for each in events if each["event"] == "round-settled"]
            assert (again["again"], again["winner"]) == (True, "tie")
            # Tie at 7: the 100.00 on Player come back, and Banker Small 7 loses its 10.00 instead of winning 150.00.
            assert again["moves"][only] == [10000 - back, 0]

            assert balance(client, only, backend) == bought - 1000
            assert balance(client, only, {}) is None  # the public sees nobody's chips


def test_the_pages_of_the_service_stand_in_no_frame_and_are_read_by_no_other_site(tmp_path: Path) -> None:
    with database("sqlite") as store, Service(tmp_path, store.url).start() as service:
        answer = httpx.get(f"{service.address}/api/tables", headers={"Origin": "https://play.example"})
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert not [name for name in answer.headers if name.startswith("access-control")]
