"""Items and banks: hashes of content, keys, selection; and tests that are partials of a function."""

import pickle
from functools import partial

import numpy as np
import pytest

from mensura.dialogue import Ask, Bank, Choice, Clock, Item, Number, TableView, Test, Text, instance_hash
from mensura.errors import BadFile, BadParameter, UnknownName

TWO = Choice(("3", "4"))


def make_bank():
    return Bank(
        [
            Item("2 + 2?", TWO, "4", id="sum", tags=("easy", "sums"), group="numbers", licence="CC0"),
            Item("1 + 2?", TWO, "3", tags=("easy",)),
            Item("Name it.", Text(), "x", tags=("hard",), group="words"),
        ],
        name="trial",
    )


def test_a_hash_is_of_the_question_and_of_nothing_else():
    item = Item("2 + 2?", TWO, "4")
    same = Item("2 + 2?", Choice(["3", "4"]), "3", id="other", tags=("a",), group="g", licence="l")
    assert item.hash == same.hash
    others = [Item("2 + 3?", TWO), Item("2 + 2?", Choice(("4", "3"))), Item("2 + 2?", Text()), Item(["2 + 2?"], TWO)]
    assert len({item.hash, *(other.hash for other in others)}) == 5
    assert int(item.hash, 16) >= 0


def test_prompts_that_are_data_are_hashed_by_their_data():
    table = Item(TableView(["a"], [[1]]), Number())
    assert table.hash == Item(TableView(["a"], [[1]]), Number()).hash
    assert table.hash != Item(TableView(["a"], [[2]]), Number()).hash


def test_an_item_is_named_by_its_id_or_its_hash():
    bank = make_bank()
    first, second, _ = bank
    assert (first.key, second.key) == ("sum", second.hash)
    assert bank.find(first.hash) is first
    assert bank.hash_of("sum") == first.hash
    assert bank.hash_of(second.hash) == second.hash
    assert bank.hash_of("nobody") == ""
    assert [bank.group_of(item.key) for item in bank] == ["numbers", "", "words"]
    assert bank.group_of("nobody") == ""


def test_an_item_that_is_gone_is_said_to_be_gone():
    with pytest.raises(BadFile, match="trial no longer holds the item 00"):
        make_bank().find("00")


@pytest.mark.parametrize(
    ("conditions", "limit", "count"),
    [
        ({"tag": "easy"}, None, 2),
        ({"tag": "easy"}, 1, 1),
        ({}, 2, 2),
        ({}, 20, 3),
        ({"group": "words"}, None, 1),
        ({"id": "sum"}, None, 1),
        ({"licence": "CC0", "tag": "sums"}, None, 1),
    ],
)
def test_items_are_selected_by_what_they_are(conditions, limit, count):
    chosen = make_bank().where(conditions, limit=limit)
    assert len(chosen) == count
    assert chosen.name == "trial"


def test_a_selection_of_nothing_says_what_there_is():
    with pytest.raises(BadParameter, match=r"No item of trial has tag=eazy. Its tags are easy, hard, sums\."):
        make_bank().where({"tag": "eazy"})
    with pytest.raises(UnknownName, match=r"There is no property of an item called 'tags'. Did you mean tag"):
        make_bank().where({"tags": "easy"})
    with pytest.raises(BadParameter, match="at least 1; got 0"):
        make_bank().where({}, limit=0)


def test_no_two_items_ask_the_same_or_share_a_name():
    with pytest.raises(BadFile, match="Item 2 of bank asks the same as an earlier one"):
        Bank([Item("?" * 80, TWO, "3"), Item("?" * 80, TWO, "4")])
    with pytest.raises(BadFile, match="Item 2 of bank has the id 'a' of another"):
        Bank([Item("1?", TWO, id="a"), Item("2?", TWO, id="a")])


def test_the_hash_of_a_bank_is_of_questions_answers_and_groups_in_any_order():
    items = list(make_bank())
    bank = Bank(items)
    assert bank.hash == Bank(reversed(items), name="other").hash
    changed = Item("2 + 2?", TWO, "3", id="sum", group="numbers")
    regrouped = Item("2 + 2?", TWO, "4", id="sum", group="words")
    retagged = Item("2 + 2?", TWO, "4", id="sum", group="numbers", tags=("new",))
    assert Bank([changed, *items[1:]]).hash != bank.hash
    assert Bank([regrouped, *items[1:]]).hash != bank.hash
    assert Bank([retagged, *items[1:]]).hash == bank.hash
    assert Bank(items[1:]).hash != bank.hash


def ask(bank, rng, *, item=None, times: int = 1, loud: bool = False):
    """Ask some of it."""
    for _ in range(times):
        yield Ask(item.prompt if item else "all", Text())


def test_a_function_with_something_filled_in_has_the_parameters_that_are_left():
    bank = make_bank()
    test = Test("trial-v1", partial(ask, bank), bank=bank)
    assert list(test.parameters) == ["times", "loud"]
    assert test.fill({"times": "2", "loud": "yes"}) == {"times": 2, "loud": True}
    assert test.takes("item")
    assert not test.takes("clock")
    rng, first = np.random.default_rng(1), bank.items[0]
    assert next(test.begin(rng, Clock(), test.fill(), item=first.hash)).prompt == "2 + 2?"
    assert next(test.begin(rng, Clock(), test.fill())).prompt == "all"


def test_a_test_can_be_pickled_after_it_was_used():
    bank = make_bank()
    test = Test("trial-v1", partial(ask, bank), bank=bank)
    assert test.takes("item")
    copy = pickle.loads(pickle.dumps(test))
    assert copy.fill() == test.fill()
    assert instance_hash(copy, {}) == instance_hash(test, {})
    assert [item.hash for item in copy.bank] == [item.hash for item in bank]
