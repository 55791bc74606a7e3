"""Pattern: an answer that a regular expression matches, by an engine whose time grows with the length alone."""

from functools import cache
from typing import Any

from mensura.errors import BadFile

WHOLE, ANYWHERE = "whole", "anywhere"
PLACES = (WHOLE, ANYWHERE)
MATCHES = {WHOLE: "SELECT regexp_full_match(?, ?)", ANYWHERE: "SELECT regexp_matches(?, ?)"}
LONGEST = 1000


def pattern(answer: str, truth: str, *, where: str = WHOLE, case: bool = False) -> dict[str, float]:
    """Return 1 where a regular expression matches an answer, else 0; larger is better.

    The expression is one of RE2 [1]_: no lookaround and no references back, and so no expression that takes longer
    the more ways there are to match. A dot matches line ends too.

    Parameters
    ----------
    answer, truth : str
        The answer, and the expression.
    where : {"whole", "anywhere"}
        Whether the whole answer must match, less spaces around it, or some part of it. Anywhere also takes an answer
        that names every possibility.
    case : bool
        Whether small and capital letters differ.

    References
    ----------
    .. [1] Cox (2007), Regular expression matching can be simple and fast; RE2 is part of DuckDB.

    Examples
    --------
    >>> pattern("Colour", "colou?r"), pattern("It is grey.", "gr[ae]y")
    ({'accuracy': 1.0}, {'accuracy': 0.0})
    >>> pattern("It is grey.", "gr[ae]y", where="anywhere")
    {'accuracy': 1.0}
    """
    flagged = f"(?s{'' if case else 'i'}){truth}"
    return {"accuracy": float(_connection().cursor().execute(MATCHES[where], [answer.strip(), flagged]).fetchone()[0])}


def check_pattern(truth: Any) -> str:
    """Return an expression that can be used, or raise a sentence that says why it cannot."""
    import duckdb

    if not isinstance(truth, str) or not truth or len(truth) > LONGEST:
        raise BadFile(f"The answer of a pattern is a regular expression of 1 to {LONGEST} characters.")
    try:
        pattern("", truth)
    except duckdb.Error as error:
        said = str(error).partition(": ")[2] or str(error)
        raise BadFile(
            f"The pattern {truth!r} cannot be used: {said}. Write it for RE2, without lookaround or references back."
        ) from None
    return truth


@cache
def _connection() -> Any:
    import duckdb

    return duckdb.connect(config={"threads": 1})
