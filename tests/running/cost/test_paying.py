"""A run within a budget, from a cache, and what is said of requests that may be paid twice."""

import json

import pytest

import mensura
from mensura.errors import BadParameter
from mensura.running.executors import executor
from mensura.running.plan import Selection
from mensura.running.run import RunOptions, resume_run, run
from mensura.store import open_store
from mensura.store.log.deeds import ASKED_AGAIN
from mensura.subjects.model.cost.spending import Spending
from tests.subjects.model.scripted import model_server

ITEMS = 40
FEW = 6
SETTINGS = '#price_in=1#price_out=1000#first_wait=0.001#settings={"max_tokens":20}'
"""A token written costs a thousandth, and an answer at most a fiftieth more than what is read."""
EACH = (10 * 1 + 5 * 1000) / 1e6


@pytest.fixture
def file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    lines = [json.dumps({"prompt": f"Is {number} a number?", "answer": "yes"}) for number in range(ITEMS)]
    (tmp_path / "items.jsonl").write_text("\n".join(lines))
    return "./items.jsonl"


@pytest.fixture
def store(tmp_path):
    with open_store(str(tmp_path / "x.db")) as opened:
        yield opened


@pytest.fixture
def model(chat_model):
    chat_model.answer = lambda request: "yes"
    chat_model.subject = f"{chat_model.name}{SETTINGS}"
    return chat_model


def options(*, concurrency=None, limit=None, **spending):
    chosen = Selection(limit=limit)
    return RunOptions(executor(concurrency=concurrency), selection=chosen, spending=Spending(**spending))


@pytest.mark.parametrize("concurrency", [None, 8])
def test_a_budget_stops_a_run_before_it_is_passed_and_a_higher_one_goes_on(model, store, file, concurrency):
    most = 0.1
    result = run(file, model.subject, store=store, options=options(concurrency=concurrency, most=most))
    asked = len(model.requests)
    assert asked * EACH <= most
    assert most - asked * EACH < 0.03
    assert result.spent["cost"] == pytest.approx(asked * EACH)
    assert result.counts["finished"] == asked
    assert result.estimated
    assert f"{asked} of {ITEMS} sessions are over" in result.stopped
    assert f"mensura resume {result.head.id} --max-cost" in result.stopped
    again = resume_run(result.head.id, store=store)
    assert len(model.requests) == asked
    assert again.stopped
    more = resume_run(result.head.id, store=store, options=options(concurrency=concurrency, most=0.15))
    assert 0.12 < more.spent["cost"] <= 0.15
    whole = resume_run(result.head.id, store=store, options=options(concurrency=concurrency, most=10.0))
    assert (whole.counts["finished"], whole.stopped) == (ITEMS, "")
    assert len(model.requests) == ITEMS
    assert whole.asked_again == 0


def test_answers_of_unknown_cost_count_as_the_dearest_also_when_the_run_is_resumed(model, store, file):
    model.usage = lambda request: None
    result = run(file, model.subject, store=store, options=options(most=0.1))
    asked = len(model.requests)
    # Twenty tokens may have been written each time.
    assert 3 <= asked <= 5
    assert result.spent["cost"] is None
    resume_run(result.head.id, store=store)
    assert len(model.requests) == asked


@pytest.mark.parametrize("body", [{"choices": [], "usage": {}}, b"x" * 3000, b'{"model": "sm'])
def test_a_reply_that_cannot_be_read_may_be_billed_and_counts_also_when_the_run_is_resumed(store, file, body):
    with model_server((200, body, {}, 0)) as server:
        name = f"llm:small@{server.url}{SETTINGS}#retries=0#output_bytes=2000"
        result = run(file, name, store=store, options=options(most=0.1))
        asked = len(server.requests)
        # Twenty tokens may have been written each time.
        assert 3 <= asked <= 5
        assert result.spent["cost"] is None
        resume_run(result.head.id, store=store)
        assert len(server.requests) == asked


def test_a_budget_needs_prices_a_limit_of_answers_a_model_and_one_process(model, store, file):
    for subject, words in [
        (model.name, "what small costs"),
        (f"{model.name}#price_in=1#price_out=2", "how long an answer of small can be"),
        ("chance", "there are none here"),
    ]:
        with pytest.raises(BadParameter, match=words):
            run(file, subject, store=store, options=options(most=1.0))
    with pytest.raises(BadParameter, match="one process"):
        run(file, model.subject, store=store, options=RunOptions(executor("processes:2"), spending=Spending(most=1.0)))
    assert model.requests == []


def test_cached_answers_are_marked_cost_nothing_and_are_asked_once(model, store, file, tmp_path):
    kept = options(limit=FEW, cache=str(tmp_path / "cache"))
    first = run(file, model.subject, store=store, options=kept)
    second = run(file, model.subject, store=store, options=kept)
    assert len(model.requests) == FEW
    assert first.spent["cost"] == pytest.approx(FEW * EACH)
    assert second.spent == {"tokens_in": 0.0, "tokens_out": 0.0, "cost": 0.0, "cached": FEW}
    assert second.scores["accuracy"].value == first.scores["accuracy"].value
    notes = store.events.of(store.sessions.of(second.head.id)[0].id)[1].notes
    assert notes["cached"] is True
    run(file, f"{model.subject}#system=Think.", store=store, options=kept)
    assert len(model.requests) == 2 * FEW


def test_epochs_have_cached_answers_of_their_own(model, store, file, tmp_path):
    kept = options(limit=FEW, cache=str(tmp_path / "cache"))
    for _ in range(2):
        run(file, model.subject, store=store, sessions=3, options=kept)
        assert len(model.requests) == 3 * FEW


def test_copies_of_a_model_that_a_solver_asks_have_cached_answers_of_their_own(model, store, file, tmp_path):
    samples, kept = 3, options(limit=FEW, cache=str(tmp_path / "cache"))
    model.answer = lambda request: f"answer {len(model.requests)}"
    told = []
    for _ in range(2):
        result = run(file, f"solve:self-consistency({model.subject})#samples={samples}", store=store, options=kept)
        assert len(model.requests) == samples * FEW
        sessions = store.sessions.of(result.head.id)
        told.append([[step["answer"] for step in store.events.of(one.id)[1].notes["steps"]] for one in sessions])
    assert all(len(set(answers)) == samples for answers in told[0])
    assert [sorted(answers) for answers in told[0]] == [sorted(answers) for answers in told[1]]
    assert result.spent["cached"] == FEW


def test_requests_on_their_way_at_a_stop_are_counted_when_it_is_resumed(model, store, file):
    """A session that was begun and has no end is what a killed process leaves."""
    begun = run(file, model.subject, store=store, options=options(most=0.05))
    left = [one for one in store.sessions.of(begun.head.id) if one.status == "open"][:3]
    for one in left:
        place = store.sessions.of(begun.head.id)[0].id
        store.events.append(one.id, store.events.of(place, content=True)[:1])
    assert store.sessions.under_way(begun.head.id) == [one.id for one in left]
    result = resume_run(begun.head.id, store=store, options=options(most=10.0))
    assert result.asked_again == 3
    assert [deed.session for deed in store.deeds.of_runs([begun.head.id], kind=ASKED_AGAIN)] == [one.id for one in left]
    assert result.as_json()["asked_again"] == 3


def test_a_session_that_was_lost_is_scored_anew_when_a_kill_came_after_its_end(model, store, file, monkeypatch):
    """Found by the campaign of kills: it stayed lost, though its answer was stored."""
    model.left = 0
    few = options(limit=FEW)
    lost = run(file, f"{model.subject}#retries=0", store=store, seed=1, options=few)
    assert lost.outcomes == {"lost": FEW}
    model.left = None

    def killed(done, head, *, store):
        raise SystemExit

    with monkeypatch.context() as patch:
        patch.setattr("mensura.running.run.keep", killed)
        with pytest.raises(SystemExit):
            resume_run(lost.head.id, store=store)
    assert len(model.requests) == 1
    result = resume_run(lost.head.id, store=store)
    assert len(model.requests) == FEW
    assert result.outcomes == {"answered": FEW}


def test_the_library_takes_many_sessions_at_once(model, store, file):
    runs = mensura.run(file, model.subject, store=store, seed=1, concurrency=16)
    assert runs.result.counts["finished"] == ITEMS
    with pytest.raises(BadParameter, match="not both"):
        mensura.run(file, "chance", store=store, concurrency=2, options=RunOptions(executor("processes:2")))
