"""Accounts and keys: who may log in, and what stays open afterwards."""

import time

import pytest
from sqlalchemy import select

from mensura.errors import BadParameter, UnknownName
from mensura.store import Store
from mensura.store.people.accounts import Accounts
from mensura.store.people.keys import Keys
from mensura.store.people_schema import accounts, keys

PASSWORD = "correct horse battery"


def test_only_the_right_password_lets_in(lite: Store) -> None:
    made = Accounts(lite).add("Ann", password=PASSWORD, role="experimenter")
    assert Accounts(lite).check("Ann", password=PASSWORD) == made
    assert Accounts(lite).check("Ann", password=PASSWORD + "x") is None
    assert Accounts(lite).check("Bob", password=PASSWORD) is None
    assert Accounts(lite).check("Ann", password="x" * 2_000_000) is None


def test_a_password_is_stored_only_as_a_slow_hash(lite: Store) -> None:
    Accounts(lite).add("Ann", password=PASSWORD, role="analyst")
    with lite.reading() as connection:
        stored = connection.execute(select(accounts.c.password)).scalar_one()
    assert stored.startswith("$argon2id$")
    assert PASSWORD not in stored


@pytest.mark.parametrize(
    ("name", "password", "role", "words"),
    [
        ("", PASSWORD, "rater", "needs a name"),
        ("A\x00", PASSWORD, "rater", "can be printed"),
        ("Ann", "short", "rater", "10 to 1000 characters; this one has 5"),
        ("Ann", PASSWORD, "king", "Roles are"),
    ],
)
def test_an_account_that_cannot_be_made_says_why(lite: Store, name: str, password: str, role: str, words: str) -> None:
    with pytest.raises((BadParameter, UnknownName), match=words):
        Accounts(lite).add(name, password=password, role=role)
    assert Accounts(lite).all() == []


def test_a_name_is_given_once(lite: Store) -> None:
    Accounts(lite).add("Ann", password=PASSWORD, role="analyst")
    with pytest.raises(BadParameter, match="already an account called 'Ann'"):
        Accounts(lite).add("Ann", password=PASSWORD, role="rater")


def test_a_disabled_account_opens_nothing_until_it_is_enabled(lite: Store) -> None:
    account = Accounts(lite).add("Ann", password=PASSWORD, role="analyst")
    secret, _ = Keys(lite).give(account, kind="login", seconds=60)
    Accounts(lite).disable("Ann")
    assert Accounts(lite).check("Ann", password=PASSWORD) is None
    assert Keys(lite).who(secret, kind="login") is None
    Accounts(lite).disable("Ann", disabled=False)
    assert Keys(lite).who(secret, kind="login") == account
    with pytest.raises(UnknownName, match="Did you mean Ann"):
        Accounts(lite).disable("Anna")


def test_a_new_password_replaces_the_old_one(lite: Store) -> None:
    Accounts(lite).add("Ann", password=PASSWORD, role="analyst")
    Accounts(lite).set_password("Ann", password="another good one")
    assert Accounts(lite).check("Ann", password=PASSWORD) is None
    assert Accounts(lite).check("Ann", password="another good one") is not None
    with pytest.raises(BadParameter, match="10 to 1000"):
        Accounts(lite).set_password("Ann", password="no")


def test_a_key_works_for_its_kind_until_it_is_over_or_taken_back(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    account = Accounts(store).add("Ann", password=PASSWORD, role="analyst")
    secret, key = Keys(store).give(account, kind="token", seconds=60, label="notebook")
    assert Keys(store).who(secret, kind="token") == account
    assert Keys(store).who(secret, kind="login") is None
    assert Keys(store).who("guess", kind="token") is None
    assert [(found.number, found.label) for found in Keys(store).of(account, kind="token")] == [
        (key.number, "notebook")
    ]
    moment = time.time()
    monkeypatch.setattr(time, "time", lambda: moment + 61)
    assert Keys(store).who(secret, kind="token") is None
    monkeypatch.undo()
    Keys(store).take_back(secret)
    assert Keys(store).who(secret, kind="token") is None


def test_a_secret_is_not_stored(lite: Store) -> None:
    account = Accounts(lite).add("Ann", password=PASSWORD, role="analyst")
    secret, _ = Keys(lite).give(account, kind="login", seconds=60)
    with lite.reading() as connection:
        assert secret not in str(connection.execute(select(keys)).all())


def test_a_key_can_be_taken_back_by_its_owner_only(lite: Store) -> None:
    ann = Accounts(lite).add("Ann", password=PASSWORD, role="analyst")
    bob = Accounts(lite).add("Bob", password=PASSWORD, role="analyst")
    secret, key = Keys(lite).give(ann, kind="token", seconds=60)
    with pytest.raises(UnknownName, match="Bob has no key"):
        Keys(lite).take_back_number(key.number, account=bob)
    assert Keys(lite).who(secret, kind="token") == ann
    Keys(lite).take_back_number(key.number, account=ann)
    assert Keys(lite).who(secret, kind="token") is None
    secret, _ = Keys(lite).give(ann, kind="login", seconds=60)
    Keys(lite).take_back_all(ann)
    assert Keys(lite).who(secret, kind="login") is None
    with pytest.raises(BadParameter, match="more than 0 seconds"):
        Keys(lite).give(ann, kind="login", seconds=0)
