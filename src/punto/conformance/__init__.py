"""Conformance kits: cases generated from a book, for other people's systems to be held against."""

from punto.conformance.asking import NoAnswer, by_http, by_program
from punto.conformance.kit import Coverage, Kit, KitCase, cases, keys_left_out, read_kit, write_kit
from punto.conformance.protocol import Answers
from punto.conformance.running import CaseVerdict, check, difference, junit, run
from punto.kinds import guard

__all__ = [
    "Answers",
    "CaseVerdict",
    "Coverage",
    "Kit",
    "KitCase",
    "NoAnswer",
    "by_http",
    "by_program",
    "cases",
    "check",
    "difference",
    "junit",
    "keys_left_out",
    "read_kit",
    "run",
    "write_kit",
]

guard(globals())
