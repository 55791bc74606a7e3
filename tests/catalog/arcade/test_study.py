"""The study of learners: what is saved is compared up to the budget, and nothing else is."""

from pathlib import Path

import pytest

from mensura.catalog.arcade.starts.file import write_starts
from mensura.errors import BadFile
from mensura.running.study import read_study
from mensura.subjects.source import load_file
from tests.catalog.arcade.conftest import make_starts

EXAMPLE = Path(__file__).parents[3] / "examples" / "arcade_checkpoints.py"


@pytest.fixture
def example(tmp_path, monkeypatch):
    module = load_file(EXAMPLE)
    monkeypatch.setattr(module, "FOLDER", tmp_path)
    write_starts(make_starts(made="human"), tmp_path / "starts.json")
    return module


def test_learners_of_the_game_up_to_the_budget_take_part(example, tmp_path, monkeypatch):
    saves = {
        "dqn-1": {"game": "montezuma_revenge", "method": "dqn", "frames": 10_000_320},
        "hcr-1": {"game": "montezuma_revenge", "method": "hcr", "frames": 6_180_000},
        "long": {"game": "montezuma_revenge", "method": "dqn", "frames": 24_000_000},
        "pong": {"game": "pong", "method": "dqn", "frames": 1_000_000},
    }
    for name in saves:
        (tmp_path / f"{name}.pt").touch()
    monkeypatch.setattr(example, "stated_in", lambda save: saves[save.stem])
    study = read_study(EXAMPLE, budget=10_000_000)
    assert [cast.name for cast in study.casts] == ["random", "repeat-last", "dqn-1", "hcr-1"]
    assert study.casts[3].subjects == {"": f"hcr#save={tmp_path / 'hcr-1.pt'}"}
    assert [one.score for one in study.hypotheses] == ["human_starts"] * 2
    assert study.conditions[""]["split"] == "test"


def test_it_plans_without_a_learner_and_asks_for_its_budget(example):
    assert [cast.name for cast in read_study(EXAMPLE, budget=500).casts] == ["random", "repeat-last"]
    with pytest.raises(BadFile, match="--budget 10e6"):
        read_study(EXAMPLE)
