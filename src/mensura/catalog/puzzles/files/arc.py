"""Tasks of the Abstraction and Reasoning Corpus, one JSON file each, as puzzles of the kind `grid`."""

from collections.abc import Iterator
from json import JSONDecodeError
from pathlib import Path
from typing import Any

from mensura.catalog.puzzles.kinds.transformed_grid import TransformedGrid
from mensura.catalog.puzzles.showing.presentation import Presentation
from mensura.dialogue import Text
from mensura.errors import BadFile
from mensura.json_file import loads
from mensura.text_file import read_text

LARGEST = 30
SOURCE = "Chollet (2019), Abstraction and Reasoning Corpus"
LICENCE = "Apache-2.0"


def arc_lines(path: str | Path) -> Iterator[dict[str, Any]]:
    """Turn a task, or every task in a folder, into puzzles in the form of our files; answers are constructed.

    Each test of a task is a puzzle. Its answer is the one that the task gives: no derivation, load or proof is ours.

    Raises
    ------
    BadFile
        If a file is no such task; the message says what is wrong with it.
    """
    file = Path(path)
    if file.is_dir():
        if not (tasks := sorted(file.rglob("*.json"))):
            raise BadFile(f"{file} holds no task of ARC, files whose names end in .json.")
        for one in tasks:
            yield from arc_lines(one)
        return
    try:
        task = loads(read_text(file))
        pairs = [[_grid(pair["input"]), _grid(pair["output"])] for pair in task["train"]]
        tests = [(_grid(pair["input"]), _grid(pair["output"])) for pair in task["test"]]
    except (JSONDecodeError, KeyError, TypeError, ValueError) as error:
        raise BadFile(
            f"{file} is not a task of ARC: an object with `train` and `test`, each a list of pairs of `input` and "
            f"`output`, grids of digits: {type(error).__name__} {error}."
        ) from None
    kind, look = TransformedGrid(), Presentation()
    for number, (new, answer) in enumerate(tests):
        yield {
            "id": f"arc-{file.stem}" + (f"-{number + 1}" if len(tests) > 1 else ""),
            "kind": kind.name,
            "prompt": kind.show({"pairs": pairs, "new": new}, look).data(),
            "space": Text(longest=LARGEST * (LARGEST + 1), lines=2).data(),
            "answer": kind.write(answer, look),
            "tags": [kind.name, "arc"],
            "source": f"{SOURCE}, {file.stem}",
            "licence": LICENCE,
        }


def _grid(rows: Any) -> list[list[int]]:
    made = [[int(value) for value in row] for row in rows]
    if not made or not 1 <= len(made) <= LARGEST or not 1 <= len(made[0]) <= LARGEST:
        raise ValueError(f"a grid has 1 to {LARGEST} rows and columns")
    if any(len(row) != len(made[0]) for row in made) or any(not 0 <= value <= 9 for row in made for value in row):
        raise ValueError("the rows of a grid are equally long and hold digits")
    return made
