"""What a subject in a sandbox sees: its own folder, without what would tell it the truth."""

import json
import os
import socket
import sqlite3
import zipfile

import pytest

from mensura.store import open_store
from mensura.subjects.sandbox import view as viewing
from mensura.subjects.sandbox.confinement import Confinement
from mensura.subjects.sandbox.records import beside
from tests.subjects.boxes import answer_of, hosted_answer, needs_bubblewrap

pytestmark = needs_bubblewrap
SEEN = """
    own = os.path.dirname(os.path.abspath(__file__))
    found = [os.path.join(place, one) for place, folders, files in os.walk(own) for one in files]
    return sorted(os.path.relpath(one, own) for one in found if "pycache" not in one)
"""


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "words.txt").write_text("hello")
    return tmp_path


def hidden(*paths):
    return Confinement(hidden=tuple(map(str, paths)))


def store_in(path):
    path.parent.mkdir(exist_ok=True)
    with open_store(path):
        pass
    return path


def test_its_own_folder_is_seen_and_cannot_be_written(folder):
    assert answer_of(folder, SEEN) == ["agent.py", "data/words.txt"]
    write = """
        try:
            open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "{}"), "w")
        except OSError as error:
            return error.errno
    """
    assert answer_of(folder, write.format("new.txt")) == answer_of(folder, write.format("data/words.txt")) == 30


def test_the_store_and_what_sqlite_keeps_beside_it_are_hidden(folder):
    store = store_in(folder / "mensura.db")
    for path in beside(store):
        path.write_text("the truth")
    assert answer_of(folder, SEEN, confinement=hidden(store, *beside(store))) == ["agent.py", "data/words.txt"]


def test_a_file_that_appears_later_is_not_seen(folder):
    later = folder / "mensura.db-wal"
    body = f"""
        import time
        open("/tmp/ready", "w")
        time.sleep(1.0)
        return os.path.exists({str(later)!r}), sorted(os.listdir({str(folder)!r}))
    """
    from threading import Timer

    timer = Timer(0.5, lambda: later.write_text("the truth"))
    timer.start()
    assert answer_of(folder, body, confinement=hidden(folder / "mensura.db")) == [False, ["agent.py", "data"]]
    timer.join()
    assert later.exists()


def test_stores_archives_and_exports_are_found_by_what_is_in_them(folder):
    store_in(folder / "deep" / "notes.bin")
    sqlite3.connect(folder / "own.db").execute("CREATE TABLE mine (value)").connection.close()
    with zipfile.ZipFile(folder / "some.bin", "w") as archive:
        archive.writestr("manifest.json", json.dumps({"format": "mensura-archive"}))
        archive.writestr("truths.jsonl", "")
    (folder / "tables").mkdir()
    (folder / "tables" / "truths.csv").write_text("truth")
    (folder / "tables" / "answers.csv").write_text("truth")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(os.path.relpath(folder / "data" / "socket"))
        assert answer_of(folder, SEEN) == ["agent.py", "data/words.txt", "own.db"]


def test_a_hidden_file_is_not_seen_by_another_name(folder):
    bank = folder.parent / f"{folder.name}-bank.jsonl"
    bank.write_text('{"answer": 4}')
    os.link(bank, folder / "data" / "harmless.txt")
    (folder / "link.txt").symlink_to(bank)
    body = """
        place = os.path.dirname(os.path.abspath(__file__))
        return [os.path.exists(os.path.join(place, one)) for one in ("data/harmless.txt", "link.txt", "data/words.txt")]
    """
    assert answer_of(folder, body, confinement=hidden(bank)) == [False, False, True]


def test_a_key_in_the_folder_is_hidden_unless_it_is_opened_by_name(folder):
    key = folder / "secret.key"
    key.write_text("k")
    body = f"return os.path.exists({str(key)!r})"
    assert answer_of(folder, body, confinement=hidden(key)) is False
    opened = Confinement(hidden=(str(key),), allow=(str(key),))
    assert answer_of(folder, body, confinement=opened) is True
    around = Confinement(hidden=(str(key),), allow=(str(folder),))
    assert answer_of(folder, body, confinement=around) is False


def test_nothing_else_is_seen(folder, tmp_path_factory):
    other = tmp_path_factory.mktemp("other") / "data.csv"
    other.write_text("x")
    places = [str(other), "/etc/shadow", "/etc/ssl/private", "/root/.bash_history", "/home", "/sys", "/run", "/var"]
    body = f"return [place for place in {places} if os.path.exists(place)]"
    assert answer_of(folder, body) == []
    assert answer_of(folder, body, confinement=Confinement(allow=(str(other.parent),))) == [str(other)]


def test_a_hosted_file_sees_its_neighbours_and_mensura(folder):
    (folder / "neighbour.py").write_text("HALF = 0.5\n")
    (folder / "test_of_mine.py").write_text("SECRET = 1\n")
    body = """
        import neighbour, mensura.dialogue
        try:
            import test_of_mine
        except ModuleNotFoundError:
            return neighbour.HALF
    """
    assert hosted_answer(folder, body, confinement=hidden(folder / "test_of_mine.py")) == 0.5
    # Its own file stays open to it, also where the test lies in the same one.
    assert hosted_answer(folder, "return 0.25", confinement=hidden(folder / "mine.py")) == 0.25


def test_in_a_folder_with_many_entries_records_are_covered(folder, monkeypatch):
    monkeypatch.setattr(viewing, "MOST_ENTRIES", 3)
    for number in range(5):
        (folder / f"{number}.txt").write_text(f"{number}")
    (folder / "mensura.db").write_text("truth")
    (folder / "exports").mkdir()
    (folder / "exports" / "truths.csv").write_text("truth")
    body = f"""
        place = {str(folder)!r}
        try:
            seen = open(place + "/mensura.db").read()
        except OSError:
            seen = ""
        return [open(place + "/4.txt").read(), seen, os.listdir(place + "/exports")]
    """
    assert answer_of(folder, body, confinement=hidden(folder / "mensura.db")) == ["4", "", []]
