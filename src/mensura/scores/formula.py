"""Formulas in u that a user types for a density of wagers, read without running any other code."""

import ast
import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from mensura.errors import BadParameter
from mensura.scores.alternatives import Floats

_BINARY: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
}
_FUNCTIONS: dict[str, Callable[[Any], Any]] = {
    "abs": np.abs,
    "cos": np.cos,
    "exp": np.exp,
    "log": np.log,
    "sin": np.sin,
    "sqrt": np.sqrt,
}

WITHIN = np.linspace(0.01, 0.99, 99)


def formula(text: str) -> Callable[[Floats], Floats]:
    """Read a formula in u: numbers, u, + - * / ** and abs, cos, exp, log, sin, sqrt, pi.

    Examples
    --------
    >>> formula("u*(1-u)")(np.array([0.25, 0.5]))
    array([0.1875, 0.25  ])
    >>> formula("u + v")
    Traceback (most recent call last):
    mensura.errors.BadParameter: 'u + v' is not a formula in u: 'v' is not allowed in it.
    """
    try:
        tree = ast.parse(text.strip().replace("^", "**"), mode="eval").body
    except (SyntaxError, ValueError):
        raise _unreadable(text, "it cannot be parsed") from None

    def evaluate(u: Floats) -> Floats:
        with np.errstate(all="ignore"):
            return np.broadcast_to(np.asarray(_evaluate(tree, u, text), dtype=float), np.shape(u))

    if not np.isfinite(evaluate(WITHIN)).all():
        raise _unreadable(text, "between 0 and 1 it has values that are not finite")
    return evaluate


def _evaluate(node: ast.expr, u: Floats, text: str) -> Any:
    match node:
        case ast.Constant(value=bool()):
            raise _unreadable(text, f"{node.value!r} is not a number")
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Name(id="u"):
            return u
        case ast.Name(id="pi"):
            return np.pi
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_evaluate(operand, u, text)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _evaluate(operand, u, text)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _BINARY[type(op)](np.asarray(_evaluate(left, u, text)), _evaluate(right, u, text))
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]):
            if name not in _FUNCTIONS:
                raise _unreadable(text, f"{name!r} is not one of its functions ({', '.join(_FUNCTIONS)})")
            return _FUNCTIONS[name](_evaluate(argument, u, text))
    raise _unreadable(text, f"{ast.unparse(node)!r} is not allowed in it")


def _unreadable(text: str, why: str) -> BadParameter:
    return BadParameter(f"{text!r} is not a formula in u: {why}.")
