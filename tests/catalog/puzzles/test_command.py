"""The commands of puzzles: make, check, show."""

import inspect
import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from mensura.catalog.puzzles.solvers import features
from mensura.cli.main import cli

SERIES = ("--kind", "number-series", "--load", "2..3", "--seed", "1")


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def invoke(*words, status=0):
        done = CliRunner().invoke(cli, [str(word) for word in words], env={"MENSURA_STORE": "mensura.db"})
        assert done.exit_code == status, f"{done.output}\n{done.exception!r}"
        return done

    return invoke


def test_generated_files_are_verified_run_and_taken_as_banks(run, tmp_path):
    run("generate", "puzzles", *SERIES, "--count", 20, "-o", "items.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "items.jsonl").read_text().splitlines()]
    assert len({line["structure"] for line in lines}) == 20
    assert {line["load"]["rules"] for line in lines} == {2, 3}
    found = json.loads(run("puzzles", "verify", "items.jsonl", "--json").stdout)
    assert (found["right"], found["wrong"], found["unchecked"]) == (20, {}, {})
    taken = json.loads(run("run", "puzzles", "--as", "chance", "--bank", "items.jsonl", "--seed", 1, "--json").stdout)
    assert taken["by_kind"]["number-series"]["asked"] == 20
    assert taken["scores"]["ability"]["value"] is None
    assert "calibrate" in taken["scores"]["ability"]["method"]
    assert taken["scores"]["generality"]["low"] < taken["scores"]["generality"]["value"]
    bank = json.loads(run("run", "items.jsonl", "--as", "chance", "--where", "tag=rules-2", "--json").stdout)
    assert bank["scores"]["accuracy"]["n"] == sum(line["load"]["rules"] == 2 for line in lines)


def test_the_same_seed_makes_the_same_file(run, tmp_path):
    for name in ("one.jsonl", "two.jsonl"):
        run("generate", "puzzles", *SERIES, "--count", 5, "-o", name)
    assert (tmp_path / "one.jsonl").read_text() == (tmp_path / "two.jsonl").read_text()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"answer": "B"}, "the answer is not"),
        ({"load": {"rules": 9}}, "the rules of its load is"),
        ({"proof": {"complexity": 30.0, "checked": 1, "alternatives": 0}}, "the proof has"),
        ({"proof": {"complexity": 1.0, "checked": 1, "alternatives": 0}}, "no program of the grammar"),
    ],
)
def test_what_a_file_claims_wrongly_is_found(run, tmp_path, change, words):
    run("generate", "puzzles", *SERIES, "--count", 1, "-o", "items.jsonl")
    line = json.loads((tmp_path / "items.jsonl").read_text())
    if "answer" in change:
        change = {"answer": next(option for option in line["options"] if option != line["answer"])}
    if "load" in change:
        change = {"load": {**line["load"], **change["load"]}}
    (tmp_path / "items.jsonl").write_text(json.dumps({**line, **change}) + "\n")
    found = json.loads(run("puzzles", "verify", "items.jsonl", "--json", status=3).stdout)
    assert words in "; ".join(found["wrong"][line["id"]])


def test_a_load_that_cannot_be_reached_says_the_range_that_can(run):
    done = run("generate", "puzzles", "--kind", "number-series", "--load", "7..9", "-o", "items.jsonl", status=1)
    assert "number-series has 1 to" in str(done.exception)


def test_the_grammar_lists_the_operations_of_every_kind(run):
    found = json.loads(run("puzzles", "grammar", "--json").stdout)["kinds"]
    assert len(found) >= 9
    assert all(len(kind["operations"]) >= 8 for name, kind in found.items() if name != "mental-rotation")


def test_cards_of_the_survey_and_ours_stand_in_one_table(run):
    found = json.loads(run("puzzles", "card", "--json").stdout)
    works = [card for card in found["cards"] if card["by"] == "the survey"]
    ours = {card["name"]: card for card in found["cards"] if card["by"] == "Mensura"}
    assert len(works) == 17
    assert found["surveyed"] == "about thirty, half in the last five years"
    assert {card["people"] for card in works} == {None}
    assert set(ours) >= {"series", "letters", "copycat", "evans", "raven", "features", "rotation", "grid-search"}
    assert set(ours) >= {"lexicon", "vectors", "synthesis", "chance"}
    assert ours["series"]["kinds"] == ["number-series"]
    assert ours["series"]["size"]["lines"] < 200
    # Who lets the kinds explain their puzzles brings all of their knowledge along.
    assert ours["synthesis"]["size"]["bits"] > 5 * max(
        ours[name]["size"]["bits"] for name in ("evans", "raven", "series")
    )
    assert ours["features"]["size"]["lines"] > len(inspect.getsource(features).splitlines())
    assert {frozenset(set(card) - {"year_note"}) for card in found["cards"]} == {frozenset(ours["series"])}
    text = run("puzzles", "card", "Spaun (Eliasmith et al.)").stdout
    assert "2.5-million-neuron" in text
    assert "not stated" in text


def test_sequences_of_the_oeis_become_puzzles(run, tmp_path):
    (tmp_path / "sequences.csv").write_text("id,name,terms\nA000290,The squares,0 1 4 9 16 25 36 49 64 81\n")
    run("puzzles", "convert", "sequences.csv", "--from", "oeis", "-o", "items.jsonl")
    line = json.loads((tmp_path / "items.jsonl").read_text())
    assert (line["answer"], line["licence"], line["source"]) == ("64", "CC BY-SA 4.0", "OEIS A000290: The squares")
    found = json.loads(run("puzzles", "verify", "items.jsonl", "--json").stdout)
    assert "claims no proof" in found["unchecked"]["A000290"]
    taken = run("run", "puzzles", "--as", "series", "--bank", "items.jsonl", "--answer", "construct", "--json")
    assert json.loads(taken.stdout)["by_kind"]["number-series"]["right"] == 1


def test_short_or_broken_sequences_are_named_with_their_row(run, tmp_path):
    (tmp_path / "sequences.csv").write_text("id,name,terms\nA1,x,1 2 3\n")
    done = run("puzzles", "convert", "sequences.csv", "--from", "oeis", "-o", "items.jsonl", status=1)
    assert "sequences.csv:2: A1 has 3 terms" in str(done.exception)


def test_digit_matrices_become_puzzles_with_their_load(run, tmp_path):
    data = Path(__file__).parents[2] / "data" / "digit_matrices" / "problems.json"
    run("puzzles", "convert", data, "--from", "digit-matrices", "-o", "items.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "items.jsonl").read_text().splitlines()]
    assert {line["kind"] for line in lines} == {"matrix"}
    assert all(line["answer"] in line["options"] for line in lines)
    assert any(line["load"] for line in lines)


def test_a_bank_that_is_gone_is_missed_by_its_name_when_a_run_is_resumed(run, tmp_path):
    run("generate", "puzzles", *SERIES, "--count", 4, "-o", "items.jsonl")
    run("run", "puzzles", "--as", "chance", "--bank", "items.jsonl", "--sessions", 2, "--seed", 1)
    (tmp_path / "items.jsonl").unlink()
    assert "items.jsonl" in str(run("resume", "last", status=1).exception)


def test_several_sessions_have_one_table_of_kinds(run):
    kinds = ("--kinds", "number-series,mental-rotation", "--count", 8, "--sessions", 3, "--seed", 1)
    found = json.loads(run("run", "puzzles", "--as", "series", *kinds, "--json").stdout)
    own, other = found["by_kind"]["number-series"], found["by_kind"]["mental-rotation"]
    assert (own["asked"], own["sessions"], other["abstained"], other["attempted"]) == (12, 3, 12, 0)
    assert own["right"] == sum(one["by_kind"]["number-series"]["right"] for one in found["details"])
    assert own["interval"][0] <= own["accuracy"] == own["right"] / 12 <= own["interval"][1]
    assert sum(one["asked"] for one in found["by_load"].values()) == 24


def test_presentations_of_the_same_problems_are_compared_at_the_same_ability(run, tmp_path):
    """Two files of one seed hold the same problems; here words make every one of them harder."""
    lines = []
    for look in ("digits", "words"):
        run("generate", "puzzles", *SERIES, "--count", 6, "--presentation", f"symbols={look}", "-o", f"{look}.jsonl")
        read = [json.loads(line) for line in (tmp_path / f"{look}.jsonl").read_text().splitlines()]
        lines += [{**line, "id": f"{look}-{place}"} for place, line in enumerate(read)]
    (tmp_path / "items.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    rng = np.random.default_rng(1)
    easy = np.concatenate([np.linspace(-1, 1, 6), np.linspace(-1, 1, 6) - 1])
    right = rng.random((120, 12)) < 1 / (1 + np.exp(-rng.normal(size=(120, 1)) - easy))
    rows = [",".join(line["id"] for line in lines), *(",".join(map(str, row.astype(int))) for row in right)]
    (tmp_path / "answers.csv").write_text("\n".join(rows))
    asked = ("calibrate", "answers.csv", "--model", "rasch", "--differential", "presentation")
    told = json.loads(run(*asked, "--bank", "./items.jsonl", "--json").stdout)["presentations"]
    assert told["symbols=words"]["groups"] == ["symbols=digits", "symbols=words"]
    assert set(told["symbols=words"]["items"]) == {line["structure"] for line in lines}
    assert told["symbols=words"]["means"][0] > told["symbols=words"]["means"][1] + 0.3
    assert "The same problems in two presentations: symbols=words" in run(*asked, "--bank", "./items.jsonl").stdout
    assert "--bank items.jsonl" in str(run(*asked, status=1).exception)
