"""The dry run: what a run would take, said before anything is spent."""

import pytest

from mensura.catalog.bank.dialogue import bank
from mensura.catalog.find import find_test
from mensura.errors import UnknownName
from mensura.running.forecast import forecast_cost
from mensura.running.run import read_cast
from mensura.subjects import SubjectSpec

MODEL = "llm:some-model@http://localhost:1/v1"


def cost_of(name, cast, *, sessions=10, **parameters):
    test = find_test(name)
    values = test.fill(parameters)
    roles = test.cast_roles(values)
    return forecast_cost(test, read_cast(cast, roles=roles), sessions=sessions, parameters=values)


def test_sessions_and_asks_are_multiplied_from_one_rehearsal():
    cost = cost_of("coin", "chance", sessions=50, flips=7)
    assert (cost.sessions, cost.asks, cost.tokens) == (50, 350, None)
    assert cost.minutes > 0
    assert "rehearsal by the chance subject" in cost.basis


def test_language_models_cost_tokens_and_time_by_a_stated_assumption():
    few, many = (cost_of("coin", MODEL, sessions=sessions) for sessions in (10, 20))
    assert many.tokens == 2 * few.tokens
    assert few.tokens > 10 * 20 * 100
    assert few.minutes == pytest.approx(200 * 2 / 60)
    assert "assumed per call" in few.basis


def test_only_the_roles_that_a_model_plays_cost_tokens():
    one = cost_of("dilemma", {"first": MODEL, "second": "defect"})
    both = cost_of("dilemma", MODEL)
    assert one.asks == both.asks
    assert one.tokens == pytest.approx(both.tokens / 2, abs=1)


def test_a_forecast_is_said_in_words_and_as_json():
    cost = cost_of("coin", MODEL, sessions=2)
    assert set(cost.as_json()) == {"sessions", "asks", "minutes", "tokens", "basis"}
    assert str(cost).startswith("2 sessions, about 40 asks, ")
    assert str(cost).endswith("Nothing was run.")


def test_a_misspelt_subject_is_refused_before_the_rehearsal():
    with pytest.raises(UnknownName, match="Did you mean chance"):
        cost_of("coin", "chanse")


def test_people_are_no_error():
    assert cost_of("coin", "human").tokens is None


def test_items_of_a_bank_that_are_left_out_cost_nothing():
    items = [{"prompt": f"{'x' * 96} {number:03}", "answer": "yes"} for number in range(40)]
    test = bank(items, name="many")
    cast = {"subject": SubjectSpec("llm:small@http://127.0.0.1:1/v1")}
    few, all_of_them = (forecast_cost(test, cast, sessions=2, parameters=test.fill(), items=items) for items in (5, 40))
    assert (few.sessions, few.asks) == (10, 10)
    assert (all_of_them.sessions, all_of_them.asks) == (80, 80)
    # A hundred characters of prompt are 25 tokens, and a hundred tokens beyond it are assumed.
    assert few.tokens == pytest.approx(10 * 125, rel=0.02)
    assert all_of_them.tokens == pytest.approx(8 * few.tokens, rel=0.01)
