"""Columns: the arrays say what the records say, and scoring does not care which it is given."""

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura.catalog.find import find_test
from mensura.dialogue import Answer, Columns, Record, columns_of
from mensura.running.take import take
from mensura.track_record.calibration.sheet import Sheet
from mensura.track_record.files.book import Book
from mensura.track_record.files.scoring import read_files, score_book

ARRAYS = ("value", "subject", "key", "time", "truth")


@st.composite
def columns(draw: Any) -> Columns:
    """Draw what a few subjects answered, subject by subject, each of them and each question at least once."""
    width, people, questions = draw(st.integers(2, 4)), draw(st.integers(1, 3)), draw(st.integers(1, 4))
    subject = sorted([*range(people), *draw(st.lists(st.integers(0, people - 1), max_size=6))])
    while len(subject) < questions:
        subject.append(people - 1)
    more = draw(st.lists(st.integers(0, questions - 1), min_size=len(subject), max_size=len(subject)))
    key = np.array([*range(questions), *more][: len(subject)])
    share = st.floats(0, 1)
    true = np.array(draw(st.lists(st.integers(0, width - 1), min_size=questions, max_size=questions)))
    moment = st.one_of(st.just(float("nan")), st.floats(-1e6, 1e6))
    rows = len(subject)
    return Columns(
        np.array(draw(st.lists(st.lists(share, min_size=width, max_size=width), min_size=rows, max_size=rows))),
        np.array(subject),
        key,
        np.array(draw(st.lists(moment, min_size=rows, max_size=rows))),
        true[key],
        [f"subject {i}" for i in range(people)],
        [f"question {i}" for i in range(questions)],
        [[f"option {i}" for i in range(width)] for _ in range(questions)],
    )


@given(columns())
def test_columns_become_records_and_the_same_columns_again(given: Columns) -> None:
    [again] = columns_of(given.records())
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(again, name), getattr(given, name), strict=True)
    assert (again.subjects, again.keys, again.options) == (given.subjects, given.keys, given.options)


@given(columns(), st.data())
def test_chosen_rows_keep_their_order_and_their_names(given: Columns, data: Any) -> None:
    rows = np.array(data.draw(st.lists(st.integers(0, len(given) - 1))), dtype=int)
    part = given.of(rows)
    assert len(part) == len(rows)
    for name in ARRAYS:
        np.testing.assert_array_equal(getattr(part, name), getattr(given, name)[rows])
    assert part.keys is given.keys


def taken(subject: str) -> tuple[Record, dict[str, Any]]:
    """Take forecasting with urns in this process."""
    test = find_test("forecasting")
    done = take(test, test.subjects[subject](), seed=5)
    return done.record, done.truths


@pytest.mark.parametrize("subject", ["realistic", "overvaluing"])
def test_a_live_session_scores_as_its_file_does(subject: str, tmp_path: Path) -> None:
    record, truths = taken(subject)
    pages = columns_of([(record, truths)])
    page = pages[0]
    said, came = tmp_path / "forecasts.csv", tmp_path / "outcomes.csv"
    with said.open("w", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(("forecaster", "question", "option", "probability"))
        for row in range(len(page)):
            options = page.options[page.key[row]]
            for option, share in zip(options, page.value[row], strict=True):
                lines.writerow((subject, page.keys[page.key[row]], option, repr(float(share))))
    with came.open("w", newline="") as file:
        lines = csv.writer(file)
        lines.writerow(("question", "outcome"))
        lines.writerows((key, truths[key]) for key in page.keys)
    unknown = np.full(len(page.keys), np.nan)
    [live] = score_book(Book(pages, unknown, unknown)).diagnoses
    [filed] = score_book(read_files(said, came)).diagnoses
    assert live.score.value == pytest.approx(filed.score.value, rel=1e-12)
    assert live.realism.a == pytest.approx(filed.realism.a, rel=1e-9)
    scores = find_test("forecasting").score(record, truths)
    assert scores.values["realism_slope"] == pytest.approx(filed.realism.a, rel=1e-9)
    assert len(Sheet.of(pages)) == len(page) == len(record.answers)


def test_only_shares_whose_truth_is_known_are_gathered_by_number_of_alternatives() -> None:
    def said(number: int, key: str, value: Any, status: str = "answered") -> Answer:
        return Answer(number, "subject", key, "distribution", value, status)

    answers = [
        said(1, "a", {"yes": 0.75, "no": 0.25}),
        said(2, "b", {"x": 1, "y": 0, "z": 0}),
        said(3, "c", {"yes": 0.5, "no": 0.5}),
        said(4, "d", 0.5),
        said(5, "e", None, "refused"),
        said(6, "a", {"no": 1, "yes": 0}),
        said(7, "again", {"yes": 1, "no": 0}),
    ]
    record = Record("", {}, {"subject": "Ann"}, answers=answers, addresses={1: "f00", 6: "f00", 7: "f00"})
    two, three = columns_of([(record, {"a": "no", "b": "x", "d": 1, "e": "yes", "again": "yes"})])
    assert two.value.tolist() == [[0.75, 0.25], [0, 1], [1, 0]], "shares stand in the order of the options"
    assert two.truth.tolist() == [1, 1, 0]
    assert [two.keys[key] for key in two.key] == ["f00"] * 3, "the same content is the same question"
    assert [three.keys[key] for key in three.key] == ["b"]
    assert (three.value.dtype, three.options[three.key[0]]) == (float, ["x", "y", "z"])
    assert columns_of([]) == []
