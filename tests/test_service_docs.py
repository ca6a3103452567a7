"""The page about the service names every address that the service has, and none that it has not."""

import re
from pathlib import Path

from litestar.routes import WebSocketRoute

from patient_settings import settings
from punto.service.http.app import build

from console import DOCS

_NAMED = re.compile(r"`(GET|POST|PUT|PATCH|DELETE|WS) (/[^`?]*)")


def test_every_address_is_on_the_page(tmp_path: Path) -> None:
    app = build(settings(None, {}, database=f"sqlite:///{tmp_path}/docs.db"))
    there = {("GET", "/metrics")}  # which is no part of the API
    for path, item in (app.openapi_schema.paths or {}).items():
        for method in ("get", "post", "put", "patch", "delete"):
            if getattr(item, method) is not None:
                there.add((method.upper(), path))
    for route in app.routes:
        if isinstance(route, WebSocketRoute):
            there.add(("WS", re.sub(r":\w+}", "}", route.path)))
    named = _NAMED.findall((DOCS / "service.md").read_text(encoding="utf-8"))
    assert len(named) == len(set(named))
    assert set(named) == there
