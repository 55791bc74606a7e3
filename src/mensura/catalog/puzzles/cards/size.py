"""Size: how much a solver brings along before it has seen anything, by counts that anyone can repeat."""

import ast
import inspect
import zlib
from dataclasses import dataclass
from typing import Any

HOW = (
    "Lines are those of code, without comments, docstrings and empty ones; rules are its branches (if, conditional "
    "expressions, conditions of comprehensions, cases); bits of hard-wired knowledge are those of the same code after "
    "compression (zlib, level 9), without what it imports and the lexicon or vectors it reads."
)
BRANCHES = (ast.If, ast.IfExp, ast.match_case)


@dataclass(frozen=True)
class Size:
    """The size of a program."""

    lines: int
    rules: int
    bits: int


def measure(thing: Any) -> Size:
    """Measure the module that a class is written in."""
    return size_of(inspect.getsource(inspect.getmodule(thing) or thing))


def size_of(source: str) -> Size:
    """Measure source code.

    >>> measured = size_of('# why\\ndef sign(x):\\n    "Return it."\\n    return 1 if x > 0 else 0\\n')
    >>> measured.lines, measured.rules
    (2, 1)
    """
    tree = ast.parse(source)
    for node in ast.walk(tree):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node) is not None:
            node.body = node.body[1:] or [ast.Pass()]
    rules = sum(isinstance(node, BRANCHES) for node in ast.walk(tree))
    rules += sum(len(node.ifs) for node in ast.walk(tree) if isinstance(node, ast.comprehension))
    bare = ast.unparse(tree)
    return Size(
        len([line for line in bare.splitlines() if line.strip()]), rules, 8 * len(zlib.compress(bare.encode(), 9))
    )
