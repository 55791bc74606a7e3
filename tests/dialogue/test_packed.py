"""Packed things are those that were put in, by place, by name and in another process; they are not held in memory."""

import pickle
import tracemalloc

from mensura.dialogue import Bank, Choice, Item
from mensura.dialogue.packed import WRITTEN_AT_ONCE, Packed, Places

OPTIONS = Choice(("a", "b"))


def test_what_is_packed_comes_back_in_order():
    things = [{"number": number, "text": "x" * (number % 700)} for number in range(1000)]
    packed = Packed(things)
    assert sum(len(one["text"]) for one in things) > 2 * WRITTEN_AT_ONCE
    assert list(packed) == things
    assert packed[-1] == things[-1]
    assert list(packed[990:3:-7]) == things[990:3:-7]
    assert list(pickle.loads(pickle.dumps(packed))) == things
    packed.append("last")
    assert (packed[1000], len(packed)) == ("last", 1001)


def test_what_cannot_be_written_is_kept_in_its_place():
    class Local:
        """A class that no other process could find."""

    local = Local()
    packed = Packed(["first", local, "last"])
    assert list(packed) == ["first", local, "last"]
    assert packed[-2] is local


def test_a_bank_of_packed_items_finds_and_chooses_as_one_of_objects():
    items = [
        Item(f"Item {number}?", OPTIONS, "a", id=f"i{number}", tags=("odd",) if number % 2 else (), group=f"g{number}")
        for number in range(50)
    ]
    plain, packed = Bank(items), Bank(Packed(items))
    assert packed.hash == plain.hash
    assert packed.find(items[7].hash).prompt == "Item 7?"
    assert (packed.hash_of("i9"), packed.group_of("i9"), packed.hash_of("i99")) == (items[9].hash, "g9", "")
    chosen = packed.where({"tag": "odd"}, limit=3)
    assert (
        [item.id for item in chosen] == [item.id for item in plain.where({"tag": "odd"}, limit=3)] == ["i1", "i3", "i5"]
    )
    assert pickle.loads(pickle.dumps(chosen)).hash == plain.where({"tag": "odd"}, limit=3).hash


def test_names_with_one_digest_are_told_apart_by_what_stands_there(monkeypatch):
    monkeypatch.setattr("mensura.dialogue.packed._digest", lambda name: 7)
    items = [Item(f"Item {number}?", OPTIONS, "a", id=f"i{number}") for number in range(3)]
    bank = Bank(items)
    assert [bank.hash_of(f"i{number}") for number in range(4)] == [*(item.hash for item in items), ""]
    assert list(Places(["x", "y"]).of("z")) == [0, 1]


def test_a_further_item_of_a_packed_bank_takes_no_more_than_fifty_bytes():
    def made(many):
        return Packed(Item(f"Item {number}: which of these is it?", OPTIONS, "a") for number in range(many))

    packed = made(4000)
    tracemalloc.start()
    try:
        bank = Bank(packed)
        held, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert held / len(bank) < 50
