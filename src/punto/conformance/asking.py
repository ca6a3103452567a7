"""How a program is asked: by its standard input and output, or by HTTP.

The programs are other people's. One that is slow, dies, says nothing or never ends its answer costs the case that it
was asked about, and holds nobody up for longer than an answer may take.
"""

import os
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO
from urllib.parse import urlsplit

from punto.messages import say
from punto.rulebook import Refused

Ask = Callable[[bytes], bytes]
"""One line of JSON in, one out."""

TIMEOUT = 30.0
"""So many seconds an answer may take, if nothing else is said."""

LONGEST = 2**24
"""So many bytes an answer may have."""

_TO_END = 5.0
"""So many seconds a program has to end by itself when all is asked."""


class NoAnswer(Exception):
    """What came instead of an answer; `silent` where nothing came at all."""

    def __init__(self, what: str, *, silent: bool = True) -> None:
        super().__init__(what)
        self.silent = silent


@contextmanager
def by_program(command: list[str], timeout: float = TIMEOUT) -> Iterator[Ask]:
    """Talk to a program that reads questions line by line and writes an answer to each before it reads the next.

    One that ends or does not answer in time is started anew for the next question.
    """
    program = _Program(command, timeout)
    try:
        yield program.ask
    finally:
        program.close()


class _Program:
    """A program that runs while it answers."""

    def __init__(self, command: list[str], timeout: float) -> None:
        self._command, self._timeout = command, timeout
        self._process: subprocess.Popen[bytes] | None = self._started()
        self._exchange: _Exchange | None = None

    def _started(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            start_new_session=True,  # so that what it starts itself can be ended with it
        )

    def ask(self, line: bytes) -> bytes:
        """The answer to one question; `NoAnswer` if there is none."""
        process = self._process = self._process or self._started()
        try:
            self._exchange = _Exchange(lambda: _exchanged(process, line))
            answer = self._exchange.answer(self._timeout)
        except NoAnswer:
            self._end(process)
            raise
        if not answer:
            with suppress(subprocess.TimeoutExpired):
                process.wait(_TO_END)
            status = process.returncode
            self._end(process)
            how = "its output was closed" if status is None else f"the program ended with exit status {status}"
            raise NoAnswer(how)
        return answer

    def close(self) -> None:
        """Close the program's input, so that it can end; whatever then still runs of it is ended."""
        process = self._process
        if process is not None:
            with suppress(OSError):
                _there(process.stdin).close()
            with suppress(subprocess.TimeoutExpired):
                process.wait(_TO_END)
            self._end(process)

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        self._process = None
        with suppress(ProcessLookupError, PermissionError):
            if hasattr(os, "killpg"):
                os.killpg(process.pid, signal.SIGKILL)
            else:
                process.kill()
        process.wait()
        if self._exchange is None or self._exchange.is_over():
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):
                    _there(pipe).close()


def _there(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe


def _exchanged(process: subprocess.Popen[bytes], line: bytes) -> bytes:
    """Write a line, read a line: nothing where the program has ended."""
    asked = _there(process.stdin)
    with suppress(BrokenPipeError):  # what it still said before it ended is read below
        asked.write(line + b"\n")
        asked.flush()
    return _bounded(_there(process.stdout).readline(LONGEST + 1))


def by_http(url: str, timeout: float = TIMEOUT) -> Ask:
    """Send each question to an address as the body of a POST; redirections are not followed."""
    try:
        asked = urlsplit(url)
        host, port = asked.hostname, asked.port
    except ValueError:  # a port or an address in brackets that is none
        host = None
    if host is None or asked.scheme not in ("http", "https"):
        raise Refused(
            say("no-http-address", "{url:quoted} is no address that begins with http:// or https://.", url=url)
        )
    kind = HTTPSConnection if asked.scheme == "https" else HTTPConnection
    target = f"{asked.path or '/'}?{asked.query}" if asked.query else asked.path or "/"

    def ask(line: bytes) -> bytes:
        connection = kind(host, port, timeout=timeout + _TO_END)  # an end of waiting that nobody waits for
        opened: list[socket.socket] = []
        try:
            return _Exchange(lambda: _posted(connection, opened, target, line)).answer(timeout)
        finally:
            for each in opened:
                with suppress(OSError):
                    each.shutdown(socket.SHUT_RDWR)  # whoever still reads from it stops
            connection.close()

    return ask


def _posted(connection: HTTPConnection, opened: list[socket.socket], target: str, line: bytes) -> bytes:
    try:
        connection.connect()
        opened.append(connection.sock)
        connection.request("POST", target, line, {"Content-Type": "application/json", "Connection": "close"})
        with connection.getresponse() as answer:
            if not 200 <= answer.status < 300:
                raise NoAnswer(f"HTTP status {answer.status} {answer.reason}", silent=False)
            return _bounded(answer.read(LONGEST + 1))
    except HTTPException as error:
        raise NoAnswer(f"no HTTP: {error or type(error).__name__}", silent=False) from error


def _bounded(answer: bytes) -> bytes:
    if len(answer) > LONGEST:
        raise NoAnswer(f"more than {LONGEST:,} bytes without an end", silent=False)
    return answer


class _Exchange:
    """A question and its answer, in a thread of their own."""

    def __init__(self, exchange: Callable[[], bytes]) -> None:
        self._came: SimpleQueue[bytes | Exception] = SimpleQueue()
        self._thread = Thread(target=self._work, args=(exchange,), daemon=True)
        self._thread.start()

    def _work(self, exchange: Callable[[], bytes]) -> None:
        try:
            self._came.put(exchange())
        except Exception as error:
            self._came.put(error)

    def answer(self, seconds: float) -> bytes:
        """What came, if it came in time."""
        try:
            answer = self._came.get(timeout=seconds)
        except Empty:
            raise NoAnswer(f"nothing within {seconds:g} seconds") from None
        if isinstance(answer, Exception):
            raise answer
        return answer

    def is_over(self) -> bool:
        """Whether nobody reads or writes any more, or soon will not."""
        self._thread.join(_TO_END)
        return not self._thread.is_alive()
