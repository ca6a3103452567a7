"""The `punto` command, also as `python -m punto`. Ctrl-C ends it quietly while it is loaded, and while it ends."""

import os
import signal

INTERRUPTED = 130


def _end(*_: object) -> None:
    os._exit(INTERRUPTED)


def main() -> None:
    """Load the command and run it."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, _end)
    from punto.cli import main as command

    command()


if __name__ == "__main__":
    main()
