import json
import math

import numpy as np
import pytest
from click.testing import CliRunner

from mensura.cli.results.score import reporting
from mensura.errors import BadFile, BadParameter
from mensura.track_record.command import score


def run(folder, *options, forecasts="f.csv", outcomes="o.csv"):
    files = ["--forecasts", str(folder / forecasts)] + (["--outcomes", str(folder / outcomes)] if outcomes else [])
    return CliRunner().invoke(reporting(score), [*files, *options], catch_exceptions=False)


def strictly(text):
    """Read JSON as the standard knows it, without NaN and Infinity."""

    def refuse(name):
        raise AssertionError(f"{name} is no JSON")

    return json.loads(text, parse_constant=refuse)


def data(folder, *options, **files):
    return strictly(run(folder, "--json", *options, **files).stdout)


def by_name(result):
    return {forecaster["name"]: forecaster for forecaster in result["forecasters"]}


def test_json_has_the_promised_keys_for_each_forecaster(folder):
    result = data(folder)
    assert [f["name"] for f in result["forecasters"]] == ["ada", "bob"]
    for forecaster in result["forecasters"]:
        assert {"name", "n", "score", "realism", "labelling_loss", "sorting_loss"} <= set(forecaster)
        assert {"perceived_information", "actual_information", "tail_probability"} <= set(forecaster)
        assert {"value", "low", "high"} <= set(forecaster["score"])
        assert {"a", "b", "a_se", "b_se"} <= set(forecaster["realism"])


@pytest.mark.parametrize(
    ("rule", "value"),
    [
        ("log", (math.log(1.6) + math.log(1.2)) / 2),
        ("quadratic", (0.8 - 0.68 / 2 - 0.25 + 0.6 - 0.52 / 2 - 0.25) / 2),
        ("phi:u", (0.8 - 0.68 / 2 - 0.25 + 0.6 - 0.52 / 2 - 0.25) / 2),
        ("spherical", (0.8 / math.hypot(0.8, 0.2) + 0.6 / math.hypot(0.6, 0.4)) / 2 - math.sqrt(0.5)),
    ],
)
def test_score_is_the_mean_payoff_per_question(folder, rule, value):
    forecasters = by_name(data(folder, "--rule", rule))
    assert forecasters["ada"]["score"]["value"] == pytest.approx(value, abs=1e-12)
    assert forecasters["ada"]["n"] == 2
    assert forecasters["bob"]["score"]["value"] == pytest.approx(0)


def test_normalised_certainty_pays_one(folder):
    value = by_name(data(folder, "--normalised"))["ada"]["score"]["value"]
    assert value == pytest.approx((math.log2(1.6) + math.log2(1.2)) / 2)


def test_losses_and_informations_are_means_per_question_in_nats(folder):
    ada = by_name(data(folder))["ada"]
    entropy = [-(p * math.log(p) + (1 - p) * math.log(1 - p)) for p in (0.8, 0.4)]
    assert ada["perceived_information"] == pytest.approx(math.log(2) - sum(entropy) / 2)
    assert ada["labelling_loss"] + ada["sorting_loss"] == pytest.approx(math.log(2) - ada["score"]["value"])


def test_realism_of_the_long_form_takes_every_alternative(folder):
    realism = by_name(data(folder))["ada"]["realism"]
    x, y = np.array([0.8, 0.2, 0.4, 0.6]), np.array([1, 0, 0, 1])
    slope, intercept = np.polyfit(x, y, 1)
    assert realism["a"] == pytest.approx(slope)
    assert realism["b"] == pytest.approx(intercept)
    assert realism["points"] == 4


def table_file(path):
    """Write the table of the notes as probability,outcome."""
    lines = ["probability,outcome"]
    for r, u, v in zip((0.1, 0.3, 0.5, 0.7, 0.9), (2, 6, 10, 12, 16), (8, 14, 10, 8, 4), strict=True):
        lines += [f"{r},1"] * u + [f"{r},0"] * v
    path.write_text("\n".join(lines) + "\n")


def test_the_binary_form_fits_the_stated_side_only(tmp_path):
    table_file(tmp_path / "b.csv")
    (only,) = data(tmp_path, forecasts="b.csv", outcomes=None)["forecasters"]
    assert only["realism"]["a"] == pytest.approx(107 / 140)
    assert only["realism"]["b"] == pytest.approx(19 / 200)
    assert only["score"]["value"] == pytest.approx(6.04697 / 90, abs=1e-7)
    assert only["labelling_loss"] == pytest.approx((7.69909 - 6.04697) / 90, abs=1e-6)
    assert only["n"] == 90
    assert only["tail_method"] == "exact"


def test_the_binary_form_may_name_forecasters(tmp_path):
    (tmp_path / "b.csv").write_text("forecaster,probability,outcome\na,0.9,1\nb,0.9,0\na,0.2,false\n")
    forecasters = by_name(data(tmp_path, forecasts="b.csv", outcomes=None))
    assert forecasters["a"]["n"] == 2
    assert forecasters["b"]["score"]["value"] == pytest.approx(math.log(0.2))


def test_the_binary_form_reads_times_and_refuses_duplicates(tmp_path):
    rows = "forecaster,question,time,probability,outcome\na,q,2024-02-01,0.9,1\n"
    rows += "a,q,2024-01-01,0.3,1\na,r,2024-01-01,0.5,0\n"
    (tmp_path / "b.csv").write_text(rows)
    result = data(tmp_path, forecasts="b.csv", outcomes=None)
    assert result["forecasters"][0]["score"]["value"] == pytest.approx(math.log(1.8) / 2)
    assert any("last forecast of each counts" in note for note in result["notes"])
    (tmp_path / "b.csv").write_text(rows + "a,r,2024-01-01,0.7,0\nb,q,2024-01-01,0.4,0\n")
    with pytest.raises(BadFile) as error:
        run(tmp_path, forecasts="b.csv", outcomes=None)
    assert "row 3 (line 4): appears more than once: forecaster 'a', question 'r'" in str(error.value)
    assert "question 'q' has two outcomes" in str(error.value)


@pytest.mark.parametrize("time", ["9/1/11", "2011-9", "1 September 2011"])
def test_a_date_that_could_be_read_two_ways_is_refused(folder, time):
    (folder / "o.csv").write_text(f"question,outcome,opened\nq1,yes,{time}\nq2,no,2011-09-02\n")
    with pytest.raises(BadFile, match=f"o.csv, row 1 .*opened '{time}' cannot be read; write dates as 2011-09-30"):
        run(folder)


def crowd(folder, names, questions, gain=0.0):
    """Simulate forecasters who see as much as one another; the first a little more."""
    rng = np.random.default_rng(3)
    lines = ["forecaster,question,probability,outcome"]
    for k in range(questions):
        logit = rng.normal(0, 1.5)
        outcome = int(rng.random() < 1 / (1 + math.exp(-logit)))
        for name in names:
            seen = logit + rng.normal(0, 0.05 if gain and name == names[0] else 1.0)
            lines.append(f"{name},q{k},{1 / (1 + math.exp(-seen))},{outcome}")
    (folder / "b.csv").write_text("\n".join(lines) + "\n")


def test_headlines_name_nobody_where_nobody_is_shown_to_be_best(tmp_path):
    names = [f"f{k:02d}" for k in range(30)]
    crowd(tmp_path, names, 60)
    headline = run(tmp_path, "--compare", forecasts="b.csv", outcomes=None).stdout.splitlines()
    first = "\n".join(line for line in headline[:6])
    assert "Nobody is shown to be best" in first
    assert "is not shown to be better than the second" in first
    assert not any(name in first.split("Shown to")[0] for name in names)
    (tmp_path / "b.csv").write_text("forecaster,question,probability,outcome\na,q,0.9,1\nb,q,0.8,1\nb,r,0.6,1\n")
    assert "Nobody is shown to be best" in run(tmp_path, forecasts="b.csv", outcomes=None).stdout
    crowd(tmp_path, names[:3], 400, gain=1)
    assert "f00 is best" in run(tmp_path, forecasts="b.csv", outcomes=None).stdout


def test_who_shows_no_relation_or_the_opposite_is_not_said_to_overvalue(tmp_path):
    rows = [f"blind,q{k},{0.95 if k % 4 < 2 else 0.05},{k % 2}" for k in range(40)]
    rows += [f"wrong,q{k},{0.01 if k % 2 else 0.99},{k % 2}" for k in range(40)]
    (tmp_path / "b.csv").write_text("\n".join(["forecaster,question,probability,outcome", *rows]) + "\n")
    headline = run(tmp_path, forecasts="b.csv", outcomes=None).stdout.split("\n\n")[0]
    assert "No relation to what happens is shown for: blind." in headline
    assert "Shown to say the opposite of what happens: wrong." in headline
    assert "overvalue" not in headline


def test_scores_alone_are_those_of_the_whole_diagnosis(tmp_path):
    (tmp_path / "b.csv").write_text("forecaster,probability,outcome\na,0.9,1\nb,0.9,0\na,0.2,false\n")
    whole = by_name(data(tmp_path, forecasts="b.csv", outcomes=None))
    alone = data(tmp_path, "--scores-only", forecasts="b.csv", outcomes=None)["scores"]
    assert {who: own["scores"] for who, own in whole.items()} == alone


@pytest.mark.parametrize("more", [["--compare"], ["--by", "time"], ["--publish", "r.html"], ["--every", "2"]])
def test_scores_alone_refuse_what_they_would_leave_out_and_name_skipped_rows(tmp_path, more):
    (tmp_path / "b.csv").write_text("probability,outcome\n0.9,1\n1.5,0\n0.2,0\n0.4,\n")
    with pytest.raises(BadParameter, match="--scores-only gives scores alone"):
        run(tmp_path, "--scores-only", *more, forecasts="b.csv", outcomes=None)
    said = run(tmp_path, "--scores-only", "--skip-bad", forecasts="b.csv", outcomes=None).output
    assert "1 bad row was skipped." in said
    assert "1 rows are about questions without an outcome." in said


def test_numbers_of_parquet_are_read_as_they_are_and_a_fault_is_still_named(tmp_path):
    import duckdb

    rows = [(0.9, 1), (0.25, 0), (0.5, 1), (0.7, 0)]
    lines = "\n".join(["probability,outcome", *(f"{p},{y}" for p, y in rows)])
    (tmp_path / "b.csv").write_text(lines + "\n")
    values = ", ".join(map(str, rows))
    for name, more in (("good", ""), ("bad", ", (1.5, 1)"), ("unknown", ", (0.5, NULL)")):
        duckdb.execute(
            f"COPY (SELECT * FROM (VALUES {values}{more}) t(probability, outcome)) TO '{tmp_path / name}.parquet'"
        )
    found = [by_name(data(tmp_path, forecasts=name, outcomes=None)) for name in ("b.csv", "good.parquet")]
    assert found[0] == found[1]
    assert data(tmp_path, forecasts="unknown.parquet", outcomes=None)["skipped"]["unresolved"] == 1
    with pytest.raises(BadFile, match=r"row 5 .*probability '1.50' is above 1"):
        data(tmp_path, forecasts="bad.parquet", outcomes=None)


def test_parquet_gives_the_same_as_csv(folder):
    import duckdb

    for name in ("f", "o"):
        path = folder / f"{name}.csv"
        duckdb.sql(f"COPY (SELECT * FROM read_csv('{path}')) TO '{folder / name}.parquet' (FORMAT parquet)")
    assert data(folder, forecasts="f.parquet", outcomes="o.parquet") == data(folder)


def test_the_table_for_people_goes_to_stdout_and_words_to_stderr(folder):
    result = run(folder)
    assert result.exit_code == 0
    assert "ada" in result.stdout
    assert "too few" in result.stdout
    assert "Next: mensura score forecasting" in result.stderr


def test_a_report_is_one_file_with_pictures(folder):
    result = run(folder, "--report", str(folder / "out.html"))
    page = (folder / "out.html").read_text()
    assert result.exit_code == 0
    assert page.count("<svg") >= 8
    assert "ada" in page
    assert "http" not in page.replace("http://www.w3.org", "")


def test_the_same_file_gives_the_same_interval_twice(tmp_path):
    table_file(tmp_path / "b.csv")
    first, second = (data(tmp_path, forecasts="b.csv", outcomes=None) for _ in range(2))
    assert first == second
    low, high = (first["forecasters"][0]["score"][key] for key in ("low", "high"))
    assert low < first["forecasters"][0]["score"]["value"] < high


def test_zero_given_to_what_happened_is_minus_infinity_or_the_floor_and_is_said(tmp_path):
    (tmp_path / "b.csv").write_text("probability,outcome\n0,1\n0.5,1\n")
    result = run(tmp_path, "--json", forecasts="b.csv", outcomes=None)
    (only,) = strictly(result.stdout)["forecasters"]
    assert only["score"]["value"] is None
    assert only["score"]["value_words"] == "minus infinity"
    assert only["labelling_loss_words"] == "infinity"
    assert only["impossible_that_happened"] == 1
    assert only["tail_probability"] == 0
    assert "Probability zero was given to what happened once" in result.stderr
    (floored,) = data(tmp_path, "--floor", "0.01", forecasts="b.csv", outcomes=None)["forecasters"]
    assert floored["score"]["value"] == pytest.approx(math.log(0.02) / 2)
    (quadratic,) = data(tmp_path, "--rule", "quadratic", forecasts="b.csv", outcomes=None)["forecasters"]
    assert quadratic["score"]["value"] == pytest.approx(-0.75 / 2)


def test_an_improper_rule_is_called_improper(folder):
    result = run(folder, "--rule", "absolute", "--json")
    assert json.loads(result.stdout)["proper"] is False
    assert "improper" in result.stderr


def many_files(folder, questions=60):
    """Simulate three forecasters of unlike skill, one of whom overvalues."""
    rng = np.random.default_rng(4)
    forecasts, outcomes = ["forecaster,question,option,probability"], ["question,outcome"]
    for k in range(questions):
        logit = rng.normal(0, 1.2)
        outcomes.append(f"q{k:03d},{'yes' if rng.random() < 1 / (1 + math.exp(-logit)) else 'no'}")
        for name, stretch, noise in (("ada", 1.0, 0.1), ("bob", 1.0, 1.5), ("cy", 4.0, 0.1)):
            p = 1 / (1 + math.exp(-stretch * (logit + rng.normal(0, noise))))
            p = min(max(p, 0.005), 0.995)
            forecasts += [f"{name},q{k:03d},yes,{p}", f"{name},q{k:03d},no,{1 - p}"]
    (folder / "f.csv").write_text("\n".join(forecasts) + "\n")
    (folder / "o.csv").write_text("\n".join(outcomes) + "\n")


def test_compare_adds_skill_on_equal_terms_and_pools(tmp_path):
    many_files(tmp_path)
    found = data(tmp_path, "--compare")["comparison"]
    assert found["skill"][0]["name"] == "ada"
    assert {pool["method"] for pool in found["pools"]} >= {"mean", "median", "log-odds", "extremised", "track record"}
    words = run(tmp_path, "--compare").stdout
    assert "On equal terms" in words
    assert "Pools" in words


def test_compare_says_why_one_alone_cannot_be_compared(tmp_path):
    table_file(tmp_path / "b.csv")
    result = data(tmp_path, "--compare", forecasts="b.csv", outcomes=None)
    assert "comparison" not in result
    assert any("one forecaster only" in note for note in result["notes"])


def test_periods_test_whether_bias_persists(tmp_path):
    many_files(tmp_path, questions=300)
    found = data(tmp_path, "--periods", "3")["persistence"]
    assert found["cy"]["suggestion"]["a"] < 0.9
    assert found["ada"]["suggestion"] is None
    assert len(found["cy"]["slopes"]) == 3
    assert "overvalues in each of 3 periods" in run(tmp_path, "--periods", "3").stdout


def test_a_track_record_by_topic_tells_no_small_cells(tmp_path):
    many_files(tmp_path)
    lines = (tmp_path / "o.csv").read_text().splitlines()
    labelled = [lines[0] + ",topic"] + [
        f"{line},{'votes' if k < 50 else 'tanks' if k < 55 else ''}" for k, line in enumerate(lines[1:])
    ]
    (tmp_path / "o.csv").write_text("\n".join(labelled) + "\n")
    found = {cell["label"]: cell for cell in data(tmp_path, "--by", "topic")["track_record"]["topic"]}
    assert found["votes"]["n"] == 50
    assert found["votes"]["score"]["low"] < found["votes"]["score"]["value"]
    assert found["tanks"]["score"] is None
    assert "votes" in run(tmp_path, "--by", "topic").stdout
    with pytest.raises(BadFile, match="no column 'area'"):
        run(tmp_path, "--by", "area")


def test_the_track_record_averages_every_question_once(folder):
    (folder / "o.csv").write_text("question,outcome,area\nq1,yes,x\nq2,no,x\n")
    from mensura.track_record.files.scoring import look_further, read_files, score_book

    book = read_files(folder / "f.csv", folder / "o.csv")
    scored = score_book(book)
    look_further(scored, book, by=["area"])
    assert scored.record.cells["area"][0].n == 2
    questions, scores = scored.diagnoses[0].question_scores(scored.options.rule)
    assert scores == pytest.approx([math.log(1.6), math.log(1.2)])
    assert len(questions) == 2


def staged_files(folder, questions=60):
    """Simulate two echelons, the second of which knows more, on dated questions of two areas."""
    rng = np.random.default_rng(8)
    forecasts, outcomes = ["forecaster,echelon,question,option,probability"], ["question,outcome,resolved,area"]
    for k in range(questions):
        logit = rng.normal(0, 1.5)
        outcome = "yes" if rng.random() < 1 / (1 + math.exp(-logit)) else "no"
        outcomes.append(f"secret{k:03d},{outcome},2024-{1 + k // 10:02d}-15,{'north' if k % 2 else 'south'}")
        for name, echelon, share in (("agent-x", "field", 0.3), ("desk-y", "desk", 1.0)):
            p = 1 / (1 + math.exp(-share * logit))
            forecasts += [f"{name},{echelon},secret{k:03d},{o},{q}" for o, q in (("yes", p), ("no", 1 - p))]
    (folder / "f.csv").write_text("\n".join(forecasts) + "\n")
    (folder / "o.csv").write_text("\n".join(outcomes) + "\n")


def test_the_record_goes_by_echelon_area_and_time(tmp_path):
    staged_files(tmp_path)
    found = data(tmp_path, "--by", "echelon", "--by", "area", "--by", "time", "--length", "61")["track_record"]
    field, desk = found["echelon"]
    assert (field["label"], desk["label"]) == ("field", "desk")
    assert field["added"] is None
    assert desk["added"]["value"] == pytest.approx(desk["score"]["value"] - field["score"]["value"])
    assert desk["added"]["low"] > 0
    assert {cell["label"] for cell in found["area"]} == {"north", "south"}
    assert sum(cell["n"] for cell in found["time"] if cell["score"]) > 30
    assert all(cell["label"].startswith("20") for cell in found["time"])
    words = run(tmp_path, "--by", "echelon", "--by", "time").stdout
    assert "What each echelon adds" in words
    assert "Track record by time" in words


@pytest.mark.parametrize("name", ["record.html", "record.json"])
def test_what_is_published_names_neither_questions_nor_forecasters(tmp_path, name):
    staged_files(tmp_path)
    run(tmp_path, "--by", "echelon", "--by", "area", "--by", "time", "--publish", str(tmp_path / name))
    text = (tmp_path / name).read_text()
    assert "north" in text
    assert "desk" in text
    assert "secret" not in text
    assert "agent-x" not in text
    with pytest.raises(BadParameter, match="what the track record goes by"):
        run(tmp_path, "--publish", str(tmp_path / name))


def test_a_forecaster_under_two_echelons_and_missing_columns_are_refused(tmp_path):
    staged_files(tmp_path)
    (tmp_path / "f.csv").write_text(
        (tmp_path / "f.csv").read_text().replace("agent-x,field,secret001", "agent-x,desk,secret001")
    )
    with pytest.raises(BadFile, match="files 'agent-x' under the echelons 'field' and 'desk'"):
        run(tmp_path, "--by", "echelon")
    many_files(tmp_path)
    with pytest.raises(BadFile, match="no column 'echelon'"):
        run(tmp_path, "--by", "echelon")
    with pytest.raises(BadFile, match="no column 'resolved'"):
        run(tmp_path, "--by", "time")
