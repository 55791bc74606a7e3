"""Tests of what goes to the driver as it is: `appending` and `glance`."""

import pytest

from mensura.errors import Conflict
from mensura.store import open_store

ADD = "INSERT INTO meta (name, value) VALUES (?, ?)"
READ = "SELECT value FROM meta WHERE name = ?"


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
