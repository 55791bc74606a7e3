"""Training in the small world: what was learned comes from what was done, and from nothing else."""

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import mensura.catalog.crisis
from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.learning.command import generate
from mensura.catalog.crisis.assistant.learning.learned import Learned, read_learned
from mensura.catalog.crisis.assistant.learning.observing import attributed
from mensura.catalog.crisis.assistant.learning.training import TrainingDay, learn_from, train
from mensura.catalog.crisis.office.visible import known
from mensura.catalog.crisis.world.conference import Conference
from mensura.errors import BadParameter


@pytest.fixture(scope="module")
def lesson(small: Conference) -> tuple[TrainingDay, Learned]:
    learned = Learned()
    return learn_from(small, learned, seed=7), learned


@pytest.mark.proof
def test_the_user_settles_what_the_mail_asks_for(lesson: tuple[TrainingDay, Learned]) -> None:
    office = lesson[0].office
    assert office.facts.capacity["auditorium", "theatre"] == 180
    assert office.site["site-kofi"]["name"] == "Kofi Mensah"
    assert {rule.kind for rule in office.constraints.values()} == {"away", "building"}
    assert office.briefing


def test_labels_are_taken_from_what_was_done_after_reading(lesson: tuple[TrainingDay, Learned]) -> None:
    after = Known(known(lesson[0].office))
    labels = dict(attributed(after))
    assert set(labels["m-1"]) == {"crisis", "briefing", "publish"}
    assert labels["m-2"] == ["room_fact"]
    assert labels["m-3"] == ["availability"]
    assert set(labels["m-4"]) == {"preference", "web"}
    assert labels["m-7"] == []


def test_owners_answers_are_remembered_with_what_the_portal_shows(lesson: tuple[TrainingDay, Learned]) -> None:
    rows = {tuple(features): answer for features, answer in lesson[1].room_finder}
    assert any("post training officer" in features and answer for features, answer in rows.items())
    assert any("post director" in features and not answer for features, answer in rows.items())


def test_facts_are_compared_with_what_the_tables_said(lesson: tuple[TrainingDay, Learned]) -> None:
    elicitor = lesson[1].elicitor
    campus = elicitor["campus"][lesson[0].before.campus]
    assert campus["seats"]["auditorium"]["theatre"] == [180]
    assert any(abs(ratio - 1.2) < 1e-6 for ratios in elicitor["seats"].values() for ratio in ratios)


def test_the_source_of_what_was_learned_is_kept(lesson: tuple[TrainingDay, Learned], small: Conference) -> None:
    source = lesson[1].sources[0]
    assert (source.package, source.purpose, source.hash, source.seed) == ("small", "practice", small.hash, 7)


def test_the_same_session_teaches_the_same(small: Conference, lesson: tuple[TrainingDay, Learned]) -> None:
    again = Learned()
    learn_from(small, again, seed=7)
    assert again.sha256 == lesson[1].sha256


def test_nothing_is_learned_from_a_test_package() -> None:
    with pytest.raises(BadParameter, match="crisis-1 is a test package"):
        train(["crisis-1"])


def test_the_command_writes_a_file_that_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lesson: tuple[TrainingDay, Learned]
) -> None:
    def taught(packages: Any) -> Learned:
        assert list(packages) == ["training-1", "training-2"]
        return lesson[1]

    monkeypatch.setattr("mensura.catalog.crisis.assistant.learning.command.train", taught)
    out = tmp_path / "learned.json"
    said = CliRunner().invoke(generate, ["--packages", "training-1,training-2", "--out", str(out)])
    assert said.exit_code == 0
    assert read_learned(str(out)).sha256 == lesson[1].sha256


@pytest.mark.parametrize(
    ("packages", "out", "words"),
    [
        (",", "learned.json", "at least one training package"),
        ("training-1 training-1", "learned.json", "training-1 twice"),
        ("training-1", "nowhere/learned.json", "no folder"),
    ],
)
def test_what_cannot_be_trained_or_written_is_said_before_training(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, packages: str, out: str, words: str
) -> None:
    def never(names: Any) -> Learned:
        raise AssertionError("Training began.")

    monkeypatch.setattr("mensura.catalog.crisis.assistant.learning.command.train", never)
    said = CliRunner().invoke(generate, ["--packages", packages, "--out", str(tmp_path / out)])
    assert isinstance(said.exception, BadParameter)
    assert words in str(said.exception)


def test_the_docs_say_what_training_uses_and_that_nothing_else_is_learned_from():
    folder = Path(mensura.catalog.crisis.__file__).parent
    callers = [path.name for path in folder.rglob("*.py") if re.search(r"(?<!def )\bobserve\(", path.read_text())]
    assert callers == ["training.py"]
    docs = (Path(__file__).parents[5] / "docs" / "crisis.md").read_text()
    assert "knows from each mail's key" in docs
    assert "`observe` is called in training alone" in docs
    assert "learned through ordinary use" not in docs
