"""Members: who belongs to a study; it always has an owner."""

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
    with pytest.raises(UnknownName, match="Olga is no member of coins"):
        store.members.remove("coins", olga)
