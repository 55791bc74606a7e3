"""Examples: which solved rows stand in front of a question, drawn as lm-eval draws them."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from mensura.catalog.bank.lm_eval.dataset import TaskDataset
from mensura.catalog.bank.lm_eval.document import TaskDocument
from mensura.catalog.bank.lm_eval.task import HarnessTask
from mensura.errors import BadFile

SEED = 1234
"""lm-eval's own (`fewshot_random_seed`): with it the same examples stand before the same questions."""


class Examples:
    """Draws for one question after the other, in the order of the split."""

    def __init__(self, task: HarnessTask, dataset: TaskDataset, number: int) -> None:
        self.task = task
        self.number = number
        self.split = next(filter(None, (task.shots.get("split"), *self._else())), task.split)
        self.sampler = str(task.shots.get("sampler", "default"))
        self.pool = self._pool(dataset) if number else []
        # As lm-eval compares them: also where neither names a split.
        self._among = task.shots.get("split") == task.get("test_split")
        self._chance = Random(SEED)

    def before(self, row: Mapping[str, Any]) -> tuple[list[int], str]:
        """Draw the examples of a question: their places in the split, and their text."""
        places = self.draw(row if self._among else None) if self.number else []
        texts = [TaskDocument(self.task, self.pool[place], self.task.shots).example for place in places]
        return places, "".join(texts)

    def draw(self, row: Mapping[str, Any] | None) -> list[int]:
        """Draw places in the pool, not that of the row itself."""
        count, number = len(self.pool), self.number
        if count < number + (row is not None and self.sampler == "default"):
            raise BadFile(f"{number} examples cannot be drawn from {count} rows of {self.split}. Ask for fewer.")
        if self.sampler == "first_n":
            return self._others(row)[:number]
        if row is None:
            return self._chance.sample(range(count), number)
        drawn = [place for place in self._chance.sample(range(count), number + 1) if self.pool[place] != row]
        return drawn[:number] if len(drawn) >= number else self._chance.sample(self._others(row), number)

    def data(self) -> dict[str, Any]:
        """Return as JSON where examples come from; which they are is said of each item."""
        seed = {"seed": SEED} if self.sampler == "default" else {}
        return {"number": self.number, "split": self.split, "sampler": self.sampler, **seed}

    def _others(self, row: Mapping[str, Any] | None) -> list[int]:
        return [place for place, one in enumerate(self.pool) if row is None or one != row]

    def _pool(self, dataset: TaskDataset) -> Sequence[Mapping[str, Any]]:
        samples = self.task.shots.get("samples")
        if not self.task.shots.get("split") and samples is not None:
            if not isinstance(samples, list) or not all(isinstance(one, Mapping) for one in samples):
                raise BadFile(f"{self.task.path}: `fewshot_config: samples` is a list of rows.")
            return samples
        return [row for _, row in dataset.split(self.split)]

    def _else(self) -> list[Any]:
        if self.task.shots.get("samples") is not None:
            return ["samples"]
        return [self.task.get("training_split"), self.task.get("validation_split")]
