import csv
import json

import pytest
from click.testing import CliRunner

from mensura.cli.results.score import reporting
from mensura.errors import BadFile
from mensura.track_record.documents.command import generate, score
from mensura.track_record.ledger.ledger import Ledger, ledger_url
from mensura.track_record.ledger.question import Question

TEXT = " ".join(f"The port of Arcot will handle {k} ships by May." for k in range(12)) + " The regime is weak."


@pytest.fixture
def sheets(tmp_path):
    (tmp_path / "text.txt").write_text(TEXT)
    options = ["--text", str(tmp_path / "text.txt"), "--coder", "ada", "--coder", "bob", "--to", str(tmp_path)]
    CliRunner().invoke(generate, options, catch_exceptions=False)
    return tmp_path


def fill(path, kinds, questions=None):
    rows = list(csv.DictReader(path.open()))
    for row, kind in zip(rows, kinds, strict=True):
        row["kind"], row["questions"] = kind, (questions or {}).get(int(row["number"]), "")
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)


def run(folder, *options):
    files = [part for name in ("ada", "bob") for part in ("--coding", str(folder / f"{name}.csv"))]
    return CliRunner().invoke(reporting(score), [*files, *options], catch_exceptions=False)


def test_two_coders_fill_in_sheets_and_their_agreement_is_told(sheets):
    fill(sheets / "ada.csv", [1] * 10 + [4, 4, 2], {12: "coup; strike"})
    fill(sheets / "bob.csv", [1] * 9 + [3, 4, 4, 2])
    found = json.loads(run(sheets, "--json").stdout)
    assert found["coders"] == ["ada", "bob"]
    assert found["agreement"]["kappa"]["n"] == 13
    assert 0 < found["agreement"]["kappa"]["value"] < 1
    assert [one["number"] for one in found["disputed"]] == [9]
    assert found["bundles"][0]["questions"] == ["coup", "strike"]
    assert len(found["could_be_forecasts"]) == 9
    words = run(sheets).stdout
    assert "ada 1, bob 3" in words


def test_linked_questions_are_looked_up_in_the_ledger(sheets):
    fill(sheets / "ada.csv", [1] * 12 + [2], {12: "coup; strike"})
    fill(sheets / "bob.csv", [1] * 12 + [2])
    place = str(sheets / "ledger.db")
    with Ledger(ledger_url(place), clock=lambda: 0.0) as ledger:
        ledger.enter("ruth", "requester")
        question = Question("coup", "A coup by May?", options=("yes", "no"), deadline=10.0, resolving="two newspapers")
        ledger.draft(question, who="ruth")
    found = json.loads(run(sheets, "--ledger", place, "--json").stdout)
    assert found["bundles"][0]["not_in_the_ledger"] == ["strike"]
    assert "not in the ledger" in run(sheets, "--ledger", place).stdout


def test_a_document_is_written_up(sheets):
    fill(sheets / "ada.csv", [1] * 12 + [2])
    fill(sheets / "bob.csv", [1] * 11 + [3, 2])
    run(sheets, "--report", str(sheets / "document.html"))
    page = (sheets / "document.html").read_text()
    assert "To be talked over" in page
    assert "Not restated yet" in page
    assert "The regime is weak." in page


def test_sentences_left_empty_are_not_coded_yet(sheets):
    fill(sheets / "ada.csv", [1] * 5 + [""] * 8)
    found = json.loads(CliRunner().invoke(reporting(score), ["--coding", str(sheets / "ada.csv"), "--json"]).stdout)
    assert found["agreement"] is None
    assert found["kinds"][0]["share"]["n"] == 5


def test_bad_sheets_are_named(sheets):
    fill(sheets / "ada.csv", [1] * 12 + [7])
    fill(sheets / "bob.csv", [1] * 13)
    with pytest.raises(BadFile, match=r"row 13 .*kind 1 to 5; got 7"):
        run(sheets)
    fill(sheets / "ada.csv", ["x"] + [1] * 12)
    with pytest.raises(BadFile, match="kind 'x' is not a whole number"):
        run(sheets)
    text = (sheets / "ada.csv").read_text().replace("The regime is weak", "The regime is strong").replace(",x,", ",1,")
    (sheets / "ada.csv").write_text(text)
    with pytest.raises(BadFile, match="differs from the one read before"):
        run(sheets)
    with pytest.raises(BadFile, match="There is no file"):
        CliRunner().invoke(
            generate, ["--text", "none.txt", "--coder", "a", "--to", str(sheets)], catch_exceptions=False
        )
