"""Reference subjects of the coin test."""

import re
from collections.abc import Callable
from typing import Any

from mensura.dialogue import Ask, prompt_text
from mensura.errors import SubjectCrashed
from mensura.subjects.subject import Unlearning

CHANCE_SAID = re.compile(r"with chance (\d(?:\.\d+)?)")


class Stated(Unlearning):
    """Says the chance that the coin is said to have: nobody can expect to score better."""

    recomputes = True

    def __call__(self, ask: Ask) -> float:
        said = CHANCE_SAID.search(prompt_text(ask.prompt))
        if said is None:
            raise SubjectCrashed(f"No chance is stated in {prompt_text(ask.prompt)[:80]!r}.")
        return float(said[1])


class Half(Unlearning):
    """Always says one half, and scores exactly zero."""

    recomputes = True

    def __call__(self, ask: Ask) -> float:
        return 0.5


class Overconfident(Stated):
    """Doubles the log odds of the chance that is stated, as people who are too sure do."""

    def __call__(self, ask: Ask) -> float:
        chance = super().__call__(ask)
        return chance**2 / (chance**2 + (1 - chance) ** 2)


SUBJECTS: dict[str, Callable[[], Any]] = {"stated": Stated, "half": Half, "overconfident": Overconfident}
