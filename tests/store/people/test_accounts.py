"""Accounts and keys: who may log in, and what stays open afterwards."""

import time

import pytest
from sqlalchemy import select, update

from mensura.errors import BadParameter, UnknownName
from mensura.store import Store
from mensura.store.schema import accounts, keys

PASSWORD = "correct horse battery"


def test_only_the_right_password_lets_in(lite: Store) -> None:
    made = lite.accounts.add("Ann", password=PASSWORD, role="experimenter")
    assert lite.accounts.check("Ann", password=PASSWORD) == made
    assert lite.accounts.check("Ann", password=PASSWORD + "x") is None
    assert lite.accounts.check("Bob", password=PASSWORD) is None
    assert lite.accounts.check("Ann", password="x" * 2_000_000) is None


def test_a_password_is_stored_only_as_a_slow_hash(lite: Store) -> None:
    lite.accounts.add("Ann", password=PASSWORD, role="analyst")
    with lite.database.reading() as connection:
        stored = connection.execute(select(accounts.c.password)).scalar_one()
    assert stored.startswith("$argon2id$")
    assert PASSWORD not in stored


def test_a_hash_that_another_argon2_wrote_still_lets_in(lite: Store) -> None:
    lite.accounts.add("Ann", password=PASSWORD + "x", role="rater")
    # From argon2-cffi 25.1, which wrote the hashes of earlier versions.
    written = "$argon2id$v=19$m=8,t=1,p=1$+0T0kJvUCtrf6lKvSRKQAg$rG3DUiJ7kx3h4nAo+7ZVsmjuynUt8rn7a/TxP0Coyow"
    with lite.database.writing() as connection:
        connection.execute(update(accounts).values(password=written))
    assert lite.accounts.check("Ann", password=PASSWORD) is not None
    assert lite.accounts.check("Ann", password=PASSWORD + "x") is None


@pytest.mark.parametrize(
    ("name", "password", "role", "words"),
    [
        ("", PASSWORD, "rater", "needs a name"),
        ("A\x00", PASSWORD, "rater", "can be printed"),
        ("Ann", "short", "rater", "10 to 1000 characters; got 5"),
        ("Ann", PASSWORD, "king", "Roles are"),
    ],
)
def test_an_account_that_cannot_be_made_says_why(lite: Store, name: str, password: str, role: str, words: str) -> None:
    with pytest.raises((BadParameter, UnknownName), match=words):
        lite.accounts.add(name, password=password, role=role)
    assert lite.accounts.all() == []


def test_a_name_is_given_once(lite: Store) -> None:
    lite.accounts.add("Ann", password=PASSWORD, role="analyst")
    with pytest.raises(BadParameter, match="already an account called 'Ann'"):
        lite.accounts.add("Ann", password=PASSWORD, role="rater")


def test_a_disabled_account_opens_nothing_until_it_is_enabled(lite: Store) -> None:
    account = lite.accounts.add("Ann", password=PASSWORD, role="analyst")
    secret, _ = lite.keys.give(account, kind="login", seconds=60)
    lite.accounts.disable("Ann")
    assert lite.accounts.check("Ann", password=PASSWORD) is None
    assert lite.keys.who(secret, kind="login") is None
    lite.accounts.disable("Ann", disabled=False)
    assert lite.keys.who(secret, kind="login") == account
    with pytest.raises(UnknownName, match="Did you mean Ann"):
        lite.accounts.disable("Anna")


def test_a_new_password_replaces_the_old_one(lite: Store) -> None:
    lite.accounts.add("Ann", password=PASSWORD, role="analyst")
    lite.accounts.set_password("Ann", password="another good one")
    assert lite.accounts.check("Ann", password=PASSWORD) is None
    assert lite.accounts.check("Ann", password="another good one") is not None
    with pytest.raises(BadParameter, match="10 to 1000"):
        lite.accounts.set_password("Ann", password="no")


def test_a_key_works_for_its_kind_until_it_is_over_or_taken_back(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    account = store.accounts.add("Ann", password=PASSWORD, role="analyst")
    secret, key = store.keys.give(account, kind="token", seconds=60, label="notebook")
    assert store.keys.who(secret, kind="token") == account
    assert store.keys.who(secret, kind="login") is None
    assert store.keys.who("guess", kind="token") is None
    assert [(found.number, found.label) for found in store.keys.of(account, kind="token")] == [(key.number, "notebook")]
    moment = time.time()
    monkeypatch.setattr(time, "time", lambda: moment + 61)
    assert store.keys.who(secret, kind="token") is None
    monkeypatch.undo()
    store.keys.take_back(secret)
    assert store.keys.who(secret, kind="token") is None


def test_a_secret_is_not_stored(lite: Store) -> None:
    account = lite.accounts.add("Ann", password=PASSWORD, role="analyst")
    secret, _ = lite.keys.give(account, kind="login", seconds=60)
    with lite.database.reading() as connection:
        assert secret not in str(connection.execute(select(keys)).all())


def test_a_key_can_be_taken_back_by_its_owner_only(lite: Store) -> None:
    ann = lite.accounts.add("Ann", password=PASSWORD, role="analyst")
    bob = lite.accounts.add("Bob", password=PASSWORD, role="analyst")
    secret, key = lite.keys.give(ann, kind="token", seconds=60)
    with pytest.raises(UnknownName, match="Bob has no key"):
        lite.keys.take_back_number(key.number, account=bob)
    assert lite.keys.who(secret, kind="token") == ann
    lite.keys.take_back_number(key.number, account=ann)
    assert lite.keys.who(secret, kind="token") is None
    secret, _ = lite.keys.give(ann, kind="login", seconds=60)
    lite.keys.take_back_all(ann)
    assert lite.keys.who(secret, kind="login") is None
    with pytest.raises(BadParameter, match="more than 0 seconds"):
        lite.keys.give(ann, kind="login", seconds=0)
