"""A wallet of somebody else that misbehaves as it is told: it keeps each key once, whatever it answers."""

import json
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import unquote

HOST = "127.0.0.1"


class WalletServer(ThreadingHTTPServer):
    """Balances, movements by key, and how the next requests are answered, one word each.

    | word | |
    |---|---|
    | fail | 500, and nothing was done |
    | die before | the connection is cut, and nothing was done |
    | die after | it was done, and the connection is cut before the answer |
    | late | it was done, and the answer comes when the house has stopped waiting |
    | later | nothing is done until the house has stopped waiting, and then it is done all the same |
    | drips | it was done, and the answer comes a byte at a time, each before the house is tired of waiting for it |
    | nonsense | it was done, and the answer is no JSON |
    | other | it was done, and the answer is about another key |
    | less | it was done, and the answer says that nothing was moved |
    | twice | it was done, and the answer comes twice |
    """

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__((HOST, 0), _Handler)
        self.balances: dict[str, int] = {}
        self.movements: dict[str, dict[str, Any]] = {}
        self.faults: deque[str] = deque()
        self.faults_of_questions: deque[str] = deque()
        self.takes_money = True
        self.meanwhile: Callable[[], object] = lambda: None
        """What somebody does while it has taken money and has yet to say so."""
        self.asked: list[tuple[str, str]] = []
        self.lock = threading.Lock()
        self.released = threading.Event()

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.server_address[1]}"

    def move(self, what: str, given: dict[str, Any]) -> tuple[int, dict[str, Any]]:
        """Move money once for a key; the answer is always that of the first time."""
        with self.lock:
            key, person, amount = given["key"], given["person"], given["amount"]
            if key not in self.movements:
                after = self.balances.get(person, 0) + (amount if what == "credit" else -amount)
                done = after >= 0 and (what == "debit" or self.takes_money)
                if done:
                    self.balances[person] = after
                self.movements[key] = {"key": key, "done": done, "refused": "" if done else "Too little is there."}
            found = self.movements[key]
        if what == "debit":
            self.meanwhile()
        return (200 if found["done"] else 402), found


class _Handler(BaseHTTPRequestHandler):
    server: WalletServer

    def log_message(self, *_: object) -> None:
        """Nothing is logged."""

    def do_GET(self) -> None:
        key = unquote(self.path.rpartition("/")[2])
        self.server.asked.append(("GET", key))
        fault = self.server.faults_of_questions.popleft() if self.server.faults_of_questions else ""
        found = self.server.movements.get(key)
        self._answer(200 if found else 404, found or {}, fault)

    def do_POST(self) -> None:
        given = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(("POST", given["key"]))
        fault = self.server.faults.popleft() if self.server.faults else ""
        if fault == "fail":
            self._answer(500, {}, "")
        elif fault == "die before":
            self.connection.close()
        else:
            if fault == "later":
                self.server.released.wait(600)
            status, found = self.server.move(self.path.strip("/"), given)
            self._answer(status, found, fault)

    def _answer(self, status: int, body: dict[str, Any], fault: str) -> None:
        if fault in ("die after", "die before", "fail"):
            self.connection.close()
            return
        if fault == "late":
            self.server.released.wait(600)
        if fault == "other":
            body = {**body, "key": "another"}
        if fault == "less":
            body = {**body, "amount": 0}
        data = b"<html>" if fault == "nonsense" else json.dumps(body).encode()
        if fault == "drips":
            data += b" " * 1000
        head = f"HTTP/1.1 {status} x\r\nContent-Length: {len(data)}\r\nConnection: close\r\n\r\n".encode()
        try:
            if fault == "drips":
                for byte in head + data:
                    self.wfile.write(bytes([byte]))
                    self.server.released.wait(0.1)
                return
            for _ in range(2 if fault == "twice" else 1):
                self.wfile.write(head + data)
        except OSError:
            return
        self.close_connection = True


@contextmanager
def wallet_server() -> Iterator[WalletServer]:
    """A wallet that listens while this lasts."""
    server = WalletServer()
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.released.set()
        server.shutdown()
        server.server_close()
        thread.join()
