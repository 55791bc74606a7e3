"""The dry run: what a run would take, from the very requests that it would send."""

import json

import pytest

from mensura.catalog.bank.dialogue import bank
from mensura.catalog.find import find_test
from mensura.errors import UnknownName
from mensura.running.cost.forecast import forecast_cost
from mensura.running.plan import read_cast
from mensura.running.run import run
from mensura.store import open_store
from mensura.subjects import SubjectSpec

MODEL = "llm:some-model@http://localhost:1/v1"


def cost_of(name, cast, *, sessions=10, **parameters):
    test = find_test(name)
    values = test.fill(parameters)
    roles = test.cast_roles(values)
    return forecast_cost(test, read_cast(cast, roles=roles), sessions=sessions, parameters=values)


def test_sessions_and_asks_are_multiplied_from_one_rehearsal():
    cost = cost_of("coin", "chance", sessions=50, flips=7)
    assert (cost.sessions, cost.asks, cost.tokens_in) == (50, 350, None)
    assert cost.minutes > 0
    assert "one session rehearsed" in cost.basis


def test_what_a_conversation_repeats_is_counted_again():
    """Twenty questions in one conversation: each is read again with every later one."""
    few, many = (cost_of("coin", MODEL, flips=flips).tokens_in.value for flips in (5, 20))
    assert many > 8 * few


def test_what_is_written_is_unknown_before_a_pilot_and_bounded_by_the_settings():
    unknown = cost_of("coin", MODEL, sessions=2)
    assert (unknown.tokens_out, unknown.money) == (None, None)
    assert "tokens written: unknown; cost: unknown" in str(unknown)
    bounded = cost_of("coin", f'{MODEL}#price_in=1#price_out=10#settings={{"max_tokens":50}}', sessions=2)
    assert bounded.tokens_out.high == 2 * 20 * 50
    prompt = bounded.tokens_in.value / 1e6
    assert bounded.money.low == pytest.approx(prompt)
    assert bounded.money.high == pytest.approx(prompt + 2000 * 10 / 1e6)
    assert "cost: unknown, at most 0.0" in str(bounded)


def test_only_the_roles_that_a_model_plays_cost_tokens():
    one = cost_of("dilemma", {"first": MODEL, "second": "defect"})
    both = cost_of("dilemma", MODEL)
    assert one.asks == both.asks
    assert both.tokens_in.value == pytest.approx(2 * one.tokens_in.value, rel=0.1)


def test_a_forecast_is_said_in_words_and_as_json():
    cost = cost_of("coin", MODEL, sessions=2)
    assert set(cost.as_json()) == {"sessions", "asks", "minutes", "tokens_in", "tokens_out", "cost", "basis"}
    assert str(cost).startswith("2 sessions, about 40 asks, ")
    assert str(cost).endswith("Nothing was run.")
    assert "4 characters a token" in cost.basis


def test_a_misspelt_subject_is_refused_before_the_rehearsal():
    with pytest.raises(UnknownName, match="Did you mean chance"):
        cost_of("coin", "chanse")


def test_people_are_no_error():
    assert cost_of("coin", "human").tokens_in is None


def test_items_of_a_bank_that_are_left_out_cost_nothing():
    test = bank([{"prompt": f"{'x' * 96} {number:03}", "answer": "yes"} for number in range(40)], name="many")
    cast = {"subject": SubjectSpec(MODEL)}
    hashes = [item.hash for item in test.bank]
    few, all_of_them = (
        forecast_cost(test, cast, sessions=2, parameters=test.fill(), items=items) for items in (hashes[:5], hashes)
    )
    assert (few.sessions, few.asks) == (10, 10)
    assert (all_of_them.sessions, all_of_them.asks) == (80, 80)
    assert all_of_them.tokens_in.value == pytest.approx(8 * few.tokens_in.value, rel=0.01)


def test_the_characters_are_those_that_are_really_sent(chat_model, tmp_path):
    """Counted again from what a server received: messages and schema, in whatever form they came."""
    test = bank([{"prompt": f"{'word ' * number}?", "answer": "yes"} for number in range(1, 9)], name="words")
    chat_model.answer = lambda request: "yes"
    with open_store(str(tmp_path / "x.db")) as store:
        run(test, chat_model.name, store=store, seed=1)
    sent = 0
    for request in chat_model.requests:
        sent += sum(len(message["content"]) for message in request["messages"])
        schema = request["response_format"]["json_schema"]["schema"]
        sent += len(json.dumps(schema, separators=(",", ":"), ensure_ascii=False))
    hashes = [item.hash for item in test.bank]
    cast = {"subject": SubjectSpec(chat_model.name)}
    cost = forecast_cost(test, cast, sessions=1, parameters=test.fill(), items=hashes)
    assert cost.tokens_in.value * 4 == sent
