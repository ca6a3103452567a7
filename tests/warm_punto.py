"""The `punto` command without reading its program each time: a process that has read it forks one for each command.

What is forked is a process of its own, with the arguments, folder, environment and files of whoever asked, and its
exit status goes back to them. `python tests/warm_punto.py ADDRESS ARGUMENT…` is the command for a shell: it asks the
process that listens at this address. Whatever has to be true of a cold start is tested without this.
"""

import os
import socket
import sys

_SPARE = 1 << 16


def asked(address: str, arguments: "list[str]", files: "tuple[int, int, int]", folder: str) -> int:
    """Have a command run with these files as its input, output and errors; its exit status."""
    environment = [f"{name}={value}" for name, value in os.environ.items()]
    words = [folder, str(len(arguments)), *arguments, *environment]
    with socket.socket(socket.AF_UNIX) as line:
        line.connect(address)
        socket.send_fds(line, [b"."], list(files))
        line.sendall(b"\0".join(map(os.fsencode, words)))
        line.shutdown(socket.SHUT_WR)
        answer = line.recv(_SPARE)
    return int(answer)  # nothing where the process was ended from outside, which is an error here


def told(line: socket.socket) -> "tuple[str, list[str], dict[str, str], list[int]]":
    """What was asked for: the folder, the arguments, the environment and the files."""
    _, files, _, _ = socket.recv_fds(line, 1, 3)
    parts = []
    while part := line.recv(_SPARE):
        parts.append(part)
    folder, number, *words = map(os.fsdecode, b"".join(parts).split(b"\0"))
    split = (word.partition("=") for word in words[int(number) :])
    return folder, words[: int(number)], {name: value for name, _, value in split}, files


if __name__ == "__main__":
    sys.exit(asked(sys.argv[1], sys.argv[2:], (0, 1, 2), os.getcwd()))  # noqa: PTH109  # this starts often, and bare
