"""Formulas that a user types, in u or in named numbers, read without running any other code."""

import ast
import operator
from collections.abc import Callable, Mapping
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
    "sign": np.sign,
    "sin": np.sin,
    "sqrt": np.sqrt,
}

WITHIN = np.linspace(0.01, 0.99, 99)


def formula(text: str) -> Callable[[Floats], Floats]:
    """Read a formula in u: numbers, u, + - * / ** and abs, cos, exp, log, sign, sin, sqrt, pi.

    Examples
    --------
    >>> formula("u*(1-u)")(np.array([0.25, 0.5]))
    array([0.1875, 0.25  ])
    >>> formula("u + v")
    Traceback (most recent call last):
    mensura.errors.BadParameter: 'u + v' is not a formula in u: 'v' is not allowed in it.
    """
    read = expression(text, names=("u",))

    def evaluate(u: Floats) -> Floats:
        return np.broadcast_to(read({"u": u}), np.shape(u))

    if not np.isfinite(evaluate(WITHIN)).all():
        raise _unreadable(text, "between 0 and 1 it has values that are not finite", ("u",))
    return evaluate


def expression(text: str, *, names: tuple[str, ...]) -> Callable[[Mapping[str, Any]], Floats]:
    """Read a formula in several named numbers; it is refused before it is first used.

    Examples
    --------
    >>> float(expression("-2*sign(speed)", names=("speed", "time"))({"speed": 3.0, "time": 0.0}))
    -2.0
    """
    try:
        tree = ast.parse(text.strip().replace("^", "**"), mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        raise _unreadable(text, "it cannot be parsed", names) from None

    def evaluate(numbers: Mapping[str, Any]) -> Floats:
        with np.errstate(all="ignore"):
            return np.asarray(_evaluate(tree, numbers, text), dtype=float)

    evaluate(dict.fromkeys(names, 0.5))
    return evaluate


def _evaluate(node: ast.expr, given: Mapping[str, Any], text: str) -> Any:
    match node:
        case ast.Constant(value=bool()):
            raise _unreadable(text, f"{node.value!r} is not a number", tuple(given))
        case ast.Constant(value=int() | float() as number):
            return float(number)
        case ast.Name(id=name) if name in given:
            return given[name]
        case ast.Name(id="pi"):
            return np.pi
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            return -_evaluate(operand, given, text)
        case ast.UnaryOp(op=ast.UAdd(), operand=operand):
            return _evaluate(operand, given, text)
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _BINARY:
            return _BINARY[type(op)](np.asarray(_evaluate(left, given, text)), _evaluate(right, given, text))
        case ast.Call(func=ast.Name(id=name), args=[argument], keywords=[]):
            if name not in _FUNCTIONS:
                raise _unreadable(text, f"{name!r} is not one of its functions ({', '.join(_FUNCTIONS)})", tuple(given))
            return _FUNCTIONS[name](_evaluate(argument, given, text))
    raise _unreadable(text, f"{ast.unparse(node)!r} is not allowed in it", tuple(given))


def _unreadable(text: str, why: str, names: tuple[str, ...]) -> BadParameter:
    return BadParameter(f"{text!r} is not a formula in {', '.join(names)}: {why}.")
