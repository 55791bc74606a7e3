"""The benchmarks of task environments: the option that runs the authors' program beside ours, and a small study."""

import sys
from importlib import import_module
from pathlib import Path

import pytest

from mensura.running.run import RunOptions
from mensura.running.study import conduct, exhibits_of
from mensura.store import open_store

# Benchmarks lie beside the tests, in no package that is installed.
sys.path.insert(0, str(Path(__file__).parents[3]))
learning, steps = (import_module(f"benchmarks.task_environments.{part}") for part in ("learning", "steps"))

STAND_IN = """
# A stand-in for the authors' program, which has no licence and cannot be kept here: it has the names that the benchmark
# calls, and steps a body by force as our note describes it.
from types import SimpleNamespace

taskmodel = SimpleNamespace(DEBUG=True)
ticks = []


class Motor:
    power = 0.0

    def activate(self, power):
        self.power = power


class Race:
    def __init__(self, max_power):
        self.max_power, self.motor, self.x, self.v = max_power, Motor(), 50.0, 0.0

    def motors(self):
        return [self.motor]

    def tick(self, seconds):
        assert not taskmodel.DEBUG and abs(self.motor.power) <= self.max_power
        passed, steps = 0.0, 0
        while passed < seconds:
            passed += 0.001
            steps += 1
            force = self.motor.power / abs(self.v) if self.v else (self.motor.power * 5 / 0.002) ** 0.5 if (
                self.motor.power > 0) else 0.0
            self.v += (force / 5 - (2.0 if self.v > 0 else -2.0 if self.v < 0 else 0.0)) * 0.001
            self.x += self.v * 0.001
        ticks.append(steps)


def sample_system_1D_plotter(max_power):
    return Race(max_power), None
"""


@pytest.fixture(autouse=True)
def small(monkeypatch):
    monkeypatch.setattr(steps, "ROUNDS", 1)
    monkeypatch.setattr(steps, "INSTANCES", 2)


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    (tmp_path / "samples.py").write_text(STAND_IN)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield tmp_path
    sys.modules.pop("samples", None)


def test_a_checkout_of_the_original_runs_in_turn_with_ours(checkout, capsys):
    steps.print_rates(steps.original_at(str(checkout)))
    ticks = sys.modules["samples"].ticks
    assert ticks == [250] * len(ticks)
    assert len(ticks) == 2 * steps.TICKS
    printed = capsys.readouterr().out
    assert "the original program" in printed
    assert "steps/s in this run." in printed


def test_without_a_checkout_the_figures_of_the_note_are_named_as_such(capsys):
    steps.print_rates(None)
    assert "225,000 steps/s by our note, not measured here." in capsys.readouterr().out


def test_a_folder_that_is_no_checkout_is_refused(tmp_path):
    with pytest.raises(SystemExit, match=r"no samples\.py"):
        steps.original_at(str(tmp_path))


def test_the_study_of_the_benchmark_stores_scores_only_and_gives_its_transfer(tmp_path, monkeypatch):
    for episodes in ("TOGETHER", "PROBED"):
        monkeypatch.setattr(learning, episodes, 4)
    study, found = learning.study(courses=2, budget=16), {}
    for trace in ("none", "summary"):
        with open_store(str(tmp_path / f"{trace}.db")) as store:
            conduct(study, store=store, options=RunOptions(trace=trace))
            titles = [exhibit.title for exhibit in exhibits_of(study, store=store)]
            assert any(title.startswith("Transfer of sarsa from X to Y, probed frozen") for title in titles)
            runs = {head.condition: head for head in store.runs.all() if "X then Y" in head.details["cell"]}
            sessions = [one.id for head in runs.values() for one in store.sessions.of(head.id)]
            kept = sum(len(store.events.of(session)) for session in sessions)
            assert (kept == 0) is (trace == "none")
            results = {name: store.results.latest(head.id) for name, head in runs.items()}
            found[trace] = {
                name: [one.scores.values["regret_time"].values.tolist() for one in held]
                for name, held in results.items()
            }
    assert found["none"] == found["summary"]
