"""An answer is one packet; nothing is lost, reordered or piled up by that."""

import asyncio
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest

from punto.service.http.gathered import MOST, GatheredWrites
from service_process import HOST, Service
from warm_start import warm_starts


class Beneath(asyncio.Transport):
    """A connection that notes what is done to it."""

    def __init__(self) -> None:
        super().__init__()
        self.done: list[Any] = []
        self.is_gone = False

    def is_closing(self) -> bool:
        return self.is_gone

    def write(self, data: Any) -> None:
        self.done.append(bytes(data))

    def close(self) -> None:
        self.done.append("close")

    def abort(self) -> None:
        self.done.append("abort")

    def write_eof(self) -> None:
        self.done.append("eof")

    def get_write_buffer_size(self) -> int:
        return 7

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        self.done.append(protocol)


async def _over(beneath: Beneath) -> GatheredWrites:
    return GatheredWrites(beneath, asyncio.get_running_loop())


def test_what_is_written_in_one_turn_is_sent_at_its_end_together() -> None:
    async def story() -> list[Any]:
        beneath = Beneath()
        line = await _over(beneath)
        line.write(b"head ")
        line.write(bytearray(b"body"))
        assert beneath.done == []
        assert line.get_write_buffer_size() == 9 + 7
        await asyncio.sleep(0)
        assert line.get_write_buffer_size() == 7
        line.write(b"next")
        await asyncio.sleep(0)
        return beneath.done

    assert asyncio.run(story()) == [b"head body", b"next"]


@pytest.mark.parametrize("end", ["close", "eof"])
def test_what_waits_is_sent_before_the_end(end: str) -> None:
    async def story() -> list[Any]:
        beneath = Beneath()
        line = await _over(beneath)
        line.write(b"last words")
        if end == "close":
            line.close()
        else:
            line.write_eof()
        await asyncio.sleep(0)
        return beneath.done

    assert asyncio.run(story()) == [b"last words", end]


def test_a_connection_that_is_dropped_sends_nothing_more() -> None:
    async def story() -> list[Any]:
        beneath = Beneath()
        line = await _over(beneath)
        line.write(b"too late")
        line.abort()
        await asyncio.sleep(0)
        return beneath.done

    assert asyncio.run(story()) == ["abort"]


def test_another_protocol_gets_the_connection_with_nothing_left_to_send() -> None:
    async def story() -> tuple[list[Any], bool]:
        beneath = Beneath()
        line = await _over(beneath)
        line.write(b"switching")
        same = line.flushed() is beneath
        return beneath.done, same

    assert asyncio.run(story()) == ([b"switching"], True)


def test_much_does_not_wait_so_that_whoever_writes_is_held_back() -> None:
    """Whoever writes without end in one turn has never more than `MOST` bytes waiting here."""

    async def story() -> tuple[int, int]:
        beneath, most = Beneath(), 0
        line = await _over(beneath)
        for _ in range(100):
            line.write(b"x" * 10_000)
            most = max(most, line.get_write_buffer_size() - 7)
        await asyncio.sleep(0)
        return sum(map(len, beneath.done)), most

    sent, most = asyncio.run(story())
    assert sent == 1_000_000
    assert most <= MOST


def test_what_waits_when_the_other_side_is_gone_is_let_go() -> None:
    async def story() -> list[Any]:
        beneath = Beneath()
        line = await _over(beneath)
        line.write(b"too late")
        beneath.is_gone = True
        await asyncio.sleep(0)
        assert line.get_write_buffer_size() == 7
        return beneath.done

    assert asyncio.run(story()) == []


def test_an_answer_of_the_service_comes_whole_and_pipelined_ones_in_order(tmp_path: Path) -> None:
    """Three requests in one packet, the last of which closes: three answers, in order, as by themselves."""
    service = Service(tmp_path, f"sqlite:///{tmp_path}/p.db", warm_starts())
    service.start()
    try:
        alone = httpx.get(f"http://{HOST}:{service.port}/static/icon.svg", timeout=600)
        assert alone.status_code == 200
        with socket.create_connection((HOST, service.port)) as line:
            keep = b"GET /health HTTP/1.1\r\nhost: x\r\n\r\n"
            last = b"GET /static/icon.svg HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n"
            line.sendall(keep + keep + last)
            found = b""
            while more := line.recv(65536):
                found += more
        assert found.count(b"HTTP/1.1 200 OK") == 3
        assert found.endswith(alone.content)
    finally:
        service.kill()
