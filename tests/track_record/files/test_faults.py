"""Faults in files: each is named with file, row and value, and the rest can be scored."""

import json
import math

import pytest

from mensura.errors import BadFile, BadParameter, UnknownName
from tests.track_record.conftest import FORECASTS, OUTCOMES
from tests.track_record.test_command import by_name, data, run


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("ada,q3,yes,1.7\nada,q3,no,-0.7", ["row 7 (line 8)", "'1.7' is above 1", "row 8", "'-0.7' is negative"]),
        ("ada,q3,yes,0.7\nada,q3,no,0.2", ["row 7", "'ada' for question 'q3' sum to 0.9"]),
        ("ada,q3,yes,\nada,q3,no,0.2", ["row 7", "the probability is empty"]),
        ("ada,q3,yes,much\nada,q3,no,0.2", ["row 7", "'much' is not a number"]),
        ("ada,q3,yes,nan\nada,q3,no,0.2", ["row 7", "'nan' is not a number"]),
        ("ada,q1,yes,0.3\nada,q1,no,0.7", ["row 7", "a second time", "'ada'", "'q1'"]),
        (",q3,yes,0.3", ["row 7", "the forecaster is empty"]),
        ("ada,q3,yes", ["row 7", "3 fields instead of 4", "ada,q3,yes"]),
        ("ada,q3,yes,0.3,9", ["row 7", "5 fields instead of 4"]),
        ("ada,q3,yes,1", ["row 7", "question 'q3' has a single option"]),
    ],
)
def test_each_bad_row_is_named_with_file_row_and_value(folder, line, words):
    (folder / "f.csv").write_text(FORECASTS + line + "\n")
    (folder / "o.csv").write_text(OUTCOMES + "q3,yes\n")
    with pytest.raises(BadFile) as error:
        run(folder)
    for part in ["f.csv", "--skip-bad", *words]:
        assert part in str(error.value)


def test_skip_bad_scores_the_rest_and_counts(folder):
    before = data(folder)
    (folder / "f.csv").write_text(FORECASTS + "ada,q3,yes,0.7\nada,q3,no,0.2\ncy,q3\n")
    (folder / "o.csv").write_text(OUTCOMES + "q3,yes\n")
    result = run(folder, "--skip-bad", "--json")
    after = json.loads(result.stdout)
    assert by_name(after)["ada"]["score"] == by_name(before)["ada"]["score"]
    assert after["skipped"]["bad_rows"] == 2
    assert after["skipped"]["set_aside_with_them"] == 1
    assert "skipped: f.csv, row 7" in result.stderr


def test_an_outcome_that_is_no_option_is_named_in_its_own_file(folder):
    (folder / "o.csv").write_text("question,outcome\nq1,maybe\nq2,no\n")
    with pytest.raises(BadFile, match=r"o\.csv, row 1 \(line 2\): outcome 'maybe' is not among the options .*'q1'"):
        run(folder)
    rest = data(folder, "--skip-bad")
    assert by_name(rest)["ada"]["n"] == 1
    assert rest["skipped"]["set_aside_with_them"] == 4


def test_a_question_resolved_twice_is_named_and_contradictions_are_not_scored(folder):
    (folder / "o.csv").write_text("question,outcome\nq1,yes\nq2,no\nq1,no\n")
    with pytest.raises(BadFile, match=r"o\.csv, row 3 .*'q1' appears a second time"):
        run(folder)
    assert by_name(data(folder, "--skip-bad"))["ada"]["n"] == 1


def test_unresolved_questions_are_counted_not_scored(folder):
    (folder / "o.csv").write_text("question,outcome\nq1,yes\nq2,\n")
    result = data(folder)
    assert by_name(result)["ada"]["n"] == 1
    assert result["skipped"]["unresolved"] == 2


def test_unlisted_alternatives_count_as_zero_and_that_is_said(folder):
    (folder / "f.csv").write_text(FORECASTS + "cy,q1,yes,1\n")
    result = run(folder, "--json")
    assert by_name(json.loads(result.stdout))["cy"]["score"]["value"] == pytest.approx(math.log(2))
    assert "1 alternatives were not listed" in result.stderr


def test_missing_files_columns_and_empty_files_are_named(folder):
    with pytest.raises(BadFile, match="There is no file"):
        run(folder, forecasts="none.csv")
    (folder / "f.csv").write_text("forecaster,question,probability\n")
    with pytest.raises(BadFile, match="no column 'option'"):
        run(folder)
    (folder / "f.csv").write_text("")
    with pytest.raises(BadFile, match="is empty"):
        run(folder)
    (folder / "f.csv").write_text("forecaster,question,option,probability\n")
    with pytest.raises(BadFile, match="nothing to score"):
        run(folder)
    (folder / "f.parquet").write_bytes(b"no parquet")
    with pytest.raises(BadFile, match="cannot be read as Parquet"):
        run(folder, forecasts="f.parquet")


def test_wrong_rules_and_floors_are_refused(folder):
    with pytest.raises(UnknownName, match="Did you mean log"):
        run(folder, "--rule", "logg")
    with pytest.raises(BadParameter, match="floor"):
        run(folder, "--floor", "0.7")


def test_the_floor_of_corrected_values_goes_with_every_rule(folder):
    assert data(folder, "--rule", "quadratic", "--floor", "0.05")["floor"] == 0.05


def test_quotes_semicolons_and_a_byte_order_mark_are_read(folder):
    text = FORECASTS.replace("ada", '"lovelace; ada"').replace(",", ";")
    (folder / "f.csv").write_bytes(b"\xef\xbb\xbf" + text.encode())
    assert "lovelace; ada" in by_name(data(folder))


def test_bad_outcomes_of_the_binary_form_are_named(tmp_path):
    (tmp_path / "b.csv").write_text("probability,outcome\n0.5,2\n1.5,1\n0.5,\n0.4,0\n")
    with pytest.raises(BadFile) as error:
        run(tmp_path, forecasts="b.csv", outcomes=None)
    assert "row 1 (line 2): outcome '2' is neither 0 nor 1" in str(error.value)
    assert "row 2 (line 3): probability '1.5' is above 1" in str(error.value)
    rest = data(tmp_path, "--skip-bad", forecasts="b.csv", outcomes=None)
    assert rest["forecasters"][0]["n"] == 1
    assert rest["skipped"]["unresolved"] == 1
