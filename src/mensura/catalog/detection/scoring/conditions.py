"""Necessary conditions that the user writes in Python: tried on every candidate pair."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.detection.scoring.arrays import Integers
from mensura.catalog.detection.scoring.function import load_function
from mensura.catalog.detection.scoring.specification import CaseType, Condition
from mensura.catalog.detection.scoring.things import Thing
from mensura.errors import BadParameter


def own_conditions(kind: CaseType) -> tuple[Condition, ...]:
    """Give the conditions of a type that are functions of the user's own."""
    return tuple(each for each in kind.conditions if each.kind == "function")


def admitted(
    kind: CaseType,
    *,
    reference: Sequence[Thing],
    hypotheses: Sequence[Thing],
    rows: Integers,
    columns: Integers,
) -> NDArray[np.bool_]:
    """Say which of the listed pairs all conditions let be paired.

    A condition is called with the reference's and the hypothesis's values, each a dict of attribute to value (a list
    where the attribute takes many; dates are day numbers; objects are identifiers), and answers true or false. A
    hypothesis with alternatives may be paired if one of them may.
    """
    functions = [(each.function, load_function(each.function)) for each in own_conditions(kind)]
    mine = {i: _shown(kind, reference[i]) for i in np.unique(rows).tolist()}
    theirs = {j: _shown(kind, hypotheses[j]) for j in np.unique(columns).tolist()}

    def may(i: int, j: int) -> bool:
        for name, function in functions:
            try:
                passed = any(function(mine[i][0], values) for values in theirs[j])
            except Exception as error:
                pair = f"reference {reference[i].uid!r} and hypothesis {hypotheses[j].uid!r}"
                raise BadParameter(
                    f"The condition {name} failed on {pair}: {type(error).__name__}: {error}."
                ) from error
            if not passed:
                return False
        return True

    return np.fromiter((may(i, j) for i, j in zip(rows.tolist(), columns.tolist(), strict=True)), np.bool_, len(rows))


def _shown(kind: CaseType, thing: Thing) -> list[dict[str, Any]]:
    return [
        {name: list(given) if kind.attributes[name].many else given[0] for name, given in values.items()}
        for _, values in thing.alternatives
    ]
