"""`mensura study`: what is printed is what was planned, whatever the file says now."""

import csv
from pathlib import Path

import pytest

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
    from mensura.store import open_store

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
    taken("study", "archive", "plan.yaml", "--to", "a", "--to", "b")
    with open("a/SHA256SUMS", encoding="utf-8") as file:
        assert sum("-exclusion-1" in line for line in file) == 2
