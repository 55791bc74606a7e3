"""Migrations: every old store opens, wholly or not at all."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import Connection, inspect, text

from mensura.dialogue import Address, Event, Items, Scores
from mensura.errors import StoreError
from mensura.store import RunHead, Store, migrations, open_store
from mensura.store.schema import metadata

Begin = Callable[..., str]
FIRST = Path(__file__).with_name("schema-1.sql")
RELEASED = Path(__file__).with_name("schema-6.sql")


def test_a_store_of_the_first_schema_still_opens(tmp_path: Path) -> None:
    path = tmp_path / "old.db"
    connection = sqlite3.connect(path)
    connection.executescript(FIRST.read_text())
    connection.close()
    with open_store(path) as store:
        assert store.runs.find("last").seed == 2**127 + 12345
        session = store.sessions.of("coin-1")[0]
        assert (session.address, session.status) == (Address(0, 0, 0), "finished")
        record = store.records.find(session.id)
        assert record.given() == {"coin0": 0.25, "coin1": 0.75}
        assert record.content(1) == {"prompt": "Coin 0?", "space": {"kind": "probability"}}
        assert store.truths.of(session.id) == {"coin0": 1, "coin1": 0}
        assert store.results.of("coin-1")[session.id].values == {"mean": 0.0625}
        assert store.events.with_nonce(session.id, "n-1") is not None


def test_migrations_lead_to_the_tables_the_program_uses(store: Store) -> None:
    with store.database.reading() as connection:
        found = inspect(connection)
        assert set(found.get_table_names()) >= set(metadata.tables)
        for table in metadata.tables.values():
            columns = {column["name"]: column["nullable"] for column in found.get_columns(table.name)}
            declared = {column.name: bool(column.nullable) for column in table.columns if not column.primary_key}
            # A column that a later version added stands last in a migrated table.
            assert set(columns) == {column.name for column in table.columns}
            assert {name: columns[name] for name in declared} == declared
            keys = found.get_pk_constraint(table.name)["constrained_columns"]
            assert set(keys) == {column.name for column in table.primary_key}


def later(connection: Connection) -> None:
    """Add a table and a column, as a later version may."""
    connection.execute(text("CREATE TABLE strangers (id TEXT PRIMARY KEY)"))
    connection.execute(text("ALTER TABLE runs ADD COLUMN study TEXT"))


def failing(connection: Connection) -> None:
    """Change something and then fail."""
    connection.execute(text("DELETE FROM events"))
    connection.execute(text("ALTER TABLE runs ADD COLUMN colour TEXT"))
    connection.execute(text("INSERT INTO nowhere VALUES (1)"))


def test_a_later_step_is_taken_once_and_keeps_everything(
    store: Store, begin: Begin, turn: Callable[..., list[Event]], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = begin(store)
    store.events.append(session, turn(0), truths={"coin0": 1})
    store.results.add(session, Scores({"a": Items([1.0])}), scoring="1", instance_hash="i", environment_hash="e")
    before = store.events.of(session, content=True)
    store.close()
    monkeypatch.setattr(migrations, "MIGRATIONS", [*migrations.MIGRATIONS, later])
    monkeypatch.setattr("mensura.store.database.MIGRATIONS", migrations.MIGRATIONS)
    with pytest.raises(StoreError, match="older schema"):
        open_store(store.url, read_only=True)
    for _ in range(2):
        with open_store(store.url) as newer:
            assert newer.events.of(session, content=True) == before
            with newer.database.reading() as connection:
                assert "strangers" in inspect(connection).get_table_names()
                assert migrations.current_version(connection, place="here") == len(migrations.MIGRATIONS)
    newest = len(migrations.MIGRATIONS)
    monkeypatch.undo()
    with pytest.raises(StoreError, match=rf"newer Mensura \(schema {newest}; this program knows up to {newest - 1}\)"):
        open_store(store.url)


def test_a_step_that_fails_changes_nothing(
    store: Store, begin: Begin, turn: Callable[..., list[Event]], monkeypatch: pytest.MonkeyPatch
) -> None:
    session = begin(store)
    store.events.append(session, turn(0))
    store.close()
    monkeypatch.setattr(migrations, "MIGRATIONS", [*migrations.MIGRATIONS, later, failing])
    monkeypatch.setattr("mensura.store.database.MIGRATIONS", migrations.MIGRATIONS)
    with pytest.raises(StoreError, match="nowhere"):
        open_store(store.url)
    monkeypatch.undo()
    with open_store(store.url) as again:
        assert again.events.last_number(session) == 2
        with again.database.reading() as connection:
            assert "strangers" not in inspect(connection).get_table_names()
            columns = {column["name"] for column in inspect(connection).get_columns("runs")}
            assert not columns & {"study", "colour"}


def test_a_new_store_that_could_not_be_made_is_no_store(
    url: str, monkeypatch: pytest.MonkeyPatch, run_head: Callable[..., RunHead]
) -> None:
    monkeypatch.setattr(migrations, "MIGRATIONS", [*migrations.MIGRATIONS, failing])
    monkeypatch.setattr("mensura.store.database.MIGRATIONS", migrations.MIGRATIONS)
    with pytest.raises(StoreError):
        open_store(url)
    monkeypatch.undo()
    with open_store(url) as store:
        store.runs.add(run_head())
        assert len(store.runs.all()) == 1


def test_a_store_of_the_last_release_loses_nothing_and_its_open_session_goes_on(tmp_path: Path) -> None:
    from mensura.running.results.summary import summarise_run
    from mensura.running.run import resume_run

    path = tmp_path / "released.db"
    connection = sqlite3.connect(path)
    connection.executescript(RELEASED.read_text())
    before = {
        table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()
        for table in ("runs", "sessions", "events", "contents", "truths", "results")
    }
    connection.close()
    with open_store(path) as store:
        first, interrupted, invalid = store.runs.all()
        assert {session.address for session in store.sessions.of(first.id)} == {Address(0, 0, 0), Address(0, 0, 1)}
        scores = summarise_run(first, store=store).scores
        assert scores["quadratic_score"].n == 2
        assert scores["quadratic_score"].population == "sessions"
        assert store.sessions.count(interrupted.id) == {"finished": 1, "open": 1}
        assert store.records.find(f"{invalid.id}/0.0.0").status == "invalid"
        with store.database.reading() as found:
            after = {table: found.exec_driver_sql(f"SELECT count(*) FROM {table}").fetchone() for table in before}
        assert {table: tuple(row) for table, row in after.items()} == before
        result = resume_run(interrupted.id, store=store)
        assert result.counts["finished"] == 2
        assert [answer.value for answer in store.records.find(f"{interrupted.id}/0.0.1").answers] == [0.5, 0.5, 0.5]
