"""An outside witness that answers, in a thread of the test."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import uvicorn

from punto.journal.witness import Witness
from punto.service.witness import witness_app
from service_process import free_port, until


@contextmanager
def serving(witness: Witness) -> Iterator[str]:
    """The address at which a witness answers."""
    port = free_port()
    server = uvicorn.Server(uvicorn.Config(witness_app(witness), host="127.0.0.1", port=port, log_level="error"))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until(lambda: server.started, "the witness")
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        server.should_exit = True
        thread.join()
