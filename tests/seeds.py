"""Where a test that plays by chance begins: every run of `make test` plays the same, `PUNTO_CHAOS=1` plays anew."""

import os
import random
import zlib

CHAOS = bool(os.environ.get("PUNTO_CHAOS"))


def seed_of(name: str) -> int:
    """The seed of something played by chance; it is printed, so that whatever goes wrong can be played again."""
    seed = random.SystemRandom().getrandbits(32) if CHAOS else zlib.crc32(name.encode())
    print(f"{name} is played by the seed {seed}.")
    return seed
