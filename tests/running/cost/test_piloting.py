"""The pilot: what all sessions will take, said from a few, and how near that comes."""

import json
from zlib import crc32

import numpy as np
import pytest

from mensura.catalog.bank.dialogue import bank
from mensura.errors import BadParameter
from mensura.running.cost.piloting import pilot_cost
from mensura.running.plan import Plan
from mensura.running.run import RunOptions, resume_run
from mensura.store import open_store

PRICES = "#price_in=2#price_out=8"


@pytest.fixture
def store(tmp_path):
    with open_store(str(tmp_path / "x.db")) as opened:
        yield opened


def words(request):
    return " ".join(message["content"] for message in request["messages"])


def tokens(request):
    """Count as a tokenizer does: some of every word, and a template around each message; output is skewed."""
    said = words(request)
    read = sum(1 + len(word) // 5 for word in said.split()) + 7 * len(request["messages"])
    chance = np.random.default_rng(crc32(said.encode()))
    return read, int(5 + chance.exponential(20))


def items(many, *, seed=3):
    rng = np.random.default_rng(seed)
    for number in range(many):
        length = int(rng.integers(5, 120))
        prompt = " ".join("x" * int(size) for size in rng.integers(1, 12, length))
        yield {"prompt": f"{number}: {prompt}?", "answer": "yes"}


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "items.jsonl").write_text("".join(f"{json.dumps(item)}\n" for item in items(120)))
    return "./items.jsonl"


def test_a_pilot_tells_the_whole_and_the_rest_of_the_run_goes_on(chat_model, store, file):
    """The acceptance: prompt tokens within 5 %, cost within 20 %, of what the server itself counted."""
    counted = []

    def usage(request):
        counted.append(tokens(request))
        return counted[-1]

    chat_model.usage, chat_model.answer = usage, lambda request: "yes"
    plan = Plan.of(file, f"{chat_model.name}{PRICES}")
    cost = pilot_cost(plan, pilot=20, store=store, sessions=1, seed=2, options=RunOptions())
    assert len(chat_model.requests) == 20
    assert cost.sessions == cost.asks == 120
    result = resume_run(cost.run, store=store)
    assert len(chat_model.requests) == 120
    assert len({words(request) for request in chat_model.requests}) == 120
    assert result.counts["finished"] == 120
    read, written = (sum(column) for column in zip(*counted, strict=True))
    paid = (2 * read + 8 * written) / 1e6
    assert cost.tokens_in.value == pytest.approx(read, rel=0.05)
    assert cost.money.value == pytest.approx(paid, rel=0.2)
    assert cost.tokens_out.low < written < cost.tokens_out.high
    assert cost.money.low < paid < cost.money.high
    assert result.spent["cost"] == pytest.approx(paid)
    assert f"pilot is stored as {cost.run}" in str(cost)


def test_a_server_that_counts_nothing_leaves_the_cost_unknown(chat_model, store, file):
    chat_model.usage, chat_model.answer = lambda request: None, lambda request: "yes"
    cost = pilot_cost(
        Plan.of(file, f"{chat_model.name}{PRICES}"), pilot=3, store=store, sessions=1, seed=2, options=RunOptions()
    )
    assert (cost.tokens_in, cost.tokens_out, cost.money) == (None, None, None)
    assert "of which 0 said" in cost.basis


def test_a_pilot_is_a_part_of_the_run(chat_model, store):
    test = bank([{"prompt": "Now?", "answer": "yes"}, {"prompt": "Then?", "answer": "yes"}], name="two")
    with pytest.raises(BadParameter, match="some of the 2 sessions; 20 are asked for"):
        pilot_cost(Plan.of(test, chat_model.name), pilot=20, store=store, sessions=1, options=RunOptions())
