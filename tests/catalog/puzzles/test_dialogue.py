"""The test around the kinds: what is asked, in which order, and what it depends on."""

import json
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mensura.catalog.puzzles.dialogue import puzzles
from mensura.catalog.puzzles.exhibits import exhibits
from mensura.catalog.puzzles.files.line import write_lines
from mensura.catalog.puzzles.making.item import ItemOrder, make_item
from mensura.catalog.puzzles.making.wanted import Wanted
from mensura.catalog.puzzles.posing import PuzzleRequest, pose
from mensura.catalog.puzzles.scoring import ABOUT
from mensura.dialogue import generator
from mensura.errors import BadParameter, UnknownName
from mensura.exhibit import Group
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take


def scores_of(subject, **parameters):
    taken = take(puzzles, subject, seed=1, parameters=parameters)
    return taken, score_record(puzzles, taken.record, taken.truths)


def test_a_subject_that_knows_one_kind_is_a_specialist(tiny, knows):
    _, found = scores_of(knows("number-series"), count=20)
    assert found.values["accuracy"].values.sum() == 10
    assert found.values["generality"] == pytest.approx(0.5)
    assert found.values["evenness"] == 0
    assert found.tally == {"answered": 10, "abstained": 10}
    assert found.details["by_kind"]["letter-series"]["abstained"] == 10
    assert found.details["by_kind"]["number-series"]["interval"][0] > 0.6


def test_a_subject_that_knows_all_kinds_is_general_and_even(tiny, knows):
    _, found = scores_of(knows("number-series", "letter-series"), count=20)
    assert found.values["generality"] == pytest.approx(1)
    assert found.values["evenness"] == pytest.approx(1)


def test_practice_is_asked_first_with_its_answers_and_does_not_count(tiny, knows):
    taken, found = scores_of(knows("number-series", "letter-series"), count=4, practice=3)
    asked = [answer.key for answer in taken.record.answers]
    assert asked[:3] == ["practice-0", "practice-1", "practice-2"]
    assert len(found.values["accuracy"].values) == 4
    assert not any(key.startswith("practice") for key in taken.truths)


def test_feedback_tells_the_answer_after_each_ask_and_only_then(tiny):
    for feedback, tells in ((True, 4), (False, 0)):
        session = puzzles(generator(1), count=4, feedback=feedback)
        told, ask = [], next(session)
        while True:
            if ask.space is None and ask.key != ABOUT:
                told.append(ask.prompt)
            try:
                ask = session.send(None if ask.space is None else ask.space.options[0])
            except StopIteration:
                break
        assert len(told) == tells
        assert all("right" in words or "The answer is" in words for words in told)


def test_an_item_depends_neither_on_what_else_is_asked_nor_on_its_presentation(tiny):
    whole = {line.id: line for line in pose(PuzzleRequest(count=12), generator(5))}
    alone = {line.id: line for line in pose(PuzzleRequest(kinds="letter-series", count=6), generator(5))}
    other = {line.id: line for line in pose(PuzzleRequest(count=12, presentation="mixed"), generator(5))}
    assert all(whole[name].structure == line.structure for name, line in alone.items())
    assert all(whole[name].structure == line.structure for name, line in other.items())
    assert {tuple(line.presentation.items()) for line in other.values()} != {
        tuple(line.presentation.items()) for line in whole.values()
    }


def test_every_kind_is_asked_as_often_as_the_others_and_in_no_fixed_order(tiny):
    lines = pose(PuzzleRequest(count=21), generator(2))
    counts = sorted(sum(line.kind == kind for line in lines) for kind in tiny)
    assert counts == [10, 11]
    assert [line.kind for line in lines] != [line.kind for line in pose(PuzzleRequest(count=21), generator(3))]


def test_a_bank_is_asked_instead_of_new_puzzles(tiny, knows, tmp_path):
    file = tmp_path / "items.jsonl"
    write_lines(pose(PuzzleRequest(count=8), generator(9)), file)
    held = {json.loads(line)["id"] for line in file.read_text().splitlines()}
    taken, _ = scores_of(knows("number-series"), bank=str(file))
    assert {answer.key for answer in taken.record.answers} == held
    part, _ = scores_of(knows("number-series"), bank=str(file), count=4)
    kinds = [part.truths[ABOUT]["items"][answer.key]["kind"] for answer in part.record.answers]
    assert sorted(kinds) == ["letter-series", "letter-series", "number-series", "number-series"]


def test_an_adaptive_test_of_puzzles_that_are_not_calibrated_says_what_to_do(tiny):
    session = puzzles(generator(1), count=3, adaptive=True)
    with pytest.raises(BadParameter, match=r"mensura calibrate RUN -o bank\.jsonl"):
        for _ in session:
            pass


@pytest.mark.parametrize(
    ("load", "words"),
    [
        ("5..7", "number-series has 1 to 1 rules; 5..7 cannot be reached"),
        ("memory=9..12", r"memory 9..12 \(its puzzles have 2\)"),
        ("3..1", "goes from more to less"),
        ("many", "A load is 2..4"),
    ],
)
def test_a_load_that_cannot_be_reached_says_the_range_that_can(tiny, load, words):
    with pytest.raises(BadParameter, match=words):
        pose(PuzzleRequest(kinds="number-series", count=1, load=load), generator(1))


def test_a_part_of_the_load_that_there_is_not_is_named():
    with pytest.raises(UnknownName, match="memory"):
        Wanted.read("memori=3")


@given(low=st.integers(1, 9), more=st.integers(0, 9), part=st.sampled_from(["rules", "memory", "size", "types"]))
@settings(max_examples=30, deadline=None)
def test_a_load_is_read_as_it_is_written(low, more, part):
    assert Wanted.read(f"{part}={low}..{low + more}").spans == {part: (low, low + more)}


def test_an_item_has_the_load_that_was_wanted(tiny):
    made = make_item(
        tiny["number-series"],
        structure=generator(1),
        presentation=generator(2),
        order=ItemOrder(Wanted.read("1,memory=2")),
    )
    assert (made.load.rules, made.load.memory) == (1, 2)


def calibrated(tmp_path, tiny):
    file = tmp_path / "bank.jsonl"
    lines = pose(PuzzleRequest(count=40), generator(4))
    curves = [{"model": "2pl", "a": 1.5, "b": place / 10 - 2, "c": 0.0, "norm": "students"} for place in range(40)]
    write_lines([replace(line, calibration=curve) for line, curve in zip(lines, curves, strict=True)], file)
    return str(file)


def test_a_calibrated_bank_gives_an_ability_and_a_norm(tiny, knows, tmp_path):
    _, found = scores_of(knows("number-series", "letter-series"), bank=calibrated(tmp_path, tiny))
    told = found.details["estimates"]["ability"]
    assert found.values["ability"] == told["value"] > 1.5
    assert told["low"] < told["value"] < told["high"]
    # Difficulties lie evenly around the mean of the norm group, who have about half of them right.
    norms = [one["accuracy"] for one in found.details["norm"].values()]
    assert sum(norms) / 2 == pytest.approx(0.5, abs=0.05)
    assert "higher than" in found.details["beside"]["ability"][0]


def test_the_report_of_a_calibrated_bank_shows_ability_and_load_beside_measured_difficulty(tiny, knows, tmp_path):
    taken, found = scores_of(knows("number-series"), bank=calibrated(tmp_path, tiny))
    group = Group("one", "", taken.record.parameters, [found], records=[(taken.record, taken.truths)])
    shown = {one.title: one for one in exhibits([group])}
    table = shown["Ability on the scale of the calibrated bank"]
    assert "students" in table.words
    assert table.rows[0][1].value == found.values["ability"]
    assert table.rows[0][2] == 40
    assert shown["How far load predicts calibrated difficulty"].rows[0][0] == "rules"


def test_an_adaptive_test_stops_when_the_ability_is_known_well_enough(tiny, knows, tmp_path):
    bank = calibrated(tmp_path, tiny)
    taken, found = scores_of(knows("number-series"), bank=bank, adaptive=True, precision=0.5)
    whole, _ = scores_of(knows("number-series"), bank=bank, adaptive=True, precision=0.05)
    assert 4 < len(taken.record.answers) < 20
    assert len(whole.record.answers) == 40
    assert found.details["estimates"]["ability"]["n"] == len(taken.record.answers)
    capped, _ = scores_of(knows("number-series"), bank=bank, adaptive=True, precision=0.05, count=7)
    assert len(capped.record.answers) == 7
