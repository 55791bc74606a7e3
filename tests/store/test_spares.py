"""Spares: connections that are kept at hand are whole, or not used."""

import os

import pytest
from sqlalchemy import text

from mensura.errors import Conflict
from mensura.store import Store, open_store
from mensura.store.spares import MOST

ADD = "INSERT INTO meta (name, value) VALUES (?, ?)"
READ = "SELECT value FROM meta WHERE name = ?"


def test_no_connection_is_kept_after_an_error_and_the_next_writer_does_not_wait(store: Store) -> None:
    database = store.database
    with database.appending() as connection:
        database.at_once(connection, ADD, ("a", "1"))
    with pytest.raises(Conflict) as caught, database.appending() as connection:
        database.at_once(connection, ADD, [("b", "2"), ("a", "3")])
    # Another process, while the error with all its frames is still there.
    with open_store(store.url, patience=5.0) as other, other.database.appending() as connection:
        other.database.at_once(connection, ADD, ("c", "4"))
    assert caught.value
    assert [database.glance(READ, (name,)) for name in "abc"] == [[("1",)], [], [("4",)]]


def test_what_others_need_of_the_pool_is_not_kept_from_them(store: Store) -> None:
    database = store.database
    pool = database.engine.pool
    for _ in range(2 * MOST):
        database.glance(READ, ("a",))
    assert pool.checkedout() == 1, "one after the other needs one"  # type: ignore[attr-defined]
    store.close()
    assert pool.checkedout() == 0  # type: ignore[attr-defined]
    assert database.glance(READ, ("a",)) == []


@pytest.mark.postgres
def test_connections_that_the_server_ended_are_not_used(postgres_url: str) -> None:
    with open_store(postgres_url) as store:
        database = store.database
        database.glance(READ, ("a",))
        with database.engine.connect() as connection:
            ended = "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid <> pg_backend_pid()"
            connection.execute(text(f"{ended} AND datname = current_database()"))
        assert database.glance(READ, ("a",)) == []
        with database.appending() as connection:
            database.at_once(connection, ADD, ("a", "1"))
        assert database.glance(READ, ("a",)) == [("1",)]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="processes are not forked here")
def test_a_forked_process_has_connections_of_its_own(store: Store) -> None:
    database = store.database
    database.glance(READ, ("a",))
    child = os.fork()
    if child == 0:
        try:
            with database.appending() as connection:
                database.at_once(connection, ADD, ("a", "1"))
            store.close()
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert database.glance(READ, ("a",)) == [("1",)]
