"""Listed prices: of a date, at their maker's own address, and never zero where none is listed."""

from datetime import date
from pathlib import Path

import pytest
import yaml

from mensura.dialogue import Ask, Probability, test
from mensura.subjects import SubjectSpec
from mensura.subjects.model.cost import prices
from mensura.subjects.model.cost.rehearsal import Rehearsal
from mensura.subjects.model.cost.spending import Spending


@test("even-v1")
def even(rng):
    """Say the chance of heads."""
    yield Ask("Heads?", Probability())


@pytest.fixture(autouse=True)
def at_home(monkeypatch):
    for name in ("OPENAI_BASE_URL", "ANTHROPIC_BASE_URL"):
        monkeypatch.delenv(name, raising=False)


def manner(name, **options):
    return SubjectSpec(name, options).make(even, spending=Spending(rehearsal=Rehearsal())).manner


def test_a_listed_model_is_priced_and_says_as_of_when():
    found = manner("llm:claude-sonnet-4-5-20250929", api="messages")
    assert (found.price_in, found.price_out) == (3.0, 15.0)
    assert found.priced.startswith("list price as of 20")


def test_given_prices_win_over_listed_ones():
    found = manner("llm:gpt-4o", price_in=1, price_out=2)
    assert (found.price_in, found.price_out, found.priced) == (1, 2, "")


@pytest.mark.parametrize("name", ["llm:gpt-4o@http://localhost:8000/v1", "llm:gpt-9", "llm:gpt-4o-audio-preview"])
def test_what_is_not_listed_is_not_known(name):
    found = manner(name)
    assert found.price_in != found.price_in
    assert found.priced == ""


def test_the_table_has_a_date_sources_and_prices_above_zero():
    table = yaml.safe_load(Path(prices.__file__).with_name("prices.yaml").read_text())
    assert isinstance(table["date"], date)
    for provider in table["providers"].values():
        assert provider["source"].endswith(".")
        for model in provider["models"].values():
            assert 0 < model["in"] < model["out"]
            assert model["batch"]["in"] < model["in"]
