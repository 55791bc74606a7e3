import json
from pathlib import Path

import pytest

from mensura.catalog.crisis.assistant.learning.learned import Learned, LearnedFrom, check_apart, read_learned
from mensura.errors import BadFile, BadParameter, UnknownName

TRAINED = LearnedFrom("training-1", "training", "a" * 16, 604, "campus")


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    learned = Learned(drafter={"moved": [3, 4]}, room_finder=[[["post student"], True]], sources=[TRAINED])
    learned.write(tmp_path / "learned.json")
    assert read_learned(str(tmp_path / "learned.json")) == learned


def test_nothing_is_learned_without_a_name() -> None:
    assert read_learned("") == Learned()


def test_a_file_changed_by_hand_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "learned.json"
    Learned(drafter={"moved": [3, 4]}, sources=[TRAINED]).write(path)
    said = json.loads(path.read_text())
    said["drafter"]["moved"] = [40, 40]
    path.write_text(json.dumps(said))
    with pytest.raises(BadFile, match="checksum is wrong"):
        read_learned(str(path))


@pytest.mark.parametrize("text", ["not json", "{}", '{"form": "crisis-learned-1"}'])
def test_a_damaged_file_is_refused_with_what_to_do(tmp_path: Path, text: str) -> None:
    path = tmp_path / "learned.json"
    path.write_text(text)
    with pytest.raises(BadFile):
        read_learned(str(path))


def test_a_missing_file_says_how_to_make_one() -> None:
    with pytest.raises(BadFile, match="mensura generate crisis-learning"):
        read_learned("nowhere.json")


@pytest.mark.parametrize(
    "world",
    [
        {"package": "training-1"},
        {"package": "mine", "seed": 604},
        {"package": "mine", "hash": "a" * 16},
    ],
)
def test_the_world_that_was_learned_from_cannot_be_a_test(world: dict[str, object]) -> None:
    with pytest.raises(BadParameter, match="training-1"):
        check_apart(Learned(sources=[TRAINED]), purpose="test", **world)  # type: ignore[arg-type]


def test_other_worlds_may_use_what_was_learned() -> None:
    check_apart(Learned(sources=[TRAINED]), package="crisis-1", purpose="test", seed=12303, hash="b" * 16)


def test_only_training_packages_may_be_learned_from() -> None:
    practised = Learned(sources=[LearnedFrom("practice-1", "practice", "c" * 16, 35, "campus")])
    with pytest.raises(BadParameter, match="only training packages"):
        check_apart(practised, package="crisis-1", purpose="test")


def test_an_unknown_learner_is_named() -> None:
    with pytest.raises(UnknownName, match="classifier"):
        Learned().without(["clasifier"])
