"""Items that name how they are graded: read, asked, scored, and paired by what counts as right."""

import json

import pytest

from mensura.catalog.bank.dialogue import bank, chance_levels
from mensura.catalog.find import find_test
from mensura.errors import BadFile
from mensura.running.check import check_test
from mensura.running.hidden import hiding
from mensura.running.run import run
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take
from mensura.store import open_store
from mensura.subjects.sandbox.confinement import Confinement

ITEMS = [
    {"prompt": "Capital of France?", "answer": ["Paris", "Lutetia"], "grade": "exact", "id": "capital"},
    {"prompt": "7 times 8?", "answer": "56", "grade": {"by": "numeric", "find": "last"}, "id": "product"},
    {"prompt": "Pi?", "answer": 3.14159, "grade": {"by": "numeric", "absolute": 0.01}, "id": "pi"},
    {"prompt": "Noble metals?", "answer": ["gold", "silver", "platinum"], "grade": "set", "id": "metals"},
    {"prompt": "Who?", "answer": "Saint Bernadette Soubirous", "grade": "f1", "id": "who"},
    {"prompt": "Which letter?", "options": ["a", "b"], "answer": "b", "id": "letter"},
]
SAID = {
    "capital": "lutetia",
    "product": "7 times 8 is 56.",
    "pi": 3.14,
    "metals": "silver, gold, tin",
    "who": "Bernadette",
    "letter": "a",
}


def taken(items, said=SAID):
    return take(bank(items, name="graded"), lambda ask: said[ask.key], seed=1)


def test_each_item_is_graded_as_it_says_and_the_rest_by_its_space():
    done = taken(ITEMS)
    found = score_record(bank(ITEMS, name="graded"), done.record, done.truths)
    by_key = {name: dict(zip(items.keys, items.values, strict=True)) for name, items in found.values.items()}
    assert by_key["accuracy"] == {"capital": 1, "product": 1, "pi": 1, "letter": 0}
    assert by_key["set_f1"]["metals"] == pytest.approx(2 / 3)
    assert by_key["token_f1"]["who"] == pytest.approx(0.5)
    assert by_key["exact_match"] == {"who": 0}
    assert all(found.declared[name].high == 1 for name in by_key)


def test_leaving_an_item_out_counts_as_wrong():
    from mensura.dialogue import Refused

    done = take(bank(ITEMS, name="graded"), lambda ask: Refused("no"), seed=1)
    found = score_record(bank(ITEMS, name="graded"), done.record, done.truths)
    assert all(set(items.values) == {0.0} for items in found.values.values())


def test_another_grader_makes_another_item_and_no_space_tells_which_it_is():
    one, other = (bank([{"prompt": "2 + 2?", "answer": "4", "grade": grade}]) for grade in ("exact", {"by": "numeric"}))
    assert one.bank.hash != other.bank.hash
    assert one.bank.items[0].hash == other.bank.items[0].hash


def test_a_bank_is_graded_by_what_stands_behind_its_name_where_that_can_read_the_answers(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [{"prompt": "2 + 2?", "answer": "4"}, {"prompt": "Is 7 prime?", "answer": True}]
    (tmp_path / "sums.jsonl").write_text("\n".join(map(json.dumps, lines)))
    plain, graded = find_test("./sums.jsonl"), find_test("./sums.jsonl#grade=numeric")
    assert plain.bank.items[0].answer == "4"
    assert [item.answer for item in graded.bank] == [{"grade": {"by": "numeric"}, "answer": ["4"]}, "yes"]
    with open_store("store.db") as store:
        result = run("./sums.jsonl#grade=numeric", 'constant:"4.0"', store=store, seed=1)
        assert result.scores["accuracy"].value == 0.5
    hidden = hiding(Confinement(), reference="./sums.jsonl#grade=numeric", test=graded, store=None, folders=[])
    assert str(tmp_path / "sums.jsonl") in hidden.hidden


def test_what_chance_scores_is_not_said_where_something_is_graded():
    assert "accuracy" in chance_levels(bank(ITEMS[-1:]).bank)
    assert "accuracy" not in chance_levels(bank(ITEMS).bank)


@pytest.mark.parametrize(
    ("item", "words"),
    [
        ({"prompt": "?", "answer": "a", "grade": "exakt"}, "Item 1 of bank: There is no grader"),
        ({"prompt": "?", "answer": True, "grade": "exact"}, "reads a text; this item asks for a choice"),
        ({"prompt": "?", "answer": "x", "space": "number", "grade": "numeric"}, "is a number"),
        ({"prompt": "?", "answer": ["a", "b"]}, "cannot be guessed"),
    ],
)
def test_a_mistake_is_named_with_its_item(item, words):
    with pytest.raises(BadFile, match=words):
        bank([item])


def test_an_item_whose_answer_is_not_known_is_asked_and_not_scored():
    assert bank([{"prompt": "Who will win?", "grade": "exact"}]).bank.items[0].answer is None


def test_a_graded_bank_keeps_the_contract():
    assert check_test(bank(ITEMS, name="graded")).passed
