"""Tests of what goes to the driver as it is: `appending` and `glance`."""

import sqlite3
import time
from concurrent.futures import ThreadPoolExecutor
from traceback import walk_tb

import pytest
from sqlalchemy import event

from mensura.errors import Conflict
from mensura.store import open_store

ADD = "INSERT INTO meta (name, value) VALUES (?, ?)"
READ = "SELECT value FROM meta WHERE name = ?"


def cursors_kept_by(error: BaseException | None) -> list[sqlite3.Cursor]:
    """Return the cursors that the frames of an error, and of those before it, keep alive."""
    held = []
    while error is not None:
        held += [value for frame, _ in walk_tb(error.__traceback__) for value in frame.f_locals.values()]
        error = error.__context__
    assert held
    return [value for value in held if isinstance(value, sqlite3.Cursor)]


def test_what_is_appended_is_read_and_a_failed_append_leaves_nothing(tmp_path):
    with open_store(f"{tmp_path}/mensura.db") as store:
        database = store.database
        with database.appending() as connection:
            database.at_once(connection, ADD, ("a", "1"))
        with pytest.raises(Conflict), database.appending() as connection:
            database.at_once(connection, ADD, [("b", "2"), ("a", "3")])
        assert [database.glance(READ, (name,)) for name in "ab"] == [[("1",)], []]
        with database.writing():
            pass


def test_an_error_keeps_no_cursor_of_a_connection_that_others_have_by_now(lite, begin, turn):
    # Clearing such a cursor away waits for the connection's next user: two writers could wait for one another.
    database = lite.database
    with pytest.raises(Conflict) as caught, database.appending() as connection:
        database.at_once(connection, ADD, [("a", "1"), ("a", "2")])
    assert cursors_kept_by(caught.value) == []
    session = begin(lite)
    lite.events.append(session, turn(0))
    with pytest.raises(Conflict) as caught:
        lite.events.append(session, turn(0))
    assert cursors_kept_by(caught.value) == []


def test_threads_of_a_process_write_in_turn_and_never_find_the_store_taken(lite):
    # SQLite's own waiting, which is off here, sleeps longer and longer and lets others overtake.
    database = lite.database
    database.engine.dispose()
    event.listen(database.engine, "connect", lambda connection, _: connection.execute("PRAGMA busy_timeout=0"))

    def write(number):
        with database.appending() if number % 2 else database.writing() as connection:
            database.at_once(connection, ADD, (f"fact {number}", "1"))
            time.sleep(0.001)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(write, range(40)))
    assert len([name for name in database.facts() if name.startswith("fact")]) == 40
