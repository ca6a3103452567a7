"""Parameters that several routes take, with what is accepted for each."""

from typing import Annotated, Literal

import msgspec
from litestar.params import HeaderParameter, PathParameter, QueryParameter

TABLE = r"^[a-z0-9][a-z0-9-]{0,62}$(?!\n)"
"""In Python `$` alone lets a line feed follow; `(?!\n)` does not."""

KEY = r"^[!-~]([ -~]*[!-~])?$(?!\n)"
"""An idempotency key: printable ASCII, with blanks inside it only."""

LONGEST_KEY = 50
_LARGEST = 2**53
"""The largest number that every reader of JSON keeps exact."""

Name = Annotated[str, PathParameter(pattern=TABLE, description="The table.")]
Key = Annotated[str | None, HeaderParameter(name="Idempotency-Key", min_length=1, max_length=LONGEST_KEY, pattern=KEY)]
After = Annotated[int, QueryParameter(ge=0, le=_LARGEST)]
AfterIfAny = Annotated[int | None, QueryParameter(ge=0, le=_LARGEST)]
RoundNumber = Annotated[int, msgspec.Meta(ge=0, le=_LARGEST)]
Stage = Literal["four-cards", "third-card"]
"""After which cards insurance is offered."""

MeantRound = Annotated[
    int | None, QueryParameter(ge=0, le=_LARGEST, description="The round that it is meant for; 0 before the first.")
]
MeantStage = Annotated[Stage | None, QueryParameter(description="The offer of insurance that it is meant for.")]
Number = Annotated[int, PathParameter(ge=0, le=_LARGEST, description="The number of an entry.")]
