"""`python -m punto` is the `punto` command."""

from punto.cli import main

main()
