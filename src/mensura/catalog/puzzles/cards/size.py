"""Size: how much a solver brings along before it has seen anything, by counts that anyone can repeat."""

import ast
import inspect
import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

from mensura.catalog.puzzles.kinds.find import PLACES

HOW = (
    "Lines are those of code, without comments, docstrings and empty ones; rules are its branches (if, conditional "
    "expressions, conditions of comprehensions, cases); bits of hard-wired knowledge are those of the same code after "
    "compression (zlib, level 9). Counted are the solver's own module and, whole, those of the grammar, kinds and "
    "words that it uses, not what reads and shows puzzles, other libraries, the lexicon and vectors."
)
BRANCHES = (ast.If, ast.IfExp, ast.match_case)
ROOT = "mensura.catalog.puzzles."
KNOWING = tuple(ROOT + folder for folder in ("grammar.", "kinds.", "words."))
"""Folders that hold knowledge of puzzles."""
FINDING = f"{ROOT}kinds.find"
READING = tuple(f"{ROOT}kinds.{name}" for name in ("find", "kind"))
"""What every solver needs to be asked at all."""


@dataclass(frozen=True)
class Size:
    """The size of a program."""

    lines: int
    rules: int
    bits: int


def measure(solver: Any) -> Size:
    """Measure the module that a solver is written in, with the modules whose knowledge of puzzles it uses."""
    own = solver.__module__
    found, waiting = set[str](), [own]
    # Who finds kinds by name lets these explain the puzzles.
    if FINDING in _imported(own):
        waiting += [f"{ROOT}kinds.{PLACES[kind].partition(':')[0]}" for kind in solver.attempts]
    while waiting:
        if (module := waiting.pop()) not in found:
            found.add(module)
            waiting += [one for one in _imported(module) if one.startswith(KNOWING) and one not in READING]
    return size_of("\n".join(map(_source, sorted(found))))


@cache
def _imported(module: str) -> Sequence[str]:
    nodes = ast.walk(ast.parse(_source(module)))
    return [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module]


def _source(module: str) -> str:
    return inspect.getsource(import_module(module))


def size_of(source: str) -> Size:
    """Measure source code.

    >>> measured = size_of('# why\\ndef sign(x):\\n    "Return it."\\n    return 1 if x > 0 else 0\\n')
    >>> measured.lines, measured.rules
    (2, 1)
    """
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)):
            said = [one for one in node.body if not (isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant))]
            node.body = said or [ast.Pass()]
    rules = sum(isinstance(node, BRANCHES) for node in ast.walk(tree))
    rules += sum(len(node.ifs) for node in ast.walk(tree) if isinstance(node, ast.comprehension))
    bare = ast.unparse(tree)
    return Size(
        len([line for line in bare.splitlines() if line.strip()]), rules, 8 * len(zlib.compress(bare.encode(), 9))
    )
