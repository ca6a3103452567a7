"""Which ways a run takes through some modules: every condition by its truth, every comparison by less, equal or more.

The functions of the modules are given code that notes this, in the memory of the process; no file is touched.
"""

import ast
import builtins
import operator
from collections import defaultdict
from collections.abc import Callable, Iterable
from functools import partial
from pathlib import Path
from types import CodeType
from typing import Any

from run import change

Way = tuple[object, int, frozenset[tuple[int, object]]]
"""What was asked, a function by its number, and what came of each of its conditions."""

_NAMES = ("_watch_seen", "_watch_ordered", "_watch_picked")
_ORDERED: dict[type[ast.cmpop], Callable[[Any, Any], bool]] = {
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
_KINDS = list(_ORDERED)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


def _same(code: CodeType) -> CodeType:
    return code


class Watch:
    """Notes what a run does in some modules."""

    def __init__(self, files: Iterable[Path]) -> None:
        self.function_of: list[int] = []
        self._noted: set[tuple[int, object]] = set()
        for name, noting in zip(_NAMES, (self._seen, self._ordered, self._picked), strict=True):
            setattr(builtins, name, noting)
        for file in files:
            tree = ast.fix_missing_locations(_Noting(self).visit(ast.parse(file.read_text(encoding="utf-8"))))
            code = compile(tree, str(file), "exec", dont_inherit=True)
            change(file, partial(_same, code))

    def site(self, function: int) -> int:
        """A number for another place to look at."""
        self.function_of.append(function)
        return len(self.function_of) - 1

    def ways(self, asked: object = None) -> set[Way]:
        """The ways through functions since this was last called; `asked` is what led there."""
        by: dict[int, set[tuple[int, object]]] = defaultdict(set)
        for each in self._noted:
            by[self.function_of[each[0]]].add(each)
        self._noted.clear()
        return {(asked, function, frozenset(some)) for function, some in by.items()}

    def _seen(self, site: int, value: Any = True) -> Any:
        self._noted.add((site, bool(value)))
        return value

    def _ordered(self, site: int, kind: int, left: Any, right: Any) -> bool:
        self._noted.add((site, (left > right) - (left < right)))
        return _ORDERED[_KINDS[kind]](left, right)

    def _picked(self, site: int, pick: Callable[..., Any], left: Any, right: Any) -> Any:
        self._noted.add((site, (left > right) - (left < right)))
        return pick(left, right)


class _Noting(ast.NodeTransformer):
    """Writes the notes into a module."""

    def __init__(self, watch: Watch) -> None:
        self.watch = watch
        self.function = 0

    def visit(self, node: ast.AST) -> Any:
        """Every node within functions; what stands outside is left as it is."""
        if isinstance(node, _FUNCTIONS):
            return self._of_function(node)
        if isinstance(node, ast.Assert) or (isinstance(node, ast.AnnAssign) and not self.function):
            return node
        found: Any = self.generic_visit(node)
        return self._noted(found) if self.function else found

    def _of_function(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> ast.AST:
        before = self.function
        self.function = len(self.watch.function_of) + 1
        node.body = [self._entered(), *(self.visit(each) for each in node.body)]
        self.function = before
        return node

    def _entered(self) -> ast.Expr:
        return ast.Expr(self._call("_watch_seen"))

    def _call(self, name: str, *given: ast.expr) -> ast.Call:
        site = ast.Constant(self.watch.site(self.function))
        return ast.Call(ast.Name(name, ast.Load()), [site, *given], [])

    def _noted(self, node: Any) -> Any:
        match node:
            case ast.If() | ast.While() | ast.IfExp():
                node.test = self._call("_watch_seen", node.test)
            case ast.BoolOp():
                node.values = [self._call("_watch_seen", each) for each in node.values]
            case ast.comprehension():
                node.ifs = [self._call("_watch_seen", each) for each in node.ifs]
            case ast.For() | ast.ExceptHandler() | ast.match_case():
                node.body = [self._entered(), *node.body]
            case ast.Call(func=ast.Name(id="any" | "all"), args=[ast.GeneratorExp() as every]):
                every.elt = self._call("_watch_seen", every.elt)
            case ast.Call(func=ast.Name(id="min" | "max"), args=[left, right], keywords=[]):
                return self._call("_watch_picked", node.func, left, right)
            case ast.Compare(ops=[op]) if type(op) in _ORDERED:
                return self._call(
                    "_watch_ordered", ast.Constant(_KINDS.index(type(op))), node.left, node.comparators[0]
                )
            case ast.Compare(ops=[_]):
                return self._call("_watch_seen", node)
            case _:
                pass
        return node
