"""`punto watch`: what it shows after every save, whatever becomes of the file meanwhile."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from punto.cli.watch import saves
from punto.rulebook import source
from service_process import PATIENCE
from whole_app import app

WU_SONG = source("wu-song")


def seen(file: Path, *moments: Callable[[], object]) -> list[bytes | None]:
    """The texts that are taken up while one thing after another happens to a file, one between every two looks."""
    happens: Iterator[Callable[[], object]] = iter(moments)
    over = False

    def wait() -> None:
        nonlocal over
        step = next(happens, None)
        if step is None:
            over = True
        else:
            step()

    found = []
    for text in saves(file, lambda: wait() if not over else pytest.fail("looked on for ever")):
        found.append(text)
        if over:
            break
    return found


def nothing() -> None:
    """A look at which nothing has happened."""


def test_every_save_is_taken_up_once(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(b"one")
    last = lambda: file.write_bytes(b"last")  # noqa: E731
    texts = seen(file, nothing, nothing, lambda: file.write_bytes(b"two"), nothing, nothing, last)
    assert texts == [b"one", b"two", b"last"]


def test_a_file_that_is_being_written_is_waited_for(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_bytes(b"whole")
    half = [lambda: file.write_bytes(b""), lambda: file.write_bytes(b"ha"), lambda: file.write_bytes(b"half and")]
    texts = seen(file, *half, lambda: file.write_bytes(b"half and half"))
    assert texts == [b"whole", b"half and half"]


def test_a_file_may_be_missing_and_come_back_or_be_replaced_by_a_rename(tmp_path: Path) -> None:
    file, other = tmp_path / "mine.toml", tmp_path / "other"
    other.write_bytes(b"two")

    def replace() -> None:
        old = file.stat()
        os.utime(other, ns=(old.st_atime_ns, old.st_mtime_ns))  # an editor that keeps the time of the file
        other.replace(file)

    steps = (nothing, lambda: file.write_bytes(b"one"), nothing, replace, nothing, file.unlink)
    assert seen(file, *steps) == [None, b"one", b"two", None]


def shown(file: Path, *words: str) -> str:
    done = CliRunner().invoke(app, ["watch", str(file), "--once", *words])
    assert done.exit_code == 0, done.output
    return done.output


def test_pay_table_edges_and_findings(tmp_path: Path) -> None:
    """The edge of the tie at 8 to 1 is 14.3596% with eight decks, as is printed everywhere."""
    file = tmp_path / "mine.toml"
    file.write_bytes(WU_SONG)
    told = shown(file, "--layout", "C")
    tie = next(line for line in told.splitlines() if line.strip().startswith("Tie "))
    assert tie.split()[1:5] == ["Tie", "8", "to", "1"]
    assert "Edges with 8 decks" in told
    assert "14.3596%" in told
    assert "0 faults, 1 finding" in told
    assert "Edges with 6 decks" in shown(file, "--decks", "6")
    assert "There is no layout 'Z'" in shown(file, "--layout", "Z")


def test_faults_and_a_missing_file_are_told(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    assert "There is no such file." in shown(file)
    file.write_bytes(WU_SONG[: len(WU_SONG) // 2])
    assert "fault: " in shown(file)
    file.write_bytes(b'id = "half')
    told = shown(file)
    assert f"{file}:1: the file: a text is not closed here: write a quote at its end" in told
    assert "1 fault" in told


def test_it_goes_on_until_ctrl_c_and_ends_cleanly(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    with subprocess.Popen(
        [sys.executable, "-m", "punto", "watch", str(file)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # a job in the background would ignore it
    ) as process:
        assert process.stdout is not None
        guard = threading.Timer(PATIENCE, process.kill)  # so that a sentence that never comes is a failure
        guard.start()
        until(process.stdout, "There is no such file.")
        file.write_bytes(b'id = "half')
        until(process.stdout, "a text is not closed here")
        file.write_bytes(b"")
        until(process.stdout, "are missing")
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=PATIENCE)
        guard.cancel()
        assert (process.returncode, said) == (0, "")


def until(lines: Iterator[str], words: str) -> None:
    assert any(words in line for line in lines)
