"""Responses: who answered which item rightly, and what of it can be calibrated."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from mensura.errors import BadData, unknown
from mensura.stats.intervals.sample import Floats, table
from mensura.stats.wording import listed, several

Model = Literal["rasch", "2pl", "3pl"]
MODELS: tuple[Model, ...] = ("rasch", "2pl", "3pl")
LEAST_PERSONS: Mapping[Model, int] = {"rasch": 30, "2pl": 100, "3pl": 200}
"""Fewer persons are not calibrated."""
LEAST_ITEMS: Mapping[Model, int] = {"rasch": 2, "2pl": 3, "3pl": 3}
"""With fewer items a model has more parameters than there are patterns of answers."""
LEAST_ANSWERS: Mapping[Model, int] = {"rasch": 10, "2pl": 30, "3pl": 100}
"""An item that fewer persons answered is left out."""
NAMED = 8
"""Items that a sentence names; of more it says how many there are."""


@dataclass(frozen=True, eq=False)
class ResponseMatrix:
    """Persons × items: 1 right, 0 wrong, NaN where there is no answer that counts.

    >>> made = response_matrix([[1, 0], [1, None], [1, 1]], items=["a", "b"])
    >>> made.constant_items, made.constant_persons
    ({'a': 'constant: all 3 answers are right'}, (1, 2))
    """

    right: Floats
    items: tuple[str, ...]
    persons: tuple[str, ...]

    @cached_property
    def known(self) -> NDArray[np.bool_]:
        """Which answers are known."""
        return ~np.isnan(self.right)

    @cached_property
    def constant_items(self) -> dict[str, str]:
        """The items that everybody has right or wrong, or that nobody answered, with a reason in words."""
        found = {}
        for name, column, known in zip(self.items, self.right.T, self.known.T, strict=True):
            held = column[known]
            if not held.size:
                found[name] = "constant: nobody answered it"
            elif held.min() == held.max():
                said = "right" if held[0] else "wrong"
                found[name] = f"constant: all {several(held.size, 'answer')} are {said}"
        return found

    @cached_property
    def constant_persons(self) -> tuple[int, ...]:
        """The rows of persons who have all of their items right, or all wrong."""
        sums, many = np.nansum(self.right, axis=1), self.known.sum(axis=1)
        return tuple(np.flatnonzero((many > 0) & ((sums == 0) | (sums == many))).tolist())

    def of_items(self, chosen: Sequence[int]) -> "ResponseMatrix":
        """Return the answers to some items, of the persons who answered any of them."""
        right = self.right[:, list(chosen)]
        held = np.isnan(right).sum(axis=1) < len(chosen)
        persons = tuple(name for name, here in zip(self.persons, held, strict=True) if here)
        return ResponseMatrix(right[held], tuple(self.items[place] for place in chosen), persons)

    def of_persons(self, chosen: Sequence[int]) -> "ResponseMatrix":
        """Return the answers of some persons to all items."""
        return ResponseMatrix(self.right[list(chosen)], self.items, tuple(self.persons[place] for place in chosen))


def response_matrix(
    right: ArrayLike, *, items: Sequence[str] | None = None, persons: Sequence[str] | None = None
) -> ResponseMatrix:
    """Check a table of answers, 1 right, 0 wrong, NaN or None missing; items and persons are numbered without names."""
    values = table(right, name="answers", rows="persons", columns="items")
    stray = values[~np.isnan(values) & (values != 0) & (values != 1)]
    if stray.size:
        raise BadData(f"An answer is 1 (right), 0 (wrong) or missing; got {stray[0]:g}.")
    rows = tuple(map(str, range(1, len(values) + 1))) if persons is None else tuple(map(str, persons))
    columns = tuple(f"item{i}" for i in range(1, values.shape[1] + 1)) if items is None else tuple(map(str, items))
    if (len(rows), len(columns)) != values.shape:
        raise BadData(f"{len(rows)} persons and {len(columns)} items are named; the table is {values.shape}.")
    if len(set(columns)) < len(columns):
        twice = next(name for name in columns if columns.count(name) > 1)
        raise BadData(f"The item {twice!r} is named twice. Give each its own name.")
    return ResponseMatrix(values, columns, rows)


def read_model(name: str) -> Model:
    """Return the model that a user named."""
    found = next((model for model in MODELS if model == name.lower()), None)
    if found is None:
        raise unknown("item-response model", name, known=MODELS, see=f"Models are {', '.join(MODELS)}.")
    return found


@dataclass(frozen=True, eq=False)
class Calibratable:
    """The part of a matrix that can be calibrated, and what had to be left out and why."""

    matrix: ResponseMatrix
    left_out: Mapping[str, str]
    """Item → why it has no parameters."""
    remarks: tuple[str, ...]


def calibratable(matrix: ResponseMatrix, *, model: Model) -> Calibratable:
    """Return the part of a matrix that a model can be fitted to, or raise a sentence where that is too little.

    Items that are constant say nothing of where their difficulty lies, and those with few answers too little; both are
    left out by name. Persons who have everything right or wrong stay: the likelihood averages over abilities, so their
    answers tell of the items, and their own abilities are known from one side.

    Raises
    ------
    BadData
        If fewer persons or items are left than the model needs, or if nobody has one item right and another wrong.
    """
    out = dict(matrix.constant_items)
    for name, many in zip(matrix.items, matrix.known.sum(axis=0), strict=True):
        if name not in out and many < LEAST_ANSWERS[model]:
            out[name] = f"only {several(int(many), 'answer')}, and the {model} model needs {LEAST_ANSWERS[model]}"
    left = matrix.of_items([place for place, name in enumerate(matrix.items) if name not in out])
    if len(left.items) < LEAST_ITEMS[model] or len(left.persons) < LEAST_PERSONS[model]:
        why = f" Left out: {left_out_words(out)}." if out else ""
        # Where no item is left, nobody has answered any of them; how many persons there are is known all the same.
        persons = (left if left.items else matrix).persons
        raise BadData(
            f"Too small to calibrate: the {model} model needs {LEAST_PERSONS[model]} persons and {LEAST_ITEMS[model]} "
            f"items that some have right and some wrong; there are {several(len(persons), 'person')} and "
            f"{several(len(left.items), 'such item')}.{why}"
        )
    remarks = []
    if out:
        remarks.append(f"Left out: {left_out_words(out)}.")
    if rows := left.constant_persons:
        if len(rows) == len(left.persons):
            raise BadData(
                f"Nothing to calibrate: all {len(rows)} persons answered all of their items alike, all right or all "
                "wrong, so no item is told from another. Ask items of other difficulties, or check the file."
            )
        remarks.append(
            f"{several(len(rows), 'person')} of {len(left.persons)} answered all items alike (all right or all wrong): "
            "they count for the items, and their own ability is known from one side only."
        )
    if model == "3pl" and len(left.persons) < 1000:
        remarks.append(
            f"{len(left.persons)} persons are few for three parameters: below 1000 the lower asymptotes c come mostly "
            "from their prior, and a and b depend on them."
        )
    return Calibratable(left, out, tuple(remarks))


def left_out_words(out: Mapping[str, str]) -> str:
    """Name what is left out, by reason.

    >>> left_out_words({"q1": "constant: all 3 answers are right", "q2": "constant: all 3 answers are right"})
    'q1 and q2 (constant: all 3 answers are right)'
    """
    reasons: dict[str, list[str]] = {}
    for name, reason in out.items():
        reasons.setdefault(reason, []).append(name)
    return "; ".join(f"{_some(names)} ({reason})" for reason, names in reasons.items())


def _some(names: Sequence[str]) -> str:
    if len(names) <= NAMED:
        return listed(list(names))
    return f"{', '.join(names[:NAMED])} and {len(names) - NAMED} others"
