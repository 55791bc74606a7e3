"""Epochs: how several answers to one item become one number."""

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import ArrayLike

from mensura.errors import BadData, BadParameter, unknown

RULES = {
    "mean": "the mean of its answers",
    "majority": "the answer that was given most often, ties averaged",
    "pass": "the chance that of {k} of its answers at least one is right",
    "at-least": "whether at least {k} of its answers are right",
}
NAMES = ("mean", "majority", "pass@K", "at-least@K")


@dataclass(frozen=True)
class Reducer:
    """A named way to make one number of all answers to one item.

    >>> read_reducer("pass@2")([1, 0, 0])
    0.6666666666666667
    >>> read_reducer("majority")([1, 0, 0], answers=["a", "b", "c"])
    0.3333333333333333
    """

    rule: str
    k: int = 0

    @property
    def name(self) -> str:
        """Its name, as it is typed."""
        return f"{self.rule}@{self.k}" if self.k else self.rule

    @property
    def words(self) -> str:
        """Return the meaning of its result, in words."""
        return RULES[self.rule].format(k=self.k)

    @property
    def fewest(self) -> int:
        """How many answers an item must have."""
        return max(1, self.k)

    def __call__(self, values: ArrayLike, *, answers: Sequence[str] = ()) -> float:
        """Reduce the scores of all answers to one item.

        Parameters
        ----------
        values
            One score per answer; 1 for a right and 0 for a wrong one where the rule counts right ones.
        answers
            What was answered each time, for the majority; equal texts are equal answers.
        """
        scores = np.asarray(values, dtype=float)
        if len(scores) < self.fewest:
            raise BadData(f"{self.name} needs {self.fewest} answers to an item; got {len(scores)}.")
        if self.rule == "mean":
            return float(scores.mean())
        if self.rule == "majority":
            return _majority(scores, answers)
        if not np.isin(scores, (0.0, 1.0)).all():
            raise BadData(f"{self.name} is for answers that are right or wrong, 1 or 0; got {scores.tolist()}.")
        right = int(scores.sum())
        return float(right >= self.k) if self.rule == "at-least" else pass_at_k(right, n=len(scores), k=self.k)


def read_reducer(name: str) -> Reducer:
    """Return the reducer of a name: mean, majority, pass@K or at-least@K.

    >>> read_reducer("pass@3").words
    'the chance that of 3 of its answers at least one is right'
    """
    found = re.fullmatch(r"(pass|at-least)@(\d{1,6})", name)
    if found is not None and int(found[2]) > 0:
        return Reducer(found[1], int(found[2]))
    if name in ("mean", "majority"):
        return Reducer(name)
    if name.partition("@")[0] in ("pass", "at-least"):
        raise BadParameter(f"{name!r} lacks the number of answers, a whole number of at least 1, as in pass@3.")
    raise unknown("reducer", name, known=NAMES, see=f"There are {', '.join(NAMES)}.")


def pass_at_k(right: int, *, n: int, k: int) -> float:
    r"""Estimate without bias the chance that at least one of k answers is right, from n answers of which some were.

    :math:`1 - \binom{n-c}{k} / \binom{n}{k}` with c right ones: the share of all choices of k of the n answers that
    hold a right one [1]_.

    Examples
    --------
    >>> pass_at_k(1, n=4, k=2), pass_at_k(0, n=4, k=2), pass_at_k(3, n=4, k=2)
    (0.5, 0.0, 1.0)

    References
    ----------
    .. [1] Chen et al. (2021), Evaluating Large Language Models Trained on Code, arXiv:2107.03374, equation 1.
    """
    if not 0 <= right <= n or not 1 <= k <= n:
        raise BadData(f"pass@k needs k from 1 to n and from 0 to n right answers; got k={k}, n={n}, {right} right.")
    return 1 - comb(n - right, k) / comb(n, k)


def _majority(scores: np.ndarray, answers: Sequence[str]) -> float:
    if len(answers) != len(scores):
        raise BadData(f"The majority needs what was answered each time; got {len(answers)} for {len(scores)} scores.")
    counts = Counter(answers)
    most = max(counts.values())
    given = np.array(answers)
    return float(np.mean([scores[given == answer].mean() for answer, count in counts.items() if count == most]))
