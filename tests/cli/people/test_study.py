"""`mensura study`: what is printed is what was planned, whatever the file says now."""

import csv
import re
import sqlite3
from pathlib import Path

import pytest

import mensura as m
from mensura.running.live import LiveSessions
from mensura.store import open_store

PLAN = """name: coins
test: coin
casts: {told: stated, half: half}
sessions: 8
seed: 1
hypotheses:
  - {score: quadratic_score, compare: [told, half], expect: less}
exclude:
  - {name: fast, when: invalid > 1}
"""
HACKED = PLAN.replace("expect: less", "expect: greater").replace("invalid > 1", "invalid > 5")


@pytest.fixture
def taken(mensura, tmp_path):
    """Carry a study out, and then turn its hypothesis round in another file."""
    (tmp_path / "plan.yaml").write_text(PLAN)
    (tmp_path / "hacked.yaml").write_text(HACKED)
    assert mensura("study", "run", "plan.yaml").status == 0
    return mensura


def test_a_hypothesis_turned_round_after_the_data_is_told_and_not_supported(taken):
    done = taken("study", "analyse", "hacked.yaml", "-o", "report.html")
    assert "H1 is contradicted: told does better than half" in done.out
    assert "exploratory H1 is not registered" in done.out
    assert "supported" not in done.out
    assert "Hypothesis H1: expected less, now greater." in done.out
    assert "Exclusion 'fast' was invalid > 1, now invalid > 5." in done.out
    report = Path("report.html").read_text(encoding="utf-8")
    assert "Hypothesis H1: expected less, now greater." in report
    assert "before the first session" in report
    found = taken("study", "analyse", "hacked.yaml", "--json").json
    assert len(found["deviations"]) == 2
    assert found["registration"]["before_data"]
    assert [one["verdict"] for one in found["planned"]] == ["contradicted"]


@pytest.mark.parametrize("verb", ["status", "cohorts", "pay", "release"])
def test_every_command_that_reads_the_file_says_how_it_was_changed(taken, verb):
    more = ["-o", "out.zip", "--to", "a", "--why", "b", "--training", "c"] if verb == "release" else []
    assert (
        "Not as registered: Hypothesis H1: expected less, now greater."
        in taken("study", verb, "hacked.yaml", *more).err
    )
    assert "Not as registered" not in taken("study", verb, "plan.yaml", *more).err


def test_nobody_is_invited_under_a_changed_plan_unless_the_change_is_declared(mensura, tmp_path):
    plan = PLAN.replace("half: half", "half: human")
    (tmp_path / "plan.yaml").write_text(plan)
    (tmp_path / "later.yaml").write_text(plan.replace("invalid > 1", "invalid > 5"))
    mensura("study", "run", "plan.yaml")
    refused = mensura("study", "invite", "later.yaml")
    assert refused.status == 1
    assert "Exclusion 'fast' was invalid > 1, now invalid > 5." in refused.err
    assert "/p/" not in refused.out
    assert mensura("study", "invite", "later.yaml", "-n", "2", "--amend", "The form was unclear.").out.count("/p/") == 2
    told = mensura("study", "status", "later.yaml").out
    assert "(8 sessions before it, 2 after): The form was unclear. Exclusion 'fast' was invalid > 1" in told
    assert mensura("study", "run", "later.yaml").status == 0
    assert mensura("study", "run", "plan.yaml").status == 1


def test_a_colleague_who_imports_a_study_analyses_it_by_its_name(taken, monkeypatch):
    ours = taken("study", "analyse", "plan.yaml", "--json").json
    taken("study", "release", "plan.yaml", "-o", "out.zip", "--to", "a", "--why", "b", "--training", "c")
    monkeypatch.setenv("MENSURA_STORE", "theirs.db")
    taken("import", "out.zip")
    theirs = taken("study", "analyse", "coins", "--json").json
    assert theirs["planned"] == ours["planned"]
    assert "imported here on" in theirs["registration"]["sentence"]


def test_exclusions_are_told_with_every_result_and_are_in_the_tables(taken):
    with open_store("mensura.db") as store:
        first, second = (head.id for head in store.runs.all())
        for number in range(2):
            store.exclusions.decide(f"{first}/0.0.{number}", reason="fire alarm", who="ada")
    words = "6 of 8 sessions count; 2 excluded: fire alarm (decided after the data) × 2"
    scored = taken("score", first)
    assert words in scored.err
    assert "with them" in scored.err
    compared = taken("compare", first, second)
    assert f"{first}: {words}." in compared.err
    assert "With the excluded sessions: " in compared.out
    assert "H1 with the excluded sessions: " in taken("study", "analyse", "plan.yaml").out
    taken("report", first, "-o", "report.md")
    assert words in Path("report.md").read_text(encoding="utf-8")
    taken("export", first, "--to", "tables", "--format", "csv")
    with open("tables/exclusions.csv", encoding="utf-8") as file:
        assert [row["reason"] for row in csv.DictReader(file)] == ["fire alarm"] * 2
    with open("tables/results.csv", encoding="utf-8") as file:
        assert {row["session"] for row in csv.DictReader(file) if row["excluded"] == "true"} == {
            f"{first}/0.0.0",
            f"{first}/0.0.1",
        }
    runs = m.find_runs(first, second, store="mensura.db")
    estimates = runs.to_frame().set_index(["run", "score"])
    assert list(estimates["excluded"]) == [2, 2, 0, 0]
    both = estimates.loc[(first, "quadratic_score")]
    assert both["value"] != both["with_excluded"]
    listed = runs.to_frame("sessions").query("score == 'quadratic_score'")
    assert sorted(listed[listed["excluded"] != ""]["session"]) == [f"{first}/0.0.0", f"{first}/0.0.1"]
    frame = m.compare(first, second, store="mensura.db").to_frame()
    assert list(frame["excluded"]) == ["left out", "left out", "included", "included"]
    assert list(frame["n"]) == [6, 6, 8, 8]
    taken("study", "archive", "plan.yaml", "--to", "a", "--to", "b")
    with open("a/SHA256SUMS", encoding="utf-8") as file:
        assert sum("-exclusion-1" in line for line in file) == 2


def test_excluding_everyone_loses_no_result(taken):
    with open_store("mensura.db") as store:
        first, second = (head.id for head in store.runs.all())
        for number in range(8):
            store.exclusions.decide(f"{first}/0.0.{number}", reason="fire alarm", who="ada")
    scored = taken("score", first)
    assert "Nothing was scored" not in scored.err
    assert "0 of 8 sessions count; 8 excluded: fire alarm (decided after the data) × 8; with them " in scored.err
    compared = taken("compare", first, second)
    assert "no score in common" not in compared.err
    assert "quadratic_score cannot be compared without the excluded sessions. With them: " in compared.err
    assert list(m.compare(first, second, store="mensura.db").to_frame()["excluded"]) == ["included"] * 2
    frame = m.find_runs(first, store="mensura.db").to_frame().set_index("score")
    assert frame["value"].isna().all()
    assert frame["with_excluded"].notna().all()
    analysed = taken("study", "analyse", "plan.yaml", "-o", "study.md").out
    assert "H1 is not tested: told has no session that counts" in analysed
    assert "H1 with the excluded sessions: told does better than half" in analysed
    assert taken("report", first, second, "-o", "report.html").status == 0


def test_a_score_has_its_direction_where_a_whole_cell_is_excluded(mensura, tmp_path):
    conditions = PLAN.replace("sessions: 8", "sessions: 8\nconditions: {few: {flips: 3}, many: {flips: 4}}")
    (tmp_path / "plan.yaml").write_text(conditions)
    mensura("study", "run", "plan.yaml")
    with open_store("mensura.db") as store:
        first = next(head.id for head in store.runs.all() if (head.who, head.condition) == (["stated"], "few"))
        for number in range(8):
            store.exclusions.decide(f"{first}/0.0.{number}", reason="fire alarm", who="ada")
    [tested] = mensura("study", "analyse", "plan.yaml", "--json").json["planned"]
    for sentence in (tested["sentence"], tested["with_excluded"]):
        assert "neither" not in sentence
        assert "better" in sentence


def test_an_open_session_that_an_observer_excluded_is_counted_alike_everywhere(mensura, tmp_path):
    (tmp_path / "plan.yaml").write_text(
        "name: p\ntest: coin\nconditions: {one: {flips: 1}}\ncasts: {people: human}\nsessions: 3\n"
    )
    mensura("study", "run", "plan.yaml")
    mensura("study", "invite", "plan.yaml", "-n", "3")
    with open_store("mensura.db") as store:
        sessions = [session for one in store.invitations.all() for session in one.sessions]
        LiveSessions(store).act(sessions[0], lambda live: live.session.answer(0.5))
        store.exclusions.decide(sessions[1], reason="asleep", who="ada", planned=True)
        run = sessions[0].rpartition("/")[0]
    mensura("score", run)
    words = "1 of 2 sessions count; 1 excluded: asleep"
    found = mensura("study", "analyse", "plan.yaml", "-o", "study.md", "--json").json
    assert found["excluded"].startswith(words)
    assert [left["session"] for left in found["left_out"]] == [sessions[1]]
    assert words in mensura("score", run).err
    report = Path("study.md").read_text(encoding="utf-8")
    assert set(re.findall(r"\d of \d sessions count; \d excluded", report)) == {words.partition(":")[0]}


def test_a_program_s_plan_is_amended_where_it_is_run_and_reports_say_so(taken):
    refused = taken("study", "run", "hacked.yaml")
    assert refused.status == 1
    assert "--amend" in refused.err
    assert taken("study", "run", "hacked.yaml", "--amend", "typo").status == 0
    told = taken("study", "analyse", "hacked.yaml").out
    assert "(8 sessions before it" not in told
    assert "(16 sessions before it, 0 after): typo. Hypothesis H1: expected less, now greater." in told
    assert "H1 is contradicted" in told
    assert "Not as registered" not in taken("study", "analyse", "plan.yaml").out
    taken("report", "last", "-o", "report.md")
    assert "From the study coins" in Path("report.md").read_text(encoding="utf-8")


def test_more_places_than_the_plan_has_are_said(mensura, tmp_path):
    (tmp_path / "plan.yaml").write_text(PLAN.replace("half: half", "half: human").replace("sessions: 8", "sessions: 2"))
    mensura("study", "run", "plan.yaml")
    assert "the plan has" not in mensura("study", "invite", "plan.yaml", "-n", "2").err
    assert "half has 3 places; the plan has 2" in mensura("study", "invite", "plan.yaml").err


def test_links_are_made_in_a_language_that_there_is(mensura):
    Path("plan.yaml").write_text("name: tongues\ntest: coin\ncasts: {people: human}\nsessions: 2\nseed: 1\n")
    assert mensura("study", "run", "plan.yaml").status == 0
    refused = mensura("study", "invite", "plan.yaml", "--language", "dd")
    assert refused.status == 1
    assert "There is no language of the pages called 'dd'." in refused.err
    token = mensura("study", "invite", "plan.yaml", "--language", "de", "--json").json[0]["link"].rpartition("/")[2]
    assert "1 not begun" in mensura("study", "status", "plan.yaml").out
    with open_store("mensura.db") as store:
        assert store.invitations.enter(token).details["language"] == "de"


def test_what_was_altered_is_told_in_the_report_and_by_the_exit_status(taken, tmp_path):
    assert (taken("study", "status", "plan.yaml").status, taken("report", "last").status) == (0, 0)
    with sqlite3.connect(tmp_path / "mensura.db") as raw:
        raw.execute("UPDATE runs SET details = replace(details, '\"less\"', '\"greater\"') WHERE number = 1")
    for words in (
        ["report", "last", "-o", "told.html"],
        ["study", "analyse", "plan.yaml", "-o", "told.html"],
        ["study", "analyse", "plan.yaml", "--json"],
        ["study", "status", "plan.yaml"],
    ):
        Path("told.html").unlink(missing_ok=True)
        done = taken(*words)
        assert done.status == 1, words
        assert "is not what was written" in done.out + done.err
        assert "-o" not in words or "is not what was written" in Path("told.html").read_text(encoding="utf-8")
