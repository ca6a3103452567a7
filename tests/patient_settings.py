"""Settings of services that run within a test: a store on a busy machine may take its time."""

from pathlib import Path

from punto.service.settings import Settings
from punto.service.settings import settings as _settings

STORE_SECONDS = 300


def settings(file: Path | None, environment: dict[str, str], **given: object) -> Settings:
    """The settings of the product, but for the patience with the store where a test does not set it."""
    return _settings(file, environment, **{"store_seconds": STORE_SECONDS, **given})
