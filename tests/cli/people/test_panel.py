"""`mensura panel` from file to results."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from mensura.cli.people.panel import command
from mensura.errors import BadFile, BadParameter

FILE = """
name: notes
rubric:
  scale: {points: 5}
  items:
    - {key: clear, text: "It is clear.", weight: 2}
    - {key: whole, text: "It is whole."}
artefacts:
  - {files: "drilled/*.txt", condition: drilled}
  - {file: plain.svg, condition: plain}
  - {text: "Ada wrote this.", condition: plain}
mask: [Ada]
raters:
  - {name: ann, as: chance}
  - {name: bob, as: chance}
  - {name: cy, as: "constant:3"}
  - {name: robot, as: "constant:4", nature: model}
"""


@pytest.fixture
def call(tmp_path, monkeypatch):
    """Give a caller in a folder that holds a panel's file."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "drilled").mkdir()
    for number in range(3):
        (tmp_path / "drilled" / f"{number}.txt").write_text(f"Text {number}.")
    (tmp_path / "plain.svg").write_text("<svg xmlns='http://www.w3.org/2000/svg'><text>Ada</text></svg>")
    (tmp_path / "panel.yaml").write_text(FILE)

    def make(*arguments):
        return CliRunner().invoke(command, [*arguments, "--store", "p.db"], catch_exceptions=False)

    return make


def test_a_panel_goes_from_file_to_results(call):
    made = json.loads(call("create", "panel.yaml", "--json").stdout)
    assert len(made["codes"]) == 5
    assert made["work"]["robot"] == 5
    assert sum(made["work"][name] for name in ("ann", "bob", "cy")) == 10
    assert sorted(sum(terms.values()) for terms in made["screening"]["masked"].values()) == [1, 1]
    assert "4 of 4 raters finished" in call("rate", "notes").stdout
    state = json.loads(call("status", "notes", "--json").stdout)
    assert all(one["rated"] == one["artefacts"] for one in state["raters"])
    blind = call("status", "notes").stdout + call("agree", "notes").stdout
    assert "drilled" not in blind
    assert "robot (a language model, apart) and people, clear: " in blind
    closed = call("close", "notes")
    assert closed.stdout.count("raters") == 5
    assert "drilled: score" in closed.stdout
    assert "not part of these scores" in closed.stderr
    again = json.loads(call("close", "notes", "--json").stdout)
    assert {one["source"] for one in again["artefacts"]} >= {"plain.svg"}
    assert list(again["models"]) == ["robot"]
    call("close", "notes", "-o", "notes.html")
    report = Path("notes.html").read_text()
    assert "How far raters agree" in report
    assert "clear: " in report
    assert "drilled" in report
    assert "robot is a language model and an additional rater" in report


def test_differences_are_listed_given_to_a_third_rater_and_settled(call):
    call("create", "panel.yaml")
    call("rate", "notes")
    listed = json.loads(call("adjudicate", "notes", "--more-than", "0", "--json").stdout)
    assert listed
    given = call("adjudicate", "notes", "--more-than", "0", "--by", "dee", "--as", "constant:2")
    assert f"differ by more than 0: {len(listed)}, given to dee." in given.stderr
    call("rate", "notes")
    first = listed[0]
    call("settle", "notes", first["code"], first["item"], "5", "--why", "They talked.")
    found = json.loads(call("close", "notes", "--json").stdout)
    one = next(one for one in found["artefacts"] if one["code"] == first["code"])
    assert one["values"][first["item"]] == 5
    assert first["item"] in one["settled"]


def test_people_get_links(call, tmp_path):
    (tmp_path / "panel.yaml").write_text(FILE.replace("as: chance", "as: human"))
    call("create", "panel.yaml")
    links = json.loads(call("invite", "notes", "--json").stdout)
    assert [one["rater"] for one in links] == ["ann", "bob"]
    assert all(one["link"].startswith("http://localhost:8000/p/") for one in links)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (("mask: [Ada]", "maks: [Ada]"), "Did you mean mask"),
        (("plain.svg", "none.svg"), "none.svg cannot be read"),
        (('files: "drilled/*.txt"', 'files: "x/*"'), "No file is named like"),
        (("rubric:", "rubrik:"), "Did you mean rubric"),
    ],
)
def test_a_wrong_file_is_refused_in_words(call, tmp_path, change, words):
    (tmp_path / "panel.yaml").write_text(FILE.replace(*change))
    with pytest.raises(BadFile, match=words):
        call("create", "panel.yaml")


def test_an_open_panel_cannot_be_closed_while_raters_are_behind(call, tmp_path):
    (tmp_path / "panel.yaml").write_text(FILE.replace("{name: ann, as: chance}", "ann"))
    call("create", "panel.yaml")
    call("rate", "notes")
    with pytest.raises(BadParameter, match=r"ann \(0 of"):
        call("close", "notes")
    assert "(n=1 raters)" in call("close", "notes", "--unfinished").stdout
