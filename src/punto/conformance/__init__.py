"""Conformance kits: cases generated from a book, for other people's systems to be held against."""

from punto.conformance.kit import Coverage, Kit, KitCase, cases, read_kit, write_kit
from punto.conformance.protocol import Answers
from punto.conformance.running import CaseVerdict, by_http, by_program, check, difference, junit
from punto.kinds import guard

__all__ = [
    "Answers",
    "CaseVerdict",
    "Coverage",
    "Kit",
    "KitCase",
    "by_http",
    "by_program",
    "cases",
    "check",
    "difference",
    "junit",
    "read_kit",
    "write_kit",
]

guard(globals())
