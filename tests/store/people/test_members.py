"""Members: who belongs to a study; it always has an owner."""

from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest

from mensura.errors import BadParameter, UnknownName
from mensura.store import Store
from mensura.store.people.accounts import Account


@pytest.fixture
def people(store: Store) -> list[Account]:
    """Give two accounts."""
    return [store.accounts.add(name, password="long enough, surely", role="member") for name in ("Olga", "Al")]


def test_the_first_member_is_an_owner_and_others_join(store: Store, people: list[Account]) -> None:
    olga, al = people
    with pytest.raises(BadParameter, match="the first is its owner"):
        store.members.put("coins", al, role="analyst", added_by="Erin")
    store.members.put("coins", olga, role="owner", added_by="Erin")
    store.members.put("coins", al, role="analyst", added_by="Olga")
    assert [(one.name, one.role, one.added_by) for one in store.members.of("coins")] == [
        ("Olga", "owner", "Erin"),
        ("Al", "analyst", "Olga"),
    ]
    assert store.members.standing(al) == ({"coins": "analyst"}, frozenset({"coins"}))
    with pytest.raises(UnknownName, match="owner, experimenter, observer, rater, analyst"):
        store.members.put("coins", al, role="king", added_by="Olga")


def test_the_last_owner_neither_leaves_nor_becomes_something_else(store: Store, people: list[Account]) -> None:
    olga, al = people
    store.members.put("coins", olga, role="owner", added_by="Olga")
    for change in (
        lambda: store.members.remove("coins", olga),
        lambda: store.members.put("coins", olga, role="analyst", added_by="Olga"),
    ):
        with pytest.raises(BadParameter, match="needs an owner"):
            change()
    store.members.put("coins", al, role="owner", added_by="Olga")
    store.members.remove("coins", olga)
    assert [one.name for one in store.members.of("coins")] == ["Al"]
    with pytest.raises(UnknownName, match="Olga is not a member of coins"):
        store.members.remove("coins", olga)


def test_the_only_owner_who_can_log_in_is_not_disabled(store: Store, people: list[Account]) -> None:
    olga, al = people
    store.members.put("coins", olga, role="owner", added_by="Olga")
    store.members.put("coins", al, role="analyst", added_by="Olga")
    store.accounts.disable("Al")
    with pytest.raises(BadParameter, match="Olga is the only owner of a study: name another owner") as refused:
        store.accounts.disable("Olga")
    assert "coins" not in str(refused.value), "those who manage accounts may know nothing of it"
    assert not store.accounts.find("Olga").disabled
    store.members.put("coins", al, role="owner", added_by="Olga")
    with pytest.raises(BadParameter, match="only owner"):
        store.accounts.disable("Olga")
    store.accounts.disable("Al", disabled=False)
    store.accounts.disable("Olga")
    with pytest.raises(BadParameter, match="needs an owner"):
        store.members.remove("coins", al)


def test_an_account_that_is_disabled_becomes_no_first_owner(store: Store, people: list[Account]) -> None:
    store.accounts.disable("Olga")
    with pytest.raises(BadParameter, match="needs an owner"):
        store.members.put("coins", store.accounts.find("Olga"), role="owner", added_by="Erin")


def test_of_two_owners_who_are_disabled_at_the_same_moment_one_stays(store: Store, people: list[Account]) -> None:
    for turn in range(5):
        for account in people:
            store.accounts.disable(account.name, disabled=False)
            store.members.put(f"coins {turn}", account, role="owner", added_by="Erin")
        together = Barrier(2)

        def disable(name: str, together: Barrier = together) -> str:
            together.wait(60)
            try:
                store.accounts.disable(name)
            except BadParameter as error:
                return str(error)
            return ""

        with ThreadPoolExecutor(2) as pool:
            said = list(pool.map(disable, ["Olga", "Al"]))
        assert sorted(map(bool, said)) == [False, True]
