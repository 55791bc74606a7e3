"""Records in a folder are found by what is in them, and what only looks a little like them is left alone."""

import os
import shutil
import sys
import zipfile

import pytest

from mensura.running.run import run
from mensura.store import export_run, open_store
from mensura.store.archive.tables import COLUMNS
from mensura.subjects.sandbox.command import Command
from mensura.subjects.sandbox.records import TELLING, search_records
from mensura.subjects.sandbox.view import FileView


@pytest.fixture(scope="module")
def exported(tmp_path_factory):
    """Export one run in every format; the archive is unpacked too."""
    folder = tmp_path_factory.mktemp("exported")
    with open_store(folder / "mensura.db") as store:
        taken = run("coin", "chance", store=store, parameters={"flips": 2}).head.id
        for format in ("csv", "jsonl", "parquet"):
            export_run(store, taken, folder / format, format=format)
        export_run(store, taken, folder / "run.zip", format="zip")
    with zipfile.ZipFile(folder / "run.zip") as archive:
        archive.extractall(folder / "unpacked")
    return folder


def found_in(folder, **more):
    hidden = search_records(folder, **more).hidden
    return sorted(str(path.relative_to(folder)) for path in hidden if path.exists())


def test_tables_are_known_by_columns_that_they_have():
    for table, names in TELLING.items():
        assert names <= set(COLUMNS[table])
    assert set(COLUMNS) - set(TELLING) == {"contents", "exclusions"}, "neither holds a truth"


TABLES = [(format, table) for format in ("csv", "jsonl", "parquet") for table in TELLING if table != "details"]
UNPACKED = [("unpacked", table) for table in ("events", "results", "runs", "sessions", "truths")]


@pytest.mark.parametrize(("format", "table"), TABLES + UNPACKED)
def test_a_single_table_under_another_name(exported, tmp_path, format, table):
    ending = "jsonl" if format == "unpacked" else format
    (tmp_path / "deep").mkdir()
    shutil.copy(exported / format / f"{table}.{ending}", tmp_path / "deep" / "weights.bin")
    assert found_in(tmp_path) == ["deep/weights.bin"]


def test_files_of_its_own_are_left_alone(tmp_path):
    (tmp_path / "notes.txt").write_text("The session has a key, a version, a value and a source.\n")
    (tmp_path / "own.csv").write_text("key,value,time\na,1,2\n")
    (tmp_path / "own.jsonl").write_text('{"session": 1, "key": "a", "value": "\\"version\\": \\"source\\":"}\n')
    (tmp_path / "own.parquet").write_bytes(b"PAR1")
    (tmp_path / "empty").touch()
    assert found_in(tmp_path) == []


def test_copies_of_a_hidden_file_with_what_python_keeps_of_them(tmp_path):
    own, place = tmp_path / "own", tmp_path / "place"
    (own / "deep" / "__pycache__").mkdir(parents=True)
    place.mkdir()
    (place / "coins.py").write_text("TRUTHS = '0110'\n")
    (place / "empty.py").touch()
    keys = tmp_path / "keys"
    keys.mkdir()
    (keys / "a.key").write_text("secret")
    shutil.copy(place / "coins.py", own / "deep" / "old[1].py")
    (own / "deep" / "__pycache__" / "old[1].cpython-311.pyc").write_text("0110")
    (own / "same_length.py").write_text("TRUTHS = '1111'\n")
    (own / "__init__.py").touch()
    (own / "my.txt").write_text("secret")
    found = found_in(own, known=[place / "coins.py", place / "empty.py", place / "missing.py", keys])
    assert found == ["deep/__pycache__/old[1].cpython-311.pyc", "deep/old[1].py", "my.txt"]


def test_a_copy_is_looked_at_again_when_it_was_changed(tmp_path):
    (tmp_path / "own").mkdir()
    (tmp_path / "bank.jsonl").write_text("1")
    copy = tmp_path / "own" / "copy.jsonl"
    for text, hidden in (("1", ["copy.jsonl"]), ("0", []), ("1", ["copy.jsonl"])):
        copy.write_text(text)
        os.utime(copy, ns=(0, int(text)))
        assert found_in(tmp_path / "own", known=[tmp_path / "bank.jsonl"]) == hidden


def test_repositories_are_hidden_whatever_they_are_called(tmp_path):
    for name in (".git", "deep/.hg", "deep/er/.svn", "backup/objects", "backup/refs"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "backup" / "HEAD").write_text("ref: refs/heads/main\n")
    assert found_in(tmp_path) == [".git", "backup", "deep/.hg", "deep/er/.svn"]


def test_many_repositories_take_one_mount_each(tmp_path):
    for name in ("one", "two"):
        (tmp_path / name / ".git").mkdir(parents=True)
        for number in range(20):
            (tmp_path / name / f"{number}.txt").touch()
    (tmp_path / "agent.py").touch()
    view = FileView(Command.read([sys.executable, "agent.py"], folder=tmp_path))
    words = view.mounts()
    assert len([word for word in words if word.startswith(str(tmp_path / "one"))]) == 4
    assert not view.shows(tmp_path / "one" / ".git" / "objects")
    assert view.shows(tmp_path / "one" / "3.txt")
