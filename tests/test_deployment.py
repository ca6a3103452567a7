"""What operators paste from the documentation is of this product: alerts, settings, the unit, and ports."""

import configparser
import inspect
import re
import tomllib
from pathlib import Path
from textwrap import dedent
from typing import Any

import msgspec
import pytest
import yaml  # type: ignore[import-untyped]
from prometheus_client import generate_latest

from patient_settings import settings
from punto.cli import witness
from punto.service import metrics
from punto.service.http.app import build
from punto.service.settings import Settings

from console import DOCS


def blocks(page: str, language: str) -> list[str]:
    text = (DOCS / page).read_text(encoding="utf-8")
    return [dedent(block) for block in re.findall(rf"^ *```{language}\n(.*?)^ *```$", text, re.M | re.S)]


def alerts() -> list[dict[str, Any]]:
    [given] = [found for block in blocks("operations.md", "yaml") if "groups" in (found := yaml.safe_load(block))]
    return [rule for group in given["groups"] for rule in group["rules"]]


def test_alerts_ask_for_figures_that_there_are() -> None:
    assert metrics.COMMITS
    there = set(re.findall(r"^# TYPE (\w+)", generate_latest().decode(), re.M))
    for rule in alerts():
        named = set(re.findall(r"\b(?:punto|process)_\w+", rule["expr"]))
        assert {re.sub("_bucket$", "", each) for each in named} <= there, rule["alert"]


def test_alerts_ask_for_paths_that_there_are(tmp_path: Path) -> None:
    app = build(settings(None, {}, database=f"sqlite:///{tmp_path}/docs.db"))
    named = [path for rule in alerts() for path in re.findall(r'path="([^"]+)"', rule["expr"])]
    assert named
    assert set(named) <= set(app.openapi_schema.paths or {})


@pytest.mark.parametrize("page", ["deployment.md", "handbook.md"])
def test_settings_to_paste_can_be_used(page: str) -> None:
    found = blocks(page, "toml")
    assert found
    for block in found:
        assert msgspec.convert(tomllib.loads(block), Settings)


def test_the_unit_waits_until_the_service_has_stopped_and_starts_what_there_is() -> None:
    [text] = blocks("deployment.md", "ini")
    unit = configparser.RawConfigParser()
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read_string(text)
    assert float(unit["Service"]["TimeoutStopSec"]) > Settings().stop_seconds
    assert unit["Service"]["ExecStart"].endswith("/punto serve --config /etc/punto/house.toml")


def test_ports_are_those_of_the_defaults() -> None:
    text = (DOCS / "deployment.md").read_text(encoding="utf-8")
    assert (
        f"| {Settings().port}, setting `port` | the proxy and Prometheus alone | listens on `{Settings().host}`" in text
    )
    assert Settings().feed_port is None
    assert "| setting `feed_port`; none by default |" in text
    port = inspect.signature(witness.serve).parameters["port"].default
    assert f"| {port} on the witness's machine |" in text
