"""Claims of the figures of 2016: the numbers that docs/task_environments.md prints are those of its commands."""

import json
from contextlib import suppress
from pathlib import Path

import pytest

from mensura.cli.main import main

PAGE = (Path(__file__).parents[2] / "docs" / "task_environments.md").read_text()
CLAIMS = [
    ("--setting figure-4 --as n-controller --courses 3", {"time": 19.5, "energy": 174}, "19.5 and 22.2 s, 174 and"),
    ("--setting figure-1 --as sarsa --courses 20", {"solved": 0.8}, "against .80"),
    ("--setting figure-1 --as sarsa#levels=5 --courses 20", {"solved": 0.72}, "solved .72"),
    ("--setting figure-3 --as plotter --courses 5", {"solved": 1, "time": 11.9, "energy": 1735}, "11.9 s and 1 735 J"),
    ("--setting figure-5 --as n-controller --courses 3", {"time": 22.2, "energy": 379}, "22.2 s, 174 and 379 J"),
    (
        "--task n-dimensions:10 --episodes 10 --as n-controller --courses 3",
        {"time": 153, "energy": 167},
        "153 and 320 s, 167 and",
    ),
    (
        "--task n-dimensions:20 --episodes 10 --as n-controller --courses 3",
        {"time": 320, "energy": 349},
        "320 s, 167 and 349 J",
    ),
]


@pytest.mark.cells(1)
@pytest.mark.parametrize(("words", "numbers", "printed"), CLAIMS)
def test_figures_are_as_printed(words, numbers, printed, tmp_path, capsys, monkeypatch):
    options = ["--seed", "1", "--trace", "none", "--store", str(tmp_path / "claims.db"), "--json"]
    monkeypatch.setattr("sys.argv", ["mensura", "run", "task-environments", *words.split(), *options])
    with suppress(SystemExit):
        main()
    scores = json.loads(capsys.readouterr().out)["scores"]
    assert printed in PAGE
    for name, number in numbers.items():
        places = len(repr(number).partition(".")[2]) if isinstance(number, float) else 0
        assert round(scores[name]["value"], places) == number
