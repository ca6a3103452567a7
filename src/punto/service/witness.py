"""The witness as a small service: houses show it checkpoints, and anybody may read what it has signed."""

import asyncio
from pathlib import Path

import msgspec
import uvicorn
from litestar import Litestar, MediaType, Request, Response, get, post
from litestar.datastructures import State
from litestar.params import FromPath

from punto.journal.witness import Cosigned, NotWitnessed, ShownHead, Witness

_MOST = 64 * 1024 * 1024
"""Bytes of the longest request: the entries between two checkpoints."""


@get("/heads", media_type=MediaType.TEXT)
async def heads(state: State) -> Response[bytes]:
    """Every head that was ever signed, a line each: the file for `punto journal verify --witness`."""
    return Response(await asyncio.to_thread(lambda: state.witness.heads), media_type="application/jsonl")


@get("/heads/{table:str}", media_type=MediaType.JSON)
async def head(table: FromPath[str], state: State) -> Response[bytes]:
    """The last head of a chain that was signed, or null."""
    return Response(msgspec.json.encode(state.witness.last(table)), media_type=MediaType.JSON)


@get("/key", media_type=MediaType.TEXT)
async def key(state: State) -> str:
    """The public key of the witness."""
    found: str = state.witness.key
    return found


@post("/heads", media_type=MediaType.JSON, status_code=200)
async def cosign(request: Request[None, None, State], state: State) -> Response[bytes]:
    """Sign a checkpoint that follows from what was signed before; 409 with a sentence if it does not."""
    try:
        shown = msgspec.json.decode(await request.body(), type=ShownHead)
        async with state.lock:  # one after the other, so that two never follow the same head
            made: Cosigned = await asyncio.to_thread(state.witness.cosign, shown)
    except (NotWitnessed, msgspec.DecodeError) as error:
        return Response(str(error).encode(), status_code=409, media_type=MediaType.TEXT)
    return Response(msgspec.json.encode(made), media_type=MediaType.JSON)


def witness_app(witness: Witness) -> Litestar:
    """The application of a witness."""
    state = State({"witness": witness, "lock": asyncio.Lock()})
    routes = [heads, head, key, cosign]
    return Litestar(routes, state=state, request_max_body_size=_MOST, openapi_config=None, logging_config=None)


def serve_witness(folder: Path, host: str, port: int, house: str | None) -> None:
    """Serve a witness until told to stop."""
    config = uvicorn.Config(witness_app(Witness(folder, house)), host=host, port=port, log_level="warning")
    uvicorn.Server(config).run()
