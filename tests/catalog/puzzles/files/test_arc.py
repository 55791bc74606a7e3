"""Tasks of ARC become puzzles, and the grid search solves some of them."""

import json
import os
from pathlib import Path

import pytest

from mensura.catalog.puzzles.files.arc import arc_lines
from mensura.catalog.puzzles.kinds.find import find_kind
from mensura.catalog.puzzles.showing.prompt import PuzzlePrompt
from mensura.catalog.puzzles.solvers.grid_search import GridSearch, searched
from mensura.dialogue import Ask, Text
from mensura.errors import BadFile

REPOSITORY = Path(__file__).parents[4]
TASKS = Path(os.environ.get("MENSURA_ARC", REPOSITORY.parent / "shared" / "data" / "puzzles" / "arc_agi1")) / "data"
TASK = {
    "train": [{"input": [[1, 1, 2]], "output": [[2, 1, 1]]}, {"input": [[0, 5, 2]], "output": [[2, 5, 0]]}],
    "test": [{"input": [[3, 4]], "output": [[4, 3]]}, {"input": [[7, 0]], "output": [[0, 7]]}],
}


@pytest.fixture
def task(tmp_path):
    file = tmp_path / "0a.json"
    file.write_text(json.dumps(TASK))
    return file


def test_each_test_of_a_task_becomes_a_puzzle_that_reads_back(task):
    first, second = arc_lines(task)
    assert (first["id"], second["id"]) == ("arc-0a-1", "arc-0a-2")
    assert (first["answer"], second["answer"]) == ("43", "07")
    assert first["licence"] == "Apache-2.0"
    assert not {"proof", "derivation", "load"} & set(first)
    prompt = PuzzlePrompt.read(json.loads(json.dumps(first["prompt"])))
    shown = find_kind("grid").read(prompt)
    assert shown == {"pairs": [[[[1, 1, 2]], [[2, 1, 1]]], [[[0, 5, 2]], [[2, 5, 0]]]], "new": [[3, 4]]}
    assert GridSearch()(Ask(prompt, Text())) == "43"


def test_all_tasks_of_a_folder_become_puzzles(task):
    (task.parent / "more").mkdir()
    (task.parent / "more" / "1b.json").write_text(json.dumps(TASK))
    assert [line["id"] for line in arc_lines(task.parent)] == ["arc-0a-1", "arc-0a-2", "arc-1b-1", "arc-1b-2"]
    (task.parent / "none").mkdir()
    with pytest.raises(BadFile, match="holds no task"):
        list(arc_lines(task.parent / "none"))


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[]",
        '{"train": []}',
        json.dumps(TASK).replace("[[3, 4]]", "[[3], [4, 4]]"),
        json.dumps(TASK).replace("5", "12"),
    ],
)
def test_a_file_that_is_no_task_is_explained(tmp_path, text):
    (tmp_path / "x.json").write_text(text)
    with pytest.raises(BadFile, match=r"x\.json is not a task of ARC"):
        list(arc_lines(tmp_path / "x.json"))


def solved(folder, *, budget, every=1):
    """Return how many tasks are solved, all of their tests, and how many there are."""
    tasks = sorted((TASKS / folder).glob("*.json"))[::every]
    if not tasks:
        pytest.skip(f"The tasks of ARC are not in {TASKS}; name their folder in MENSURA_ARC.")
    right = 0
    for file in tasks:
        task = json.loads(file.read_text())
        pairs = [[pair["input"], pair["output"]] for pair in task["train"]]
        made = [searched({"pairs": pairs, "new": pair["input"]}, budget=budget) for pair in task["test"]]
        right += made == [pair["output"] for pair in task["test"]]
    return right, len(tasks)


def test_a_share_of_the_training_tasks_is_solved():
    right, count = solved("training", budget=80, every=16)
    assert count == 25
    assert right >= 2


@pytest.mark.proof
def test_the_training_tasks_that_are_solved_within_the_usual_budget():
    assert solved("training", budget=2000) == (48, 400)
