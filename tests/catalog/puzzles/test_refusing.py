"""What puzzles cannot be asked by is refused in a sentence, before anything is stored."""

import json

import pytest
from click.testing import CliRunner

from mensura.catalog.puzzles.dialogue import puzzles
from mensura.catalog.puzzles.files.line import write_lines
from mensura.catalog.puzzles.posing import PuzzleRequest, pose
from mensura.cli.main import cli
from mensura.dialogue import generator
from mensura.errors import BadParameter, MensuraError
from mensura.store import open_store

LINE = {"id": "one", "kind": "matrix", "prompt": "What follows?", "options": ["3", "4"], "answer": "4"}
BANKS = {
    "broken": b"{\n",
    "empty": b"",
    "twice": f"{json.dumps(LINE)}\n{json.dumps(LINE)}\n".encode(),
    "latin": "é".encode("latin-1"),
}


@pytest.mark.parametrize("verb", ["run", "take"])
@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (("--bank", "broken.jsonl"), "broken.jsonl:1: this is not JSON"),
        (("--bank", "missing.jsonl"), "missing.jsonl cannot be read"),
        (("--bank", "empty.jsonl"), "empty.jsonl"),
        (("--bank", "twice.jsonl"), "is also that of line 1"),
        (("--bank", "latin.jsonl"), "is not UTF-8"),
        (("--kinds", "nope"), "There is no kind of puzzle called 'nope'"),
        (("--norm", "broken.jsonl"), "a norm is a CSV"),
        (("--load", "99..100"), "cannot be reached"),
        (("--precision", "0"), "--precision is"),
        (("--precision", "-1"), "--precision is"),
        (("--practice", "-1"), "--practice is"),
        (("--presentation", "form=foo"), "form can be drawn"),
    ],
)
def test_a_run_that_cannot_be_is_never_begun(tmp_path, monkeypatch, verb, flags, words):
    monkeypatch.chdir(tmp_path)
    for name, content in BANKS.items():
        (tmp_path / f"{name}.jsonl").write_bytes(content)
    done = CliRunner().invoke(cli, [verb, "puzzles", "--as", "chance", *flags], env={"MENSURA_STORE": "mensura.db"})
    assert isinstance(done.exception, MensuraError)
    assert words in str(done.exception)
    assert open_store("mensura.db").runs.all() == []


def test_a_value_that_some_of_the_chosen_kinds_have_is_taken():
    puzzles.fill({"kinds": "number-series,matrix", "presentation": "form=pixels,symbols=roman"})
    with pytest.raises(BadParameter, match="None of number-series has form=pixels: they have no form"):
        puzzles.fill({"kinds": "number-series", "presentation": "form=pixels"})


def test_only_digits_have_a_base():
    with pytest.raises(BadParameter, match="number-series cannot have symbols=roman,base=8: its base is 10"):
        puzzles.fill({"kinds": "number-series", "presentation": "symbols=roman,base=8"})
    lines = pose(PuzzleRequest(kinds="number-series", count=60, presentation="mixed"), generator(1))
    looks = {(line.presentation["symbols"], line.presentation["base"]) for line in lines}
    assert {base for symbols, base in looks if symbols != "digits"} == {"10"}
    assert {base for symbols, base in looks if symbols == "digits"} > {"10"}
    assert all(line.prompt.presentation == line.presentation for line in lines)


def test_a_bank_in_order_is_taken(tmp_path):
    write_lines(pose(PuzzleRequest(kinds="number-series", count=2), generator(1)), tmp_path / "items.jsonl")
    assert puzzles.fill({"bank": str(tmp_path / "items.jsonl")})["bank"]
