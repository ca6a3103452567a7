"""Small changes to a program, each of which a test should notice: found in its syntax tree, one at a time.

What stands outside functions is left alone, and so are annotations, asserts and the wording of sentences.
"""

import ast
from collections import Counter
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

_Swaps = dict[type[ast.AST], type[Any]]
_BOUNDARY: _Swaps = {ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt}
_NEGATED: _Swaps = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_ARITHMETIC: _Swaps = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitOr: ast.BitAnd,
    ast.BitAnd: ast.BitOr,
}
_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_UNTOUCHED = {"annotation", "decorator_list", "format_spec"}


class Mutant(NamedTuple):
    """One change: where it is and what it does."""

    number: int
    """Its place among all mutants of the module."""
    line: int
    function: int
    """The line on which the function that it is in begins."""
    what: str
    text: str
    """The line as it stands in the source."""
    words: bool = False
    """Whether it is within what a sentence to people is made of, and so changes nothing else."""


class _Change(NamedTuple):
    parent: ast.AST
    field: str
    at: int | None
    """The place in the field, if that is a list."""
    old: ast.AST
    new: ast.AST
    function: int
    words: bool


def mutants(source: str) -> list[Mutant]:
    """Every mutant of a module.

    >>> [each.what for each in mutants("def least(a, b): return a if a < b else b")]
    ['return None', 'condition True', 'condition False', 'a < b to a <= b']
    """
    lines = source.splitlines()
    found = []
    same: Counter[tuple[int, str]] = Counter()
    for number, change in enumerate(_changes(ast.parse(source))):
        line: int = change.old.lineno  # type: ignore[attr-defined]  # every statement and expression has one
        what = _told(change)
        same[line, what] += 1
        again = f" #{same[line, what]}" if same[line, what] > 1 else ""
        text = lines[line - 1].strip()
        found.append(Mutant(number, line, change.function, what + again, text, change.words))
    return found


def mutated(source: str, number: int) -> ast.Module:
    """The module with one of its mutants in place."""
    tree = ast.parse(source)
    change = next(islice(_changes(tree), number, None))
    ast.copy_location(change.new, change.old)
    if change.at is None:
        setattr(change.parent, change.field, change.new)
    else:
        getattr(change.parent, change.field)[change.at] = change.new
    return ast.fix_missing_locations(tree)


def _changes(parent: ast.AST, function: int = 0, words: bool = False) -> Iterator[_Change]:
    """Every change below a node, from the top down."""
    if isinstance(parent, _FUNCTIONS):
        function = min(node.lineno for node in (parent, *parent.decorator_list))
    words = words or _is_said(parent)
    either = isinstance(parent, ast.IfExp) and _is_said(parent.body) and _is_said(parent.orelse)
    for field, value in ast.iter_fields(parent):
        if field in _UNTOUCHED or (isinstance(parent, _FUNCTIONS) and field != "body"):
            continue
        for at, node in enumerate(value) if isinstance(value, list) else ((None, value),):
            if not isinstance(node, ast.AST) or isinstance(node, ast.Assert) or _is_for_types(node):
                continue
            for new in _alternatives(node, parent, field) if function else ():
                yield _Change(parent, field, at, node, new, function, words or either)
            yield from _changes(node, function, words or either)


def _is_said(node: ast.AST) -> bool:
    """Whether it makes a sentence to people, and nothing else."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say"


def _is_for_types(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def _alternatives(node: ast.AST, parent: ast.AST, field: str) -> Iterator[ast.AST]:
    """What may stand in the place of a node."""
    is_condition = field in ("test", "ifs")
    if isinstance(node, ast.stmt):
        yield from _statements(node)
    if is_condition and not isinstance(parent, ast.While):
        yield ast.Constant(True)
    if is_condition and not isinstance(node, ast.Constant):
        yield ast.Constant(False)
    if isinstance(node, ast.Compare):
        for swap in (_BOUNDARY,) if is_condition else (_BOUNDARY, _NEGATED):
            for at, op in enumerate(node.ops):
                if type(op) in swap:
                    ops = [*node.ops[:at], swap[type(op)](), *node.ops[at + 1 :]]
                    yield ast.Compare(node.left, ops, node.comparators)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not | ast.USub):
        yield node.operand
        inner = node.operand
        if isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.FloorDiv) and isinstance(inner.left, ast.UnaryOp):
            yield ast.BinOp(inner.left.operand, inner.op, inner.right)  # -(-a // b) rounds up: let it round down
    elif isinstance(node, ast.BinOp) and type(node.op) in _ARITHMETIC:
        yield ast.BinOp(node.left, _ARITHMETIC[type(node.op)](), node.right)
    elif isinstance(node, ast.Constant) and type(node.value) is int:
        yield ast.Constant(node.value + 1)
        yield ast.Constant(node.value - 1)
    elif isinstance(node, ast.Name) and node.id in _NAMES and field == "func":
        yield ast.Name(_NAMES[node.id], node.ctx)


def _statements(node: ast.stmt) -> Iterator[ast.stmt]:
    """What may stand in the place of a statement."""
    if isinstance(node, ast.Return) and node.value is not None:
        if isinstance(node.value, ast.Constant) and isinstance(node.value.value, bool):
            yield ast.Return(ast.Constant(not node.value.value))
        elif not (isinstance(node.value, ast.Constant) and node.value.value is None):
            yield ast.Return(ast.Constant(None))
    elif isinstance(node, ast.AugAssign):
        yield ast.Pass()
        if type(node.op) in _ARITHMETIC:
            yield ast.AugAssign(node.target, _ARITHMETIC[type(node.op)](), node.value)
    elif isinstance(node, ast.Raise | ast.Continue | ast.Break | ast.Return) or (
        isinstance(node, ast.Expr) and not isinstance(node.value, ast.Constant)
    ):
        yield ast.Pass()


def _told(change: _Change) -> str:
    """A change in a few words."""
    if isinstance(change.new, ast.Pass):
        return f"{type(change.old).__name__.lower()} removed"
    if isinstance(change.new, ast.stmt):
        return ast.unparse(change.new)
    if change.field in ("test", "ifs") and isinstance(change.new, ast.Constant):
        return f"condition {change.new.value!r}"
    return f"{ast.unparse(change.old)} to {ast.unparse(change.new)}"
