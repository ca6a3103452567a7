"""The command with all of its verbs, for tests that call it within their own process."""

from punto.cli import whole

app = whole()
