"""The page on connecting a bot: its bodies are what the service takes and answers, and its program plays."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
from websockets.sync.client import connect

from service_process import PATIENCE, People, Service, database, until

from console import DOCS

PAGE = (DOCS / "bot.md").read_text(encoding="utf-8")
PROGRAM = DOCS.parent / "examples/bot.py"


def bodies(heading: str) -> list[dict[str, Any]]:
    """The JSON of a part of the page, in order."""
    part = PAGE.partition(f"{{#{heading}}}\n")[2].partition("\n## ")[0]
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", part, re.S)]


def same_keys(told: Any, found: Any) -> bool:
    """Whether two bodies have the same keys, however deep, and values of the same kinds; what goes by name may vary."""
    if isinstance(told, dict) and isinstance(found, dict):
        return set(told) == set(found) and all(same_keys(told[key], found[key]) for key in told)
    return type(told) is type(found)


def test_what_the_page_shows_is_what_goes_over_the_line(tmp_path: Path) -> None:
    """A table is opened by the body of the page, a guest acts at it, the stream tells of it, and the program plays."""
    with database("sqlite") as store:
        people = People(store.url)
        shift = {"Authorization": f"Bearer {people.staff('sue', 'table-game-shift-manager')}"}
        people.with_password("ann", "correct horse battery")
        given = {"guests": True, "pace": 0.05, "betting_seconds": 5}
        with Service(tmp_path, store.url, **given).start() as service, httpx.Client(base_url=service.address) as client:
            where = "/api/tables/evening/commands"
            [opening] = bodies("open-table")
            opened = client.post(where, json=opening, headers=shift)
            assert opened.status_code == 200, opened.text
            assert opened.json()["events"][0]["event"]["setup"]["shoe"] == "virtual"

            wrong = client.post("/api/guest", headers={"Authorization": "Bearer none"})
            guest = {"Authorization": f"Bearer {wrong.json()['token']}"}
            cookie = wrong.headers["set-cookie"]
            assert cookie.startswith("punto=")
            assert cookie.endswith("; HttpOnly; Path=/; SameSite=strict")
            [me] = bodies("session")
            found = client.get("/api/me", headers=guest).json()
            assert same_keys(me, found)

            command, answer = bodies("command")
            command["patron"] = found["person"]
            client.post(where, json={"do": "stand", "patron": found["person"]}, headers=guest)
            bought = client.post(where, json=command, headers=guest)
            assert (bought.status_code, same_keys(answer, bought.json())) == (200, True)

            after_the_call, no_command = bodies("refusal")
            refused = client.post(where, json={"do": "plce"}, headers=guest)
            assert (refused.status_code, refused.json()) == (400, no_command)
            place = {"do": "place", "patron": found["person"], "box": 1, "bet": "player", "stake": 1000}

            def closed() -> dict[str, Any] | None:
                """The refusal of a wager, once bets are closed; until then it is laid, or there is no round yet."""
                said = client.post(where, json=place, headers=guest)
                return said.json() if said.status_code == 409 and "closed" in said.text else None

            assert until(closed, "the closing call") == after_the_call

            stream = f"{service.address.replace('http', 'ws')}/api/tables/evening/stream?after=0"
            told: dict[str, Any] = {}
            with connect(stream, additional_headers=guest) as socket:
                socket.send(json.dumps({"key": "k7", "command": {"do": "place"} | place | {"stake": 1}}))
                while not {"wager-placed", "round-settled", "k7"} <= told.keys():
                    message = json.loads(socket.recv(timeout=PATIENCE))
                    told[message["key"] if "key" in message else message["event"]["event"]] = message
            placed, settled = bodies("stream")
            assert same_keys(placed, told["wager-placed"])
            assert set(settled["event"]) == set(told["round-settled"]["event"])
            assert {"key", "refused", "clauses", "message", "kind"} == told["k7"].keys()
            names = client.get("/api/schema/openapi.json").json()["components"]["schemas"].keys()
            assert names >= {"ToldEntry", "WagerPlaced", "OpenTable"}

            for name in ([], ["ann"]):
                done = subprocess.run(
                    [sys.executable, PROGRAM, service.address, "evening", *name],
                    env=os.environ | {"BOT_PASSWORD": "correct horse battery"},
                    capture_output=True,
                    text=True,
                    timeout=PATIENCE,
                    check=False,
                )
                lines = done.stdout.splitlines()
                assert (done.returncode, lines[0]) == (0, "placed"), done.stderr
                assert re.search(r" on Player (wins|loses|comes back).* net -?\d+$", lines[-1])
