"""Damaged, newer, foreign, full, locked, lost and read-only stores: a clear sentence, and nothing changed."""

import os
import random
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import event as database_event
from sqlalchemy import text

from mensura.dialogue import Event
from mensura.errors import MissingExtra, StoreError, UnknownName
from mensura.store import Store, open_store

Begin = Callable[..., str]
Turn = Callable[..., list[Event]]
TERMINATE = """SELECT pg_terminate_backend(pid) FROM pg_stat_activity
WHERE datname = current_database() AND pid <> pg_backend_pid()"""


def test_importing_the_package_does_not_import_the_database_library() -> None:
    program = "import sys, mensura.store; print(*{'sqlalchemy', 'duckdb', 'psycopg'} & set(sys.modules))"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True).stdout == "\n"


def test_every_public_name_is_there() -> None:
    import mensura.store

    for name in mensura.store.__all__:
        assert getattr(mensura.store, name) is not None
    with pytest.raises(AttributeError):
        _ = mensura.store.nonsense


@pytest.mark.parametrize(
    "junk", [b"this is no database, but a letter\n" * 50, os.urandom(5000), b"SQLite format 3\x00"]
)
def test_a_file_that_is_no_database_is_refused_and_untouched(tmp_path: Path, junk: bytes) -> None:
    path = tmp_path / "letter.db"
    path.write_bytes(junk)
    with pytest.raises(StoreError, match=r"damaged|no store"):
        open_store(path)
    assert path.read_bytes() == junk
    assert [found.name for found in tmp_path.iterdir()] == ["letter.db"]


def test_a_database_of_another_program_is_refused_and_untouched(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as connection:
        connection.execute("CREATE TABLE invoices (amount REAL)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StoreError, match=r"holds other tables \(invoices\) and is not a store of Mensura"):
        open_store(path)
    assert path.read_bytes() == before


def change(store: Store, statement: str) -> None:
    """Change a database behind its program's back, and close it."""
    with store.database.writing() as connection:
        connection.execute(text(statement))
    store.close()


def test_a_newer_store_is_refused_and_untouched(store: Store, begin: Begin) -> None:
    begin(store)
    change(store, "UPDATE meta SET value = '999' WHERE name = 'schema'")
    before = None if store.database.place.path is None else store.database.place.path.read_bytes()
    with pytest.raises(StoreError, match=r"newer Mensura \(schema 999.*install a newer Mensura"):
        open_store(store.url)
    assert before is None or store.database.place.path is None or store.database.place.path.read_bytes() == before


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE meta SET value = 'one' WHERE name = 'schema'",
        "DELETE FROM meta",
        "UPDATE meta SET value = 'bookkeeping' WHERE name = 'application'",
        "DROP TABLE results",
        "ALTER TABLE meta RENAME COLUMN value TO worth",
    ],
)
def test_a_store_whose_tables_are_not_as_they_should_be_is_refused(store: Store, statement: str) -> None:
    change(store, statement)
    with pytest.raises(StoreError, match="damaged"):
        open_store(store.url)


def test_a_foreign_table_of_the_same_name_on_a_server_is_refused(store: Store) -> None:
    change(store, "ALTER TABLE meta RENAME TO somebody_elses")
    with pytest.raises(StoreError, match="not a store of Mensura"):
        open_store(store.url)


def test_random_damage_is_never_anything_but_a_store_error(tmp_path: Path, begin: Begin, turn: Turn) -> None:
    whole = tmp_path / "whole.db"
    with open_store(whole) as store:
        session = begin(store)
        for i in range(40):
            store.events.append(session, turn(i), truths={f"coin{i}": 1})
    data = whole.read_bytes()
    chance = random.Random(5)
    told = 0
    for number in range(60):
        broken = bytearray(data)
        if number % 3 == 0:
            del broken[chance.randrange(1, len(data)) :]
        else:
            for _ in range(chance.randrange(1, 400)):
                broken[chance.randrange(len(data))] = chance.randrange(256)
        path = tmp_path / f"{number}.db"
        path.write_bytes(broken)
        told += is_refused(path, session)
    assert told > 20


def is_refused(path: Path, session: str) -> bool:
    """Read all of a store; any error but the two that may come of damage goes through."""
    try:
        with open_store(path) as store:
            store.runs.all()
            store.events.of(session, content=True)
            store.records.find(session)
            store.truths.of(session)
    except StoreError:
        return True
    except UnknownName:
        # The damage hit the name of the session.
        return False
    return False


def test_a_full_disk_is_said_loses_nothing_and_goes_on_when_there_is_space(
    lite: Store, begin: Begin, turn: Turn
) -> None:
    session = begin(lite)
    with lite.database.reading() as connection:
        # What is there already, tables without rows among it, and a little more.
        allowed = [connection.exec_driver_sql("PRAGMA page_count").scalar_one() + 20]
    database_event.listen(
        lite.database.engine, "checkout", lambda raw, *_: raw.execute(f"PRAGMA max_page_count = {allowed[0]}")
    )
    written = []

    def fill() -> None:
        for i in range(1000):
            lite.events.append(session, turn(i, value=os.urandom(700).hex()))
            written.append(i)

    with pytest.raises(
        StoreError,
        match=r"no space left for the store .*`mensura resume last`.* Nothing was changed",
    ):
        fill()
    many = len(written)
    assert many > 10
    assert [event.number for event in lite.events.of(session)] == list(range(1, 2 * many + 1))
    allowed[0] = 100_000
    lite.events.append(session, turn(many))
    assert lite.events.last_number(session) == 2 * many + 2


def test_a_store_that_another_program_holds_is_said_to_be_busy(url: str, begin: Begin, turn: Turn) -> None:
    with open_store(url, patience=0.2) as store, open_store(url) as other:
        session = begin(store)
        with other.database.writing() as connection:
            if other.database.place.path is None:
                connection.execute(text("LOCK TABLE events"))
            with pytest.raises(StoreError, match="busy: another program holds it"):
                store.events.append(session, turn(0))
        store.events.append(session, turn(0))
        assert store.events.last_number(session) == 2


def test_readers_are_not_held_up_by_a_writer(url: str, begin: Begin, turn: Turn) -> None:
    with open_store(url, patience=0.2) as store, open_store(url) as other:
        session = begin(store)
        with other.database.writing() as connection:
            connection.execute(text("UPDATE sessions SET status = 'crashed'"))
            assert store.sessions.find(session).status == "open"
            assert store.events.of(session) == []


def test_a_deleted_store_is_missed_before_an_answer_is_taken(lite: Store, begin: Begin, turn: Turn) -> None:
    session = begin(lite)
    lite.events.append(session, turn(0))
    assert lite.database.place.path is not None
    lite.database.place.path.rename(lite.database.place.path.with_name("away.db"))
    with pytest.raises(StoreError, match="moved, replaced or deleted"):
        lite.events.append(session, turn(1))
    assert not lite.database.place.path.exists()
    lite.database.place.path.with_name("away.db").rename(lite.database.place.path)
    lite.events.append(session, turn(1))
    assert lite.events.last_number(session) == 4


def test_a_store_opened_for_reading_refuses_every_change(store: Store, begin: Begin, turn: Turn) -> None:
    session = begin(store)
    store.events.append(session, turn(0))
    with open_store(store.url, read_only=True) as reader:
        assert reader.events.of(session) == store.events.of(session)
        for change_it in (
            lambda: reader.events.append(session, turn(1)),
            lambda: reader.truths.resolve(session, "a", 1, source="us"),
            lambda: begin(reader, "new"),
        ):
            with pytest.raises(StoreError, match="can only be read"):
                change_it()
    assert store.events.last_number(session) == 2


def test_a_store_on_a_disc_that_cannot_be_written_is_read_all_the_same(
    tmp_path: Path, begin: Begin, turn: Turn, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "disc.db"
    with open_store(path) as store:
        session = begin(store)
        store.events.append(session, turn(0))
    monkeypatch.setattr(os, "access", lambda *_: False)
    with open_store(path) as reader:
        assert reader.events.last_number(session) == 2
        with pytest.raises(StoreError, match="can only be read"):
            reader.events.append(session, turn(1))
    assert [found.name for found in tmp_path.iterdir()] == ["disc.db"]


def test_a_place_without_a_store_is_said_and_nothing_is_made(tmp_path: Path) -> None:
    for make in (lambda path: open_store(path, create=False), lambda path: open_store(path, read_only=True)):
        with pytest.raises(StoreError, match=r"no store at .* yet"):
            make(tmp_path / "none.db")
    with pytest.raises(StoreError, match="is a folder"):
        open_store(tmp_path)
    with pytest.raises(StoreError, match="does not exist; make it first"):
        open_store(tmp_path / "no" / "such.db")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.postgres
def test_an_empty_database_on_a_server_is_said_and_nothing_is_made(postgres_url: str) -> None:
    with pytest.raises(StoreError, match=r"no store at .* yet"):
        open_store(postgres_url, create=False)
    with pytest.raises(StoreError, match=r"no store at .* yet"):
        open_store(postgres_url, read_only=True)


@pytest.mark.postgres
def test_a_server_that_cannot_be_reached_is_said(postgres_url: str, tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"cannot be reached \(.*Is it running"):
        open_store(f"postgresql://ann:hunter2@/lab?host={tmp_path}", patience=1)
    with pytest.raises(StoreError, match="does not exist"):
        open_store(postgres_url.replace("/test_", "/nowhere_"))


@pytest.mark.postgres
def test_a_database_made_without_a_locale_gives_text(postgres_url: str) -> None:
    import psycopg

    ascii_url = postgres_url.replace("/test_", "/ascii_test_")
    name = ascii_url.partition("?")[0].rpartition("/")[2]
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} ENCODING SQL_ASCII LC_COLLATE 'C' LC_CTYPE 'C' TEMPLATE template0")
        with open_store(ascii_url) as store:
            assert store.database.settle("motto", "Maß und Zahl") == "Maß und Zahl"
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.mark.postgres
def test_a_lost_connection_is_made_again(postgres_url: str, begin: Begin, turn: Turn) -> None:
    with open_store(postgres_url) as store, open_store(postgres_url) as other:
        session = begin(store)

        def lose() -> None:
            with store.database.writing() as connection:
                connection.execute(text("DELETE FROM sessions"))
                with other.database.writing() as killer:
                    killer.execute(text(TERMINATE))
                connection.execute(text("SELECT 1"))

        with pytest.raises(StoreError, match="Nothing was changed"):
            lose()
        store.events.append(session, turn(0))
        assert store.events.last_number(session) == 2


def test_a_server_without_its_driver_tells_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    with pytest.raises(MissingExtra, match=r'pip install "mensura\[postgres\]"'):
        open_store("postgresql://lab@localhost/lab")
