"""Accounting: whatever was asked is counted, and leaving out never pays."""

import json

import pytest

from mensura.dialogue import Abstained, Ask, Items, Number, Refused, Score, Wait, test
from mensura.errors import SubjectLost
from mensura.running.plan import Plan, planned_addresses
from mensura.running.results.counting import Counted
from mensura.running.results.summary import summarise_run
from mensura.running.run import RunOptions, carry_out, run
from mensura.store.archive.export import export_run
from tests.running.fixed_items import FIXED, LETTERS, accuracy, mostly_right, number_of


def test_refusing_the_hard_items_does_not_pay(store):
    def easy_only(ask):
        return "a" if number_of(ask) < 5 else Refused("too hard")

    found = accuracy(run(FIXED, easy_only, store=store))
    assert found.estimate.value == 0.1
    assert found.estimate.n == 50
    assert found.answered.value == 1
    assert found.answered.n == 5
    assert found.tally == {"answered": 5, "refused": 45}
    assert "5 answered, 45 refused" in found.account


def test_whoever_does_not_know_is_counted_apart_from_whoever_refuses(store):
    def honest(ask):
        return "a" if number_of(ask) < 40 else Abstained("I do not know") if number_of(ask) < 45 else Refused()

    found = accuracy(run(FIXED, honest, store=store))
    assert found.tally == {"answered": 40, "refused": 5, "abstained": 5}
    assert found.estimate.value == 0.8


@pytest.mark.parametrize(
    ("fails", "status"),
    [
        (lambda: 1 / 0, "crashed"),
        (lambda: "neither a nor b", "invalid"),
    ],
)
def test_a_session_that_dies_keeps_what_it_earned_and_hides_no_item(store, fails, status):
    def dies(ask):
        return "a" if number_of(ask) < 11 else fails()

    result = run(FIXED, dies, store=store)
    assert result.counts[status] == 1
    found = accuracy(result)
    assert found.tally == {"answered": 11, status: 39}
    assert found.estimate.value == pytest.approx(0.22)
    assert found.answered.value == 1
    # The subject's own failure is an outcome: it is not tried again.
    again = carry_out(
        result.head, planned_addresses(result.head, 1), plan=Plan.of(FIXED, "chance"), store=store, options=RunOptions()
    )
    assert (again.counts, accuracy(again).tally) == (result.counts, found.tally)


def test_asks_with_deadlines_are_gone_through_too_when_a_subject_dies(store):
    @test("timed-v1")
    def timed(rng, *, clock):
        for number in range(5):
            yield Ask(f"Question {number}", LETTERS, key=f"q{number}", truth="a", until=10 * (number + 1))

    def dies(ask):
        if number_of(ask) == 2:
            raise ValueError("no")
        return "a"

    assert accuracy(run(timed, dies, store=store)).tally == {"answered": 2, "crashed": 3}
    assert accuracy(run(timed, lambda ask: Wait(), store=store)).tally == {"timed_out": 5}


def test_a_subject_cannot_call_its_own_failure_a_loss(store):
    def clever(ask):
        if number_of(ask) >= 5:
            raise SubjectLost("Nobody's fault.")
        return "a"

    found = accuracy(run(FIXED, clever, store=store))
    assert found.tally == {"answered": 5, "crashed": 45}


def test_sessions_that_are_not_over_are_spoken_of(store):
    def stops(ask):
        if number_of(ask) == 3:
            raise KeyboardInterrupt
        return "a"

    run(FIXED, mostly_right, store=store)
    with pytest.raises(KeyboardInterrupt):
        run(FIXED, stops, store=store, sessions=2)
    head = store.runs.find("last")
    finished = store.results.of(store.runs.find("last~1").id)
    scores = {f"{head.id}/0.0.0": next(iter(finished.values()))}
    found = summarise_run(head, store=store, counting=Counted(head, scores, {})).estimated["accuracy"]
    assert found.pending == 2
    assert "2 unfinished sessions are not in it" in found.account


def test_what_a_scoring_leaves_out_is_counted_all_the_same(store):
    def hiding(record, truths):
        given = [answer for answer in record.answers if answer.status == "answered"]
        return {"right": Items([answer.value == truths[answer.key] for answer in given], [a.key for a in given])}

    hidden = test("hidden-v1", score=hiding, scores=[Score("right", better="more", proportion=True)])(FIXED.function)
    found = run(hidden, lambda ask: "a" if number_of(ask) < 5 else Refused(), store=store).estimated["right"]
    assert found.tally == {"answered": 5, "refused": 45}
    assert found.estimate.value == 0.1


@pytest.mark.parametrize("value", ["good", None, 1j, [1]])
def test_a_scoring_that_gives_no_number_is_named(store, value):
    odd = test("odd-v1", score=lambda record, truths: {"x": value}, scores=[Score("x", better="more")])(FIXED.function)
    result = run(odd, mostly_right, store=store)
    assert result.estimated == {}
    assert "a score is a number" in result.last_words[0]


def test_a_score_without_a_worst_value_says_that_leaving_out_may_pay(store):
    @test("sizes-v1")
    def sizes(rng):
        for number in range(10):
            yield Ask(f"Question {number}", Number(), key=f"q{number}", truth=3)

    found = run(sizes, lambda ask: 3 if number_of(ask) < 4 else Refused(), store=store).estimated["absolute_error"]
    assert found.tally == {"answered": 4, "refused": 6}
    assert "6 unanswered items count for nothing" in found.estimate.note


def test_a_number_with_bounds_is_as_far_off_as_it_can_be_where_it_is_not_given(store):
    @test("bounded-v1")
    def bounded(rng):
        for number in range(4):
            yield Ask(f"Question {number}", Number(0, 10), key=f"q{number}", truth=3)

    found = run(bounded, lambda ask: 3 if number_of(ask) < 2 else Refused(), store=store).estimated["absolute_error"]
    assert found.estimate.value == 5
    assert (found.score.low, found.score.high) == (0, 10)
    assert 0 <= found.estimate.low <= found.estimate.high <= 10


def test_what_the_network_lost_counts_for_nobody_and_is_tried_again(store, chat_model):
    def question(request):
        return int(request["messages"][-1]["content"].split()[1])

    chat_model.answer = lambda request: "a" if question(request) % 2 else "b"
    chat_model.left = 39
    subject = f"{chat_model.name}#retries=0"
    result = run(FIXED, subject, store=store)
    assert result.counts["lost"] == 1
    found = accuracy(result)
    assert found.tally == {"answered": 39, "lost": 11}
    assert found.estimate.n == 39
    assert found.estimate.value == pytest.approx(19 / 39)
    assert found.span == (pytest.approx(19 / 50), pytest.approx(30 / 50))
    assert "with what was lost 0.38 at worst and 0.6 at best" in found.account
    chat_model.left = None
    head = store.runs.find("last")
    events = store.events.of(f"{head.id}/0.0.0")
    plan = Plan.of(FIXED, subject)
    again = carry_out(head, planned_addresses(head, 1), plan=plan, store=store, options=RunOptions())
    assert again.counts["finished"] == 1
    assert accuracy(again).tally == {"answered": 50}
    assert accuracy(again).estimate.value == 0.5
    assert store.events.of(f"{head.id}/0.0.0")[: len(events)] == events
    assert [question(request) for request in chat_model.requests] == list(range(50))


def test_tables_for_analysis_carry_outcome_content_and_declaration(store, tmp_path):
    run(FIXED, lambda ask: "a" if number_of(ask) < 5 else Refused(), store=store)
    export_run(store, "last", tmp_path, format="jsonl")
    rows = [json.loads(line) for line in (tmp_path / "results.jsonl").read_text().splitlines()]
    assert [row["outcome"] for row in rows] == ["answered"] * 5 + ["refused"] * 45
    assert len({row["content"] for row in rows}) == 50
    assert {(row["better"], row["low"], row["high"]) for row in rows} == {("more", 0.0, 1.0)}
