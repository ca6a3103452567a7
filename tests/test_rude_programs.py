"""Programs that a kit is run against may be rude: slow, silent, dying, endless. Each costs its case, never the run."""

import shlex
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from xml.etree import ElementTree

import msgspec
import pytest
from typer.testing import CliRunner

from punto.conformance import Answers, CaseVerdict, Kit, KitCase, asking, by_http, by_program, difference, junit, run
from punto.conformance.kit import Coverage
from whole_app import app

RUN = CliRunner()
ROUNDS = ("9 2 K 4", "6 2 K A 5", "7 8 K K")
ENGINE = Answers()


def case(number: int, cards: str) -> KitCase:
    ask = {"round": {"rulebook": "wu-song", "cards": cards, "wagers": [{"bet": "tie", "stake": "10"}]}}
    expect = {key: value for key, value in ENGINE.answer({"id": 1, **ask}).items() if key != "id"}
    return KitCase(f"round-{number}", ("outcome",), ask, expect)


CASES = [case(number, cards) for number, cards in enumerate(ROUNDS, start=1)]
KIT = Kit(1, "wu-song", "", len(CASES), 0, Coverage(0, 0, 0, 0, ()))

RIGHT = "sys.stdout.buffer.write(answers.line(line.encode()) + b'\\n'); sys.stdout.flush()"


def program(*each_question: str) -> list[str]:
    """A program that does so with each question."""
    lines = ["import os, signal, sys, time", "from punto.conformance import Answers", "answers = Answers()"]
    loop = ["for line in sys.stdin:", *(f"    {each}" for each in each_question)]
    return [sys.executable, "-c", "\n".join([*lines, *loop])]


def asked(command: list[str], cases: list[KitCase] = CASES, timeout: float = 600.0) -> list[CaseVerdict]:
    with by_program(command, timeout) as ask:
        return list(run(cases, ask, timeout=timeout))


def told(verdicts: list[CaseVerdict]) -> list[str]:
    return [each.wrong or "" for each in verdicts]


# By standard input


def test_a_program_that_answers_is_asked_to_the_end() -> None:
    assert told(asked(program(RIGHT))) == ["", "", ""]


def test_a_silent_program_is_given_up_and_the_rest_is_not_asked() -> None:
    many = [case(number, ROUNDS[0]) for number in range(1, 8)]
    found = asked(program("time.sleep(3600)"), many, timeout=0.5)
    assert told(found)[0] == "no answer: nothing within 0.5 seconds"
    assert told(found)[-1] == "not asked: nothing has come for too long"
    assert not any(each.answered for each in found)


def test_a_program_that_dies_at_one_question_is_asked_the_next() -> None:
    dies = program("if 'round-2' in line: os._exit(3)", RIGHT)
    assert told(asked(dies)) == ["", "no answer: the program ended with exit status 3", ""]


def test_a_program_that_reads_nothing_holds_nobody_up() -> None:
    """The question is longer than a pipe holds."""
    long = msgspec.structs.replace(CASES[0], ask={**CASES[0].ask, "besides": "x" * 2**20})
    deaf = [sys.executable, "-c", "import time; time.sleep(3600)"]
    assert told(asked(deaf, [long], timeout=0.5)) == ["no answer: nothing within 0.5 seconds"]


RUBBISH = {
    "an empty line": "print(flush=True)",
    "no JSON": "print('{\"id\": ', flush=True)",
    "a list": "print([1], flush=True)",
    "a number": "print(7, flush=True)",
    "no UTF-8": 'sys.stdout.buffer.write(b\'{"id": "\\xff"}\\n\'); sys.stdout.flush()',
    "too deep": "print('[' * 100_000, flush=True)",
    "another id": 'print(\'{"id": "round-9"}\', flush=True)',
    "not a number": "print('{\"id\": NaN}', flush=True)",
    "half a sign": 'print(\'{"id": "round-1", "winner": "\\\\ud800"}\', flush=True)',
}


@pytest.mark.parametrize("what", RUBBISH)
def test_rubbish_fails_its_case_and_is_reported(what: str) -> None:
    found = asked(program(RUBBISH[what]))
    assert all(each.wrong for each in found)
    assert len(ElementTree.fromstring(junit(KIT, found))) == len(CASES)


def test_an_answer_without_an_end_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "LONGEST", 2**16)
    endless = program("while True: sys.stdout.write('x' * 4096)")
    assert told(asked(endless)) == ["no answer: more than 65,536 bytes without an end"] * 3


def test_answers_without_an_end_are_answers_to_nothing() -> None:
    found = asked(program("while True: print('{}', flush=True)"))
    assert told(found) == [f"the answer is not to round-{number}: {{}}" for number in (1, 2, 3)]


def test_whatever_a_program_has_started_ends_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It answers rightly, ignores the end of its input and the request to end, and so does its child."""
    monkeypatch.setattr(asking, "_TO_END", 0.5)
    pids = tmp_path / "pids"
    stubborn = program(RIGHT)
    stubborn[-1] = (
        "import os, signal\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nchild = os.fork()\n"
        "if child == 0: signal.pause()\n"
        f"print(os.getpid(), child, file=open({str(pids)!r}, 'w'), flush=True)\n"
        f"{stubborn[-1]}\nsignal.pause()"
    )
    assert told(asked(stubborn)) == ["", "", ""]
    ended = [int(each) for each in pids.read_text().split()]
    assert len(ended) == 2
    assert not any(_runs(each) for each in ended)


def _runs(pid: int) -> bool:
    """Whether a process runs; one that nobody has asked about since it ended does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


# By HTTP

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"


def _read_whole(client: socket.socket) -> None:
    """Read a question to its end: who closes before that resets the connection, and an answer may be lost."""
    with client.makefile("rb") as asked:
        head = list(iter(asked.readline, b"\r\n"))
        [length] = [int(line.partition(b":")[2]) for line in head if line.lower().startswith(b"content-length:")]
        asked.read(length)


@pytest.fixture
def server() -> Iterator[Callable[[Callable[[socket.socket, threading.Event], None]], str]]:
    """Opens an address at which every question is met with something."""
    over = threading.Event()
    listening = socket.create_server(("127.0.0.1", 0))

    def serve(answer: Callable[[socket.socket, threading.Event], None]) -> str:
        def accept() -> None:
            while True:
                try:
                    client, _ = listening.accept()
                except OSError:
                    return
                threading.Thread(target=meet, args=(client,), daemon=True).start()

        def meet(client: socket.socket) -> None:
            with client:
                try:
                    _read_whole(client)
                    answer(client, over)
                except OSError:
                    return

        threading.Thread(target=accept, daemon=True).start()
        return f"http://127.0.0.1:{listening.getsockname()[1]}/ask?of=punto"

    yield serve
    over.set()
    listening.shutdown(socket.SHUT_RDWR)
    listening.close()


def _silent(_: socket.socket, over: threading.Event) -> None:
    over.wait()


def _drop_by_drop(client: socket.socket, over: threading.Event) -> None:
    client.sendall(HEAD)
    while not over.wait(0.05):
        client.sendall(b"X-More: 1\r\n"[:1])


def _endless(client: socket.socket, over: threading.Event) -> None:
    client.sendall(HEAD + b"\r\n")
    while not over.is_set():
        client.sendall(b"x" * 4096)


def _says(text: bytes) -> Callable[[socket.socket, threading.Event], None]:
    return lambda client, _: client.sendall(text)


MET = {
    "silent": (_silent, "no answer: nothing within 0.5 seconds"),
    "drop by drop": (_drop_by_drop, "no answer: nothing within 0.5 seconds"),
    "endless": (_endless, "no answer: "),
    "closed": (_says(b""), "no answer: "),
    "broken off": (_says(HEAD + b"Content-Length: 99\r\n\r\n{"), "no answer: Input data was truncated"),
    "no HTTP": (_says(b"{}\n"), "no answer: no HTTP: {}"),
    "out of order": (_says(b"HTTP/1.1 500 Oops\r\nContent-Length: 0\r\n\r\n"), "no answer: HTTP status 500 Oops"),
    "elsewhere": (_says(b"HTTP/1.1 302 Found\r\nLocation: /\r\n\r\n"), "no answer: HTTP status 302 Found"),
    "empty": (_says(HEAD + b"Content-Length: 0\r\n\r\n"), "no answer: Input data was truncated"),
    "another": (_says(HEAD + b"Content-Length: 2\r\n\r\n[]"), "the answer is not to round-1: []"),
}


@pytest.mark.parametrize("how", MET)
def test_a_rude_system_fails_its_cases(how: str, server: Callable[..., str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "LONGEST", 2**16)
    answer, begins = MET[how]
    waits = 0.5 if begins.endswith("seconds") else 600.0
    [found] = run(CASES[:1], by_http(server(answer), waits), timeout=waits)
    assert (found.wrong or "").startswith(begins)


def test_where_nobody_listens_nobody_answers() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        url = f"http://127.0.0.1:{listening.getsockname()[1]}"
    found = list(run(CASES, by_http(url)))
    assert [each.silent for each in found] == [True] * 3


# The report, and the command


def test_a_report_has_what_readers_of_junit_look_for() -> None:
    """Counts of tests, failures, errors and skipped, a time for each, and a type of what went wrong."""
    dies = program(
        "if 'round-2' in line: os._exit(3)", "if 'round-3' in line: line = line.replace('7 8', '8 7')", RIGHT
    )
    suite = ElementTree.fromstring(junit(KIT, asked(dies)))
    assert suite.tag == "testsuite"
    assert [suite.get(key) for key in ("tests", "failures", "errors", "skipped")] == ["3", "1", "1", "0"]
    assert float(suite.get("time", "")) >= sum(float(each.get("time", "")) for each in suite) - 0.01
    assert [each.get("classname") for each in suite] == ["wu-song.round"] * 3
    assert [[(one.tag, one.get("type")) for one in each] for each in suite] == [
        [],
        [("error", "no answer")],
        [("failure", "wrong answer")],
    ]
    assert '"id":"round-3"' in (suite[2][0].text or "")


def test_a_report_is_xml_whatever_was_answered() -> None:
    """A bell, an end of file, half a sign: no XML can hold them."""
    found = CaseVerdict(CASES[0], "winner: found \x00\x07\x1a\ufffe\ud800 & <tie>")
    suite = ElementTree.fromstring(junit(KIT, [found]))
    assert suite[0][0].get("message") == "winner: found \\u0000\\u0007\\u001a\\ufffe\\ud800 & <tie>"


def test_true_is_no_number() -> None:
    assert difference({"player": 1}, {"player": True}) == "player: expected 1, found true"
    assert difference({"free": False}, {"free": 0}) == "free: expected false, found 0"
    assert difference({"player": 7}, {"player": 7.0}) is None


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "kit.json").write_bytes(msgspec.json.encode(KIT))
    (tmp_path / "rounds.jsonl").write_bytes(b"".join(msgspec.json.encode(each) + b"\n" for each in CASES))
    (tmp_path / "stories.jsonl").write_bytes(b"")
    return tmp_path


def ran(folder: Path, *options: str) -> tuple[int, str]:
    found = RUN.invoke(app, ["conformance", "run", str(folder), *options])
    return found.exit_code, found.stdout if found.exception is None else str(found.exception)


def test_the_command_gives_a_silent_program_the_time_that_it_is_told(folder: Path) -> None:
    silent = shlex.join(program("time.sleep(3600)"))
    found = RUN.invoke(app, ["conformance", "run", str(folder), "--program", silent, "--timeout", "0.5"])
    assert found.exit_code == 1
    assert "round-1 (outcome): no answer: nothing within 0.5 seconds\n" in found.stdout
    assert found.stdout.endswith("0 of 3 cases as the book says.\n")


@pytest.mark.parametrize("line", ["", "   ", "'never closed"])
def test_what_is_no_command_line_is_refused(folder: Path, line: str) -> None:
    status, says = ran(folder, "--program", line)
    assert (status, says.endswith(" is no command line.")) == (1, True)


@pytest.mark.parametrize(
    "url",
    ["file:///etc/passwd", "127.0.0.1:80", "http://", "ftp://127.0.0.1/", "http://[::1", "http://127.0.0.1:99999/"],
)
def test_what_is_no_address_is_refused(folder: Path, url: str) -> None:
    assert ran(folder, "--url", url) == (1, f"'{url}' is no address that begins with http:// or https://.")


def test_a_key_that_no_answer_has_is_not_left_out(folder: Path) -> None:
    status, says = ran(folder, "--program", shlex.join(program(RIGHT)), "--leave-out", "clause")
    assert status == 1
    assert says.startswith("No answer of this kit has a key 'clause'. It has: ")
    assert ran(folder, "--program", shlex.join(program(RIGHT)), "--leave-out", "clauses")[0] == 0


def test_a_kit_that_is_not_whole_is_refused(folder: Path) -> None:
    """Nothing that is asked by half counts as passed; nor does nothing at all."""
    (folder / "rounds.jsonl").write_bytes(msgspec.json.encode(CASES[0]) + b"\n")
    status, says = ran(folder, "--program", shlex.join(program(RIGHT)))
    assert (status, "made with 3 rounds and 0 stories, and here are 1 rounds" in says) == (1, True)
    (folder / "rounds.jsonl").write_bytes(b"")
    (folder / "kit.json").write_bytes(msgspec.json.encode(msgspec.structs.replace(KIT, rounds=0)))
    assert ran(folder, "--program", shlex.join(program(RIGHT)))[0] == 1
