"""Does it help to learn from where people have been? The source's table, on the same test starts, at any budget.

    mensura study run examples/arcade_checkpoints.py --budget 10e6
    mensura study analyse arcade-checkpoints-10000000 -o arcade.html

Compared are random, repeat-last (chance that persists), and the learners that are saved in the folder
`learners` (or $ARCADE_LEARNERS) as `mensura arcade train --out learners/NAME.pt` writes them: dqn, hcr, her, and hcr
from search-made starts, as many seeds as there are, each with as many frames as the budget or fewer. Nothing is trained
here: a cell whose learner is not there is shown empty. The test starts are those of `learners/starts.json` or
$ARCADE_STARTS, of the published file of 2016 where it lies beside the project, or else a search makes some, which are
not called human.
"""

import os
from pathlib import Path

from mensura.catalog.arcade.learners.saving import stated_in
from mensura.catalog.arcade.starts.file import read_starts
from mensura.running.study import Cast, Hypothesis, Stopping, Study

GAME = "montezuma-revenge"
FOLDER = Path(os.environ.get("ARCADE_LEARNERS", "learners"))
PUBLISHED = Path(__file__).parents[2] / "shared" / "data" / "arcade" / "montezuma_train_checkpoints.npy"
SLACK = 1.001
"""Learners stop at the first round of games past their budget."""


def starts() -> Path:
    """Return the file of starts whose test split is played."""
    for place in (Path(os.environ.get("ARCADE_STARTS", FOLDER / "starts.json")), PUBLISHED):
        if place.exists():
            return place
    return searched(FOLDER / "search-starts.json")


def searched(place: Path) -> Path:
    """Make starts by a search, all of them for testing."""
    from dataclasses import replace

    from mensura.catalog.arcade.search.explore import explore
    from mensura.catalog.arcade.search.keeping import as_starts
    from mensura.catalog.arcade.starts.file import write_starts

    place.parent.mkdir(exist_ok=True)
    made = as_starts(explore(GAME, frames=100_000, seed=1), states=50, seed=1)
    write_starts(replace(made, starts=tuple(replace(start, split="test") for start in made.starts)), place)
    return place


def learners(budget: int) -> list[Cast]:
    """Return the saved learners of the game that used no more frames than the budget."""
    found = []
    for save in sorted(FOLDER.glob("*.pt")):
        told = stated_in(save)
        if told["game"] == GAME.replace("-", "_") and told["frames"] <= budget * SLACK:
            found.append(Cast(save.stem, {"": f"{told['method']}#save={save}"}))
    return found


def study_for(budget: int) -> Study:
    """Plan the comparison of what there is at a budget."""
    casts = learners(budget)
    place = starts()
    score = "human_starts" if read_starts(place, game=GAME).of_split("test").human else "starts"
    return Study(
        name=f"arcade-checkpoints-{budget}",
        question=f"Does it help to learn from checkpoints, at most {budget} frames each, on the same test starts?",
        tests=("arcade",),
        casts=(Cast("random", {"": "random"}), Cast("repeat-last", {"": "repeat-last"}), *casts),
        conditions={"": {"game": GAME, "starts": str(place), "split": "test", "null_starts": 0}},
        hypotheses=tuple(
            Hypothesis(f"{one.name} earns more than random", score, (one.name, "random"), "greater") for one in casts
        ),
        stopping=Stopping(most=1),
        seed=1,
    )
