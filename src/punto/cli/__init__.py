"""The `punto` command: one thin module a verb."""


def main() -> None:
    """Run the command."""
