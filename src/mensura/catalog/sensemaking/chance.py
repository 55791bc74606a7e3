"""What random answers score: exactly known for decisions, measured for judgements (the folder's README)."""

from pathlib import Path
from typing import Any

from mensura.catalog.sensemaking.administration import read_tasks, taken_trials
from mensura.catalog.sensemaking.generating import Design
from mensura.catalog.sensemaking.mitre.exam_reading import read_exam


def chance_levels(*, exam: str = "", tasks: str = "1234567", trials: int = 0, **_: Any) -> dict[str, float]:
    """Return the mean S2 of random decisions: one half in Task 1, where two groups are to choose from, else a quarter.

    A random choice among k is right with chance 1/k, and a random division gives each of k the share 1/k on average.

    >>> chance_levels(tasks="1"), chance_levels(tasks="4567"), round(chance_levels()["s2"], 3)
    ({'s2': 50.0}, {'s2': 25.0}, 28.846)
    """
    design = Design()
    counts = {
        1: design.blocks_1,
        2: design.blocks_2,
        3: design.blocks_3,
        4: design.trials_4,
        5: design.trials_5,
        6: design.trials_6,
        7: design.trials_7,
    }
    if exam:
        counts = {number: len(task.trials) for number, task in read_exam(Path(exam)).tasks.items()}
    taken = {number: taken_trials(counts[number], trials) for number in read_tasks(tasks, counts)}
    return {"s2": sum((50.0 if number == 1 else 25.0) * count for number, count in taken.items()) / sum(taken.values())}
