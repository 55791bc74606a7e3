"""Banks as tests: items alone and together, the same in any order, in other processes, and within the contract."""

import json
import os
import pickle
from math import log

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mensura
from mensura.catalog.bank.dialogue import bank_test
from mensura.catalog.find import find_test
from mensura.dialogue import Address, Item, Refused, Text, instance_hash
from mensura.errors import BadFile, BadParameter
from mensura.running.check import CheckOptions, check_test
from mensura.running.plan import Selection
from mensura.running.run import RunOptions
from mensura.running.scoring.scoring import score_record
from mensura.running.take import take
from mensura.subjects import SubjectSpec

COUNT = 12
LINES = [
    {
        "prompt": f"{i} + 1?",
        "options": [str(i), str(i + 1), str(i + 2), str(i + 3)],
        "answer": str(i + 1 + i % 3),
        "tags": ["even" if i % 2 == 0 else "odd"],
        "group": f"g{i // 4}",
    }
    for i in range(COUNT)
]
MIXED = [
    {"prompt": "Which?", "options": ["a", "b", "c"], "answer": "c"},
    {"prompt": "Is it?", "answer": True},
    {"prompt": "How many?", "answer": 12, "space": {"kind": "number", "low": 0, "high": 20}},
    {"prompt": "Say it.", "answer": "word"},
    {"prompt": "How likely?", "answer": False, "space": "probability"},
    {"prompt": "Who knows?"},
]


def write(path, lines):
    path.write_text("\n".join(json.dumps(line) for line in lines))
    return str(path)


def chance(test):
    return SubjectSpec("chance").make(test)


def asks_of(test, *, seed=1, item="", **parameters):
    """Collect the asks of a session by key."""
    seen = {}
    subject = lambda ask: seen.setdefault(ask.key, ask) and Refused("")  # noqa: E731
    take(test, subject, seed=seed, address=Address(item=item), parameters=parameters)
    return seen


def shown(asks):
    return {key: (ask.prompt, ask.space.data()) for key, ask in asks.items()}


def test_an_item_is_one_short_dialogue_and_all_of_them_are_one_long_one():
    test = mensura.bank(MIXED, name="mixed")
    for item in test.bank:
        taken = take(test, chance(test), seed=1, address=Address(item=item.hash))
        (answer,) = taken.record.answers
        assert (answer.key, taken.record.status) == (item.key, "finished")
        assert taken.truths == ({} if item.answer is None else {item.key: item.answer})
    whole = take(test, chance(test), seed=1)
    assert [answer.key for answer in whole.record.answers] == [item.key for item in test.bank]
    assert len(whole.truths) == 5


def test_natural_scores_are_those_of_the_spaces():
    test = mensura.bank(MIXED, name="mixed")
    right = {"Which?": "c", "Is it?": "yes", "How many?": 10, "Say it.": "Word", "How likely?": 0.5, "Who knows?": ""}
    found = {}
    for item in test.bank:
        taken = take(test, lambda ask: right[ask.prompt], seed=1, address=Address(item=item.hash))
        scores = score_record(test, taken.record, taken.truths)
        found[item.prompt] = {name: value.values.tolist() for name, value in scores.values.items()}
    assert found["Which?"] == found["Is it?"] == found["Say it."] == {"accuracy": [1]}
    assert found["How many?"] == {"absolute_error": [2]}
    assert found["How likely?"] == {"logarithmic_score": [0], "quadratic_score": [0]}
    assert found["Who knows?"] == {}


@pytest.mark.parametrize(
    ("place", "counts"), [(0, {"accuracy": 0}), (2, {"absolute_error": 20}), (4, {"quadratic_score": 0})]
)
def test_an_unanswered_item_counts_what_its_score_declares(place, counts):
    test = mensura.bank(MIXED, name="mixed")
    taken = take(test, lambda ask: Refused("no"), seed=1, address=Address(item=test.bank.items[place].hash))
    scores = score_record(test, taken.record, taken.truths)
    assert {name: scores.values[name].values.tolist() for name in counts} == {n: [v] for n, v in counts.items()}


@settings(max_examples=30, deadline=None)
@given(st.permutations(LINES), st.integers(1, COUNT), st.booleans())
def test_order_and_number_of_lines_change_no_ask_and_no_answer_of_an_item(lines, limit, shuffle):
    usual, other = mensura.bank(LINES, name="sums"), mensura.bank(lines[:limit], name="sums")
    for item in other.bank:
        address = Address(session=3, item=item.hash)
        first, second = (
            take(test, chance(test), seed=7, address=address, parameters={"shuffle": shuffle})
            for test in (usual, other)
        )
        assert first.record.given() == second.record.given()
        assert shown(asks_of(usual, item=item.hash, shuffle=shuffle)) == shown(
            asks_of(other, item=item.hash, shuffle=shuffle)
        )
    # In one conversation a subject's own chance goes on from ask to ask, but what is asked stays.
    whole, part = asks_of(usual, shuffle=shuffle), asks_of(other, shuffle=shuffle)
    assert shown(part) == {key: value for key, value in shown(whole).items() if key in part}
    assert list(part) == [item.key for item in other.bank]


def test_answers_of_chance_differ_between_items_and_sessions():
    test = mensura.bank([{"prompt": f"{i}?", "options": list("abcdefgh")} for i in range(40)])
    answers = [
        tuple(
            take(test, chance(test), seed=1, address=Address(session=session, item=item.hash)).record.answers[0].value
            for item in test.bank
        )
        for session in range(2)
    ]
    assert answers[0] != answers[1]
    assert len(set(answers[0])) > 4


def test_shuffled_options_are_the_same_options_and_keep_their_answer_and_hash():
    test = mensura.bank(LINES, name="sums")
    orders = set()
    for item in test.bank:
        (ask,) = asks_of(test, item=item.hash, shuffle=True).values()
        assert sorted(ask.space.options) == sorted(item.space.options)
        assert shown(asks_of(test, item=item.hash, shuffle=True)) == {ask.key: (ask.prompt, ask.space.data())}
        orders.add(tuple(item.space.options.index(option) for option in ask.space.options))
    assert len(orders) > 4
    taken = take(test, lambda ask: ask.space.options[0], seed=1, parameters={"shuffle": True})
    assert taken.truths == {item.key: item.answer for item in test.bank}
    plain = asks_of(test)
    assert [ask.space for ask in plain.values()] == [item.space for item in test.bank]


def test_a_seed_and_a_session_shuffle_otherwise():
    test = mensura.bank(LINES, name="sums")
    assert shown(asks_of(test, seed=1, shuffle=True)) != shown(asks_of(test, seed=2, shuffle=True))
    assert shown(asks_of(test, seed=1, shuffle=True)) == shown(asks_of(test, seed=1, shuffle=True))


def test_what_is_scored_names_items_by_content_whether_shuffled_or_not():
    test = mensura.bank(LINES, name="sums")
    ids = []
    for shuffle in (False, True):
        taken = take(test, chance(test), seed=1, parameters={"shuffle": shuffle})
        items = score_record(test, taken.record, taken.truths).values["accuracy"]
        ids.append(items.ids)
        assert items.groups == tuple(item.group for item in test.bank)
    assert ids[0] == ids[1]
    assert len(set(ids[0])) == COUNT


def test_a_choice_is_asked_for_its_probabilities_and_stays_the_same_item():
    test = mensura.bank(MIXED, name="mixed")
    plain, elicited = asks_of(test), asks_of(test, elicit="probabilities")
    assert [ask.space.kind for ask in elicited.values()] == [
        "distribution",
        "distribution",
        "number",
        "text",
        "probability",
        "text",
    ]
    assert list(elicited) == list(plain)
    assert elicited[test.bank.items[0].key].space.options == ("a", "b", "c")
    permuted = asks_of(test, elicit="probabilities", shuffle=True)
    choices = asks_of(test, shuffle=True)
    assert [ask.space.options for ask in permuted.values() if ask.space.kind == "distribution"] == [
        ask.space.options for ask in choices.values() if ask.space.kind == "choice"
    ]
    with pytest.raises(BadParameter, match="--elicit takes answers or probabilities; got 'odds'"):
        test.fill({"elicit": "odds"})


@pytest.mark.parametrize(
    ("shares", "accuracy"),
    [((0.5, 0.2, 0.2, 0.1), 0), ((0.1, 0.6, 0.2, 0.1), 1), ((0.4, 0.4, 0.1, 0.1), 0.5), ((0.25,) * 4, 0.25)],
)
def test_probabilities_are_scored_as_forecasts_with_the_accuracy_of_the_likeliest_beside_them(shares, accuracy):
    test = mensura.bank(LINES[:1], name="sums")
    truth = LINES[0]["options"].index(LINES[0]["answer"])
    taken = take(
        test,
        lambda ask: dict(zip(ask.space.options, shares, strict=True)),
        seed=1,
        address=Address(item=test.bank.items[0].hash),
        parameters={"elicit": "probabilities"},
    )
    scores = score_record(test, taken.record, taken.truths)
    assert {name: value.values.tolist() for name, value in scores.values.items()} == {
        "logarithmic_score": [pytest.approx(log(shares[truth]) + log(4))],
        "quadratic_score": [pytest.approx(shares[truth] - sum(p * p for p in shares) / 2 - 1 / 8)],
        "accuracy": [accuracy],
    }
    refused = take(test, lambda ask: Refused(""), seed=1, parameters={"elicit": "probabilities"})
    assert score_record(test, refused.record, refused.truths).values["accuracy"].values.tolist() == [0]


def test_what_is_elicited_pairs_with_choices_item_by_item(tmp_path):
    first_option = lambda ask: ask.space.options[0]  # noqa: E731
    even = lambda ask: dict.fromkeys(ask.space.options, 0.25)  # noqa: E731
    with mensura.open_store(tmp_path / "x.db") as store:
        choices = mensura.run(mensura.bank(LINES[:3], name="sums"), first_option, store=store)
        asked = {"elicit": "probabilities", "shuffle": True}
        shares = mensura.run(mensura.bank(LINES[:3], name="sums"), even, store=store, parameters=asked)
        for pair in ((choices, shares), (shares, choices)):
            found = mensura.compare(*pair, store=store).findings["accuracy"]
            assert found.paired
            assert {round(found.first.value, 3), round(found.second.value, 3)} == {0.0, 0.25}


def test_the_order_of_items_is_recorded_and_changes_no_answer(tmp_path):
    path = write(tmp_path / "items.jsonl", LINES)
    with mensura.open_store(tmp_path / "x.db") as store:
        runs = [
            mensura.run(path, "chance", store=store, seed=1, sessions=2, parameters={"order": order, "shuffle": True})
            for order in ("file", "shuffled", "shuffled")
        ]
        orders = [[session.address for session in store.sessions.of(one.ids[0])] for one in runs]
        given = [
            {record.session.partition("/")[2]: record.given() for record in store.records.of(one.ids[0])}
            for one in runs
        ]
        assert [one.result.head.parameters["order"] for one in runs] == ["file", "shuffled", "shuffled"]
    assert given[0] == given[1]
    begun = [[address.item for address in order[:COUNT]] for order in orders]
    assert begun[0] != begun[1] == begun[2]
    assert sorted(begun[0]) == sorted(begun[1])
    assert [address.item for address in orders[1][COUNT:]] != begun[1]


def test_in_one_conversation_the_order_is_drawn_by_the_seed_and_asks_the_same():
    test = mensura.bank(LINES, name="sums")
    plain, shuffled = asks_of(test, shuffle=True), asks_of(test, shuffle=True, order="shuffled")
    assert list(plain) != list(shuffled)
    assert shown(plain) == shown(shuffled)
    assert list(asks_of(test, order="shuffled", seed=2)) != list(asks_of(test, order="shuffled", seed=3))


@pytest.mark.parametrize("together", [False, True])
def test_the_order_in_which_options_stood_is_in_the_record_of_every_item(tmp_path, together):
    seen = {}

    def watching(ask):
        seen[ask.key] = list(ask.space.options)
        return ask.space.options[0]

    with mensura.open_store(tmp_path / "x.db") as store:
        options = RunOptions(selection=Selection(together=together))
        done = mensura.run(
            mensura.bank(LINES, name="sums"), watching, store=store, parameters={"shuffle": True}, options=options
        )
        kept = {
            answer.key: record.content(answer.number)["space"]["options"]
            for record in store.records.of(done.ids[0])
            for answer in record.answers
        }
    assert len(kept) == COUNT
    assert kept == seen


def test_a_file_is_a_test_in_one_line(tmp_path):
    path = write(tmp_path / "My Items.jsonl", LINES)
    test = find_test(path)
    assert (test.id, test.about) == ("my-items-v1", "Answer the 12 items of my-items.")
    assert list(test.parameters) == ["shuffle", "elicit", "order", "adaptive", "precision"]
    assert mensura.bank(path).bank.hash == test.bank.hash == mensura.bank(LINES).bank.hash
    assert mensura.bank(tmp_path / "My Items.jsonl", name="other", space="choice").id == "other-v1"
    assert mensura.bank([{"prompt": "?", "answer": 1}]).about == "Answer the 1 item of bank."


def test_a_file_is_read_once_and_anew_when_it_has_changed(tmp_path, monkeypatch):
    path = write(tmp_path / "items.jsonl", LINES)
    test = find_test(path)
    assert find_test(path) is test
    monkeypatch.chdir(tmp_path)
    assert find_test("./items.jsonl").bank.hash == test.bank.hash
    changed = [{**LINES[0], "answer": "0"}, *LINES[1:]]
    write(tmp_path / "items.jsonl", changed)
    # The same size, and perhaps written within one tick of the file system's clock.
    os.utime(path, ns=(1, 1))
    again = find_test(path)
    assert again is not test
    assert again.bank.items[0].hash == test.bank.items[0].hash
    assert instance_hash(again, {}) != instance_hash(test, {})
    os.remove(path)
    with pytest.raises(BadFile, match="cannot be read: No such file"):
        find_test(path)


def test_one_name_in_two_folders_is_two_files(tmp_path, monkeypatch):
    hashes = []
    for folder, lines in (("one", LINES[:2]), ("two", LINES[2:4])):
        (tmp_path / folder).mkdir()
        write(tmp_path / folder / "items.jsonl", lines)
        os.utime(tmp_path / folder / "items.jsonl", ns=(1, 1))
        monkeypatch.chdir(tmp_path / folder)
        hashes.append(find_test("items.jsonl").bank.hash)
    assert hashes[0] != hashes[1]


def test_a_bank_in_a_python_file_is_its_only_test(tmp_path):
    path = tmp_path / "mine.py"
    path.write_text("import mensura\nsums = mensura.bank([{'prompt': '1 + 1?', 'answer': 2}], name='sums')\n")
    assert find_test(str(path)).id == find_test(f"{path}:sums").id == "sums-v1"


def answered(test, item):
    """Let chance take an item; at the top of the module, for processes."""
    return take(test, chance(test), seed=5, address=Address(item=item), parameters={"shuffle": True}).record.given()


@pytest.mark.parametrize("kind", ["file", "data", "function"])
def test_a_bank_can_be_pickled_before_and_after_use(tmp_path, kind):
    source = {"file": write(tmp_path / "sums.jsonl", LINES), "data": LINES, "function": lambda: iter(LINES)}[kind]
    test = mensura.bank(source, name="sums")
    item = test.bank.items[3].hash
    copies = [pickle.loads(pickle.dumps(test))]
    expected = answered(test, item)
    copies.append(pickle.loads(pickle.dumps(test)))
    for copy in copies:
        assert (copy.id, copy.about, copy.fill()) == (test.id, test.about, test.fill())
        assert answered(copy, item) == expected


@pytest.mark.parametrize("parameters", [{}, {"shuffle": True}, {"elicit": "probabilities", "order": "shuffled"}])
@pytest.mark.parametrize("lines", [LINES, MIXED], ids=["choices", "mixed"])
def test_a_bank_keeps_the_contract(lines, parameters):
    report = check_test(mensura.bank(lines, name="sums"), options=CheckOptions(sessions=10), **parameters)
    assert report.passed, str(report)


def test_a_file_whose_first_option_is_always_right_does_not_unless_it_is_shuffled():
    told = [{**line, "prompt": f"Question {'x' * i}", "answer": 0} for i, line in enumerate(LINES)]
    report = check_test(mensura.bank(told), options=CheckOptions(sessions=3))
    assert "number 1 of every ask holds its right answer" in str(report.failed[0])
    assert check_test(mensura.bank(told), options=CheckOptions(sessions=3), shuffle=True).passed


@pytest.mark.parametrize(
    ("lines", "levels"),
    [
        (LINES, {"accuracy": 0.25}),
        ([{"prompt": "?", "answer": True}, {"prompt": "!", "options": ["a", "b"], "answer": 0}], {"accuracy": 0.5}),
        ([*LINES, {"prompt": "?", "answer": True}], {}),
        ([*LINES, {"prompt": "?", "answer": "text"}], {}),
        ([*LINES, {"prompt": "?"}], {"accuracy": 0.25}),
        ([{"prompt": "?", "answer": 4}], {}),
        ([{"prompt": "?", "space": {"kind": "action", "names": ["l", "r"]}, "answer": "r"}], {"accuracy": 0.5}),
        (
            [{"prompt": "?", "answer": True, "space": "probability"}],
            {"logarithmic_score": log(2) - 1, "quadratic_score": -1 / 12},
        ),
        (
            [{"prompt": "?", "answer": "a", "options": ["a", "b"], "space": "distribution"}],
            {"accuracy": 0.5, "logarithmic_score": log(2) - 1, "quadratic_score": -1 / 12},
        ),
        (
            [
                {"prompt": "?", "answer": "a", "options": ["a", "b", "c"], "space": "distribution"},
                {"prompt": "?", "answer": True, "space": "probability"},
            ],
            {"accuracy": 1 / 3},
        ),
    ],
)
def test_chance_has_a_level_where_it_is_that_of_every_item(lines, levels):
    assert mensura.bank(lines).chance_levels({}) == pytest.approx(levels)


def test_a_selection_is_a_test_of_its_own():
    test = mensura.bank(LINES, name="sums")
    part = bank_test(test.bank.where({"tag": "odd"}, limit=3))
    assert part.id == "sums-v1"
    assert list(asks_of(part)) == [item.key for item in test.bank if "odd" in item.tags][:3]
    assert instance_hash(part, {}) != instance_hash(test, {})


def test_what_the_package_exports():
    assert mensura.Item is Item
    assert mensura.bank([mensura.Item("?", Text(), "x")]).bank.items[0].answer == "x"
    assert {"Bank", "Item", "Score", "bank"} <= set(mensura.__all__)
