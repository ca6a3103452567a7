"""What the tests themselves rest upon: whoever is let go goes, whoever is stuck is told so, and a port is one's own."""

import asyncio
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from punto.service.listening import listen, port_of
from service_clients import gone, meanwhile
from service_process import HOST, PATIENCE, free_port

STUCK = """
import asyncio, pytest, threading
from stuck import Watch

async def waits_in_a_loop():
    while True:
        await asyncio.sleep(1)

watch = Watch(0.1, 0.1)
for waits in (threading.Event().wait, lambda: asyncio.run(waits_in_a_loop())):
    with pytest.raises(pytest.fail.Exception, match="it is stuck here"), watch.over():
        waits()
print("told twice")
"""


def test_whoever_is_let_go_while_an_answer_comes_goes_all_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("service_clients._ONCE_MORE", 0.01)

    async def story() -> bool:
        answer = asyncio.get_running_loop().create_future()

        async def asks() -> None:
            await asyncio.wait_for(answer, PATIENCE)
            await asyncio.Event().wait()

        asking = asyncio.create_task(asks())
        await asyncio.sleep(0)
        answer.set_result("Yes.")
        await gone([asking])
        return asking.cancelled()

    assert asyncio.run(asyncio.wait_for(story(), PATIENCE))


def test_who_waits_for_something_is_told_that_nobody_works_on_it_any_more() -> None:
    async def fails() -> None:
        raise KeyError("x")

    async def goes() -> None:
        pass

    async def story() -> None:
        with pytest.raises(KeyError):
            await meanwhile([asyncio.create_task(fails())], lambda: False, "the end")
        with pytest.raises(AssertionError, match="somebody went home before the end"):
            await meanwhile([asyncio.create_task(goes())], lambda: False, "the end")

    asyncio.run(story())


def test_a_test_that_is_stuck_fails_where_it_stands() -> None:
    done = subprocess.run(
        [sys.executable, "-c", STUCK], cwd=Path(__file__).parent, capture_output=True, text=True, timeout=PATIENCE
    )
    assert (done.stdout, done.returncode) == ("told twice\n", 0), done.stderr


def test_a_port_is_given_to_nobody_else_until_a_service_listens_there() -> None:
    port = free_port()
    with socket.socket() as other, pytest.raises(OSError, match="in use"):
        other.bind((HOST, port))
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((HOST, port))
    for _ in range(2):  # and again, when it was ended and is started anew
        [listening] = listen(HOST, port)
        with listening:
            assert port_of(listening) == port
            socket.create_connection((HOST, port)).close()
