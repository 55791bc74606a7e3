"""Reducing: epochs of a bank inside the item, in runs, comparisons and reports; cached answers count once."""

import json

import pytest

import mensura
from mensura.dialogue import Noted, Refused
from mensura.errors import BadParameter
from mensura.report.runs import build_report
from mensura.running.results.compare import compare_runs
from mensura.running.results.summary import summarise_run
from mensura.running.run import RunOptions, resume_run, run
from mensura.running.scoring.rescore import rescore
from mensura.stats import pass_at_k

COUNT = 12


def bank(count=COUNT, **parts):
    lines = [{"prompt": f"Item {i}", "options": ["a", "b", "c"], "answer": "a", **parts} for i in range(count)]
    return mensura.bank(lines, name="items")


class Scripted:
    """Answers the items by a table: item → its answers in the order of the epochs."""

    def __init__(self, table, cached=()):
        self.table, self.asked, self.cached = table, {}, cached

    def __call__(self, ask):
        item = int(ask.prompt.split()[-1])
        epoch = self.asked[item] = self.asked.get(item, -1) + 1
        said = self.table(item)[epoch]
        value = Refused("no") if said == "-" else said
        return Noted(value, {"cached": True}) if (item, epoch) in self.cached else value


def value(result, score="accuracy"):
    return result.scores[score].value


def test_each_reducer_makes_one_number_of_the_answers_to_an_item(store):
    # Right answers of five: 0, 1, 2, 3, 4, 5, 0, ...; wrong ones are all different or the same.
    table = lambda item: ("a" * (item % 6) + "bcbcb")[:5]  # noqa: E731
    done = run(bank(), Scripted(table), store=store, sessions=5)
    right = [min(item % 6, 5) for item in range(COUNT)]
    head = store.runs.find(done.head.id)
    expected = {
        "mean": sum(right) / 5 / COUNT,
        "pass@1": sum(right) / 5 / COUNT,
        "pass@3": sum(pass_at_k(c, n=5, k=3) for c in right) / COUNT,
        "at-least@2": sum(c >= 2 for c in right) / COUNT,
        # bcbcb: b; abcbc: b and c twice; aabcb: a and b twice; from three right ones on: a.
        "majority": sum([0, 0, 0.5, 1, 1, 1][c] for c in right) / COUNT,
    }
    for name, wanted in expected.items():
        found = summarise_run(head, store=store, reduce=name).estimated["accuracy"]
        assert found.estimate.value == pytest.approx(wanted), name
        assert (found.estimate.n, found.estimate.population) == (COUNT, "items")
        assert found.estimate.has_interval
        assert found.sentence.startswith("Generalises to items like these: 12 items, each answered 5 times.")
        assert ("(pass@3)" in found.sentence) == (name == "pass@3")


def test_a_reducer_is_recorded_with_the_run_and_used_wherever_it_is_read(store):
    table = lambda item: "abbbb" if item % 2 else "bbbbb"  # noqa: E731
    options = RunOptions(reduce="pass@2")
    done = run(bank(), Scripted(table), store=store, sessions=5, options=options)
    expected = pass_at_k(1, n=5, k=2) / 2
    assert value(done) == pytest.approx(expected)
    assert done.as_json()["reduce"] == "pass@2"
    assert value(summarise_run(store.runs.find(done.head.id), store=store)) == pytest.approx(expected)
    assert value(mensura.find_runs(done.head.id, store=store, reduce="mean").result) == pytest.approx(0.1)
    report = build_report([done.head.id], store=store)
    assert "accuracy (pass@2)" in json.dumps([one.as_json() for one in report.sections[0].exhibits])
    assert any("--sessions 5" in line and "--reduce pass@2" in line for line in report.sections[0].commands)


def test_scoring_again_can_reduce_otherwise(store, tmp_path):
    path = tmp_path / "items.jsonl"
    path.write_text("\n".join(json.dumps({"prompt": f"Item {i}", "answer": "a"}) for i in range(4)))
    done = run(str(path), Scripted(lambda item: "Ab"), store=store, sessions=2)
    assert value(done) == 0.5
    assert value(rescore(done.head.id, store=store, reduce="pass@2")) == 1.0


def test_two_runs_are_compared_by_the_same_reducer(store):
    first = run(bank(), Scripted(lambda item: "aabbc"), store=store, sessions=5, options=RunOptions(reduce="majority"))
    second = run(bank(), Scripted(lambda item: "aaabc" if item else "bbbbb"), store=store, sessions=5)
    ids = first.head.id, second.head.id
    with pytest.raises(BadParameter, match=r"reduced by majority and .* by mean\. Choose one for both"):
        compare_runs(*ids, store=store)
    with pytest.raises(BadParameter, match="Choose one for both"):
        build_report(ids, store=store)
    found = mensura.compare(*ids, store=store, reduce="majority").findings["accuracy"]
    assert (found.first.value, found.second.value) == (0.5, pytest.approx(11 / 12))
    assert (found.paired, found.difference.n) == (True, COUNT)
    whole = compare_runs(*ids, store=store, reduce="pass@5")
    assert whole.findings["accuracy"].difference.value == pytest.approx(1 / 12)
    assert "each answered 5 times" in whole.generalises["accuracy"]


def test_the_group_stays_the_unit(store):
    done = run(
        bank(group="one passage"),
        Scripted(lambda item: "aab"),
        store=store,
        sessions=3,
        options=RunOptions(reduce="majority"),
    )
    assert (value(done), done.scores["accuracy"].n) == (1.0, 1)


def test_what_was_not_answered_is_an_answer_that_can_win(store):
    done = run(bank(), Scripted(lambda item: "a--"), store=store, sessions=3, options=RunOptions(reduce="majority"))
    assert value(done) == 0
    found = done.estimated["accuracy"]
    assert found.tally == {"answered": COUNT, "refused": 2 * COUNT}
    assert found.answered.value == 1


def test_answers_from_a_cache_count_once(store):
    table = lambda item: "abbbb" if item == 0 else "aaaaa"  # noqa: E731
    again = [(item, epoch) for item in range(COUNT) for epoch in range(1, 5)]
    done = run(bank(), Scripted(table, again), store=store, sessions=5)
    assert value(done) == 1.0
    assert "Left out: 48 answers from a cache, which are not new observations" in done.scores["accuracy"].note
    once = run(bank(), Scripted(lambda item: "a"), store=store)
    assert done.scores["accuracy"].n == once.scores["accuracy"].n
    # The interval is that of one answer to each item, also for these items only.
    ends = [
        (found.low, found.high)
        for one in (done, once)
        for found in [summarise_run(one.head, store=store, generalise="these-items").scores["accuracy"]]
    ]
    assert ends[0] == ends[1]
    passed = summarise_run(done.head, store=store, reduce="pass@1").scores["accuracy"]
    assert passed.value == 1.0
    few = summarise_run(done.head, store=store, reduce="pass@2").scores["accuracy"]
    assert few.n == 0
    assert "Left out: 12 items with fewer than 2 answers that count." in few.note


def test_where_all_answers_of_an_item_come_from_a_cache_the_first_counts(store):
    again = [(item, epoch) for item in range(COUNT) for epoch in range(3)]
    done = run(bank(), Scripted(lambda item: "abb", again), store=store, sessions=3)
    assert value(done) == 1.0


def test_answers_that_are_not_right_or_wrong_keep_their_mean(store):
    guesses = mensura.bank([{"prompt": f"Item {i}", "answer": 4, "space": "number"} for i in range(6)], name="guesses")
    done = run(guesses, Scripted(lambda item: [4, 6]), store=store, sessions=2, options=RunOptions(reduce="pass@2"))
    assert value(done, "absolute_error") == 1
    assert "pass@2 is for answers that are right or wrong; this is the mean." in done.scores["absolute_error"].note


def test_lost_answers_leave_an_item_with_too_few_out(store):
    gone = "http://127.0.0.1:9/nobody"
    item = bank(1)
    done = run(item, gone, store=store, sessions=2, options=RunOptions(reduce="pass@2"))
    found = done.estimated["accuracy"]
    assert (found.tally, found.estimate.n) == ({"lost": 2}, 0)
    assert "Left out: 1 item with fewer than 2 answers that count." in found.estimate.note
    assert found.span == (0.0, 1.0)


@pytest.mark.parametrize(
    ("test", "options", "words"),
    [
        (bank(), RunOptions(reduce="pass@4"), "needs 4 answers to each item, and each is asked 3 times: --sessions 4"),
        ("coin", RunOptions(reduce="majority"), "banks whose items are asked one by one"),
        (bank(), RunOptions(reduce="pass@2", generalise="sessions"), "the item is the unit"),
    ],
)
def test_a_reducer_that_a_run_cannot_have_is_refused_before_anything_is_asked(store, test, options, words):
    with pytest.raises(BadParameter, match=words):
        run(test, "chance", store=store, sessions=3, options=options)


def test_a_reducer_that_a_stored_run_cannot_have_is_refused(store):
    run(bank(), "chance", store=store, sessions=2)
    head = store.runs.find("last")
    with pytest.raises(BadParameter, match="needs 3 answers"):
        summarise_run(head, store=store, reduce="pass@3")
    with pytest.raises(BadParameter, match="the item is the unit"):
        summarise_run(head, store=store, reduce="majority", generalise="these-items")


def test_a_resumed_run_keeps_its_reducer(store, tmp_path):
    path = tmp_path / "items.jsonl"
    path.write_text('{"prompt": "Item 0", "answer": "a"}')
    done = run(str(path), "constant:a", store=store, sessions=2, options=RunOptions(reduce="at-least@1"))
    assert resume_run(done.head.id, store=store).head.details["reduce"] == "at-least@1"
