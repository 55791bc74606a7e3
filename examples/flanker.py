"""Flanker: a page of its own asks, and answers in the shape of jsPsych's data; programs give the same JSON.

mensura take examples/flanker.py:flanker --as human
"""

from pathlib import Path
from typing import Annotated, ClassVar

from mensura.dialogue import Ask, Embedded, Items, Score, test
from mensura.dialogue.spaces.embedded import TRIALS

SIDES = ("left", "right")


class Flanker(Embedded):
    """Trials of the flanker task, taken in `flanker/index.html`."""

    kind: ClassVar[str] = "flanker"
    site: ClassVar[dict[str, str]] = {"folder": str(Path(__file__).parent / "flanker")}


def score(record, truths):
    """Compare the side of each trial with the side of its middle arrow; one that is missing is wrong."""
    values, keys = [], []
    for answer in record.answers:
        sides = truths[answer.key]
        given = {one["trial_index"]: one.get("response") for one in answer.value or []}
        values += [float(given.get(number) == side) for number, side in enumerate(sides)]
        keys += [f"{answer.key}.{number}" for number in range(len(sides))]
    return {"accuracy": Items(values, keys)}


@test("flanker-v1", score=score, scores=[Score("accuracy", better="more", proportion=True)])
def flanker(rng, *, trials: Annotated[int, "How many arrows are judged, 1 or more."] = 8):
    """Say where the middle arrow points, whatever its neighbours do."""
    sides = [SIDES[int(rng.integers(2))] for _ in range(trials)]
    shown = [{"middle": side, "others": SIDES[int(rng.integers(2))]} for side in sides]
    words = "Say where the **middle** arrow points, as fast as you can: by the arrow keys, or by the buttons."
    yield Ask(words, Flanker(TRIALS, told={"trials": shown}), key="block", truth=sides)


def sharp(ask):
    """Answer as a page would that always sees the middle arrow."""
    shown = ask.space.told["trials"]
    trial = {"trial_type": "flanker", "rt": 400}
    return [
        {**trial, "trial_index": number, "time_elapsed": 400 * (number + 1), "response": one["middle"]}
        for number, one in enumerate(shown)
    ]


if __name__ == "__main__":
    import tempfile

    from mensura import open_store, run

    with tempfile.TemporaryDirectory() as folder, open_store(f"{folder}/mensura.db") as store:
        print(run(flanker, sharp, store=store, sessions=5, seed=1))
