"""Accounts on the command line: links to a new password, and a second factor."""

import re
import time

import pytest

from mensura.store import open_store
from mensura.store.people.one_time_code import code_at, step_at


@pytest.fixture
def ada(mensura):
    assert mensura("account", "add", "ada", "--password", "long enough, surely").status == 0
    return "ada"


def test_a_link_to_a_new_password_is_printed_once_and_replaces_the_earlier_one(mensura, ada):
    first, second = (mensura("account", "reset", ada, "--url", "https://lab.example").out.strip() for _ in range(2))
    assert second.startswith("https://lab.example/lab/reset/")
    with open_store("mensura.db") as store:
        assert store.keys.who(first.rpartition("/")[2], kind="reset") is None
        assert store.keys.who(second.rpartition("/")[2], kind="reset").name == "ada"
    assert mensura("account", "disable", ada).status == 0
    assert "is disabled and cannot log in" in mensura("account", "reset", ada).err


def test_a_second_factor_is_set_up_by_its_code_and_taken_off(mensura, ada, monkeypatch):
    def show_code(*words, **more):
        with open_store("mensura.db") as store:
            secret = store.second_factors.pending(store.accounts.find(ada))
        return code_at(secret, step_at(time.time()))

    monkeypatch.setattr("click.prompt", lambda *words, **more: "000000x")
    assert "not the code" in mensura("account", "second-factor", ada).err
    monkeypatch.setattr("click.prompt", show_code)
    done = mensura("account", "second-factor", ada)
    assert len(done.out.split()) == 10
    assert re.search(r"app: (?:[A-Z2-7]{4} ?){8}", done.err)
    assert "already" in mensura("account", "second-factor", ada).err
    assert "password alone" in mensura("account", "second-factor", ada, "--off").err
