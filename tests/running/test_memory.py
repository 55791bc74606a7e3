"""A further item takes some hundred bytes of memory in a run, in its summary and in a resume, not a kilobyte."""

import json
import tracemalloc
from collections.abc import Mapping

import pytest
from sqlalchemy import text

from mensura.dialogue import Items, Score, Scores, Seed
from mensura.running.plan import Plan, planned_addresses, session_id
from mensura.running.results.counting import estimates_of
from mensura.running.results.overview import Overview
from mensura.running.run import RunOptions, begin_run, resume_run
from mensura.store.head import RunHead, SessionHead

FEW, MANY = 500, 1500
AT_ONCE = (
    "store.log.sessions.ADDED_AT_ONCE",
    "store.log.sessions.READ_AT_ONCE",
    "store.sealed.opening.CHANGED_AT_ONCE",
    "running.run.LOOKED_UP_AT_ONCE",
    "dialogue.packed.BLOCK",
)
"""How many are written or read together, so that even a few items are several times as many."""


def further(work):
    """Return how many bytes the peak of memory grows for each further item; `work` is made ready for a number first."""
    peaks = []
    # Modules are loaded, and what is made once is made, before anything is measured.
    for number in (FEW, FEW, MANY):
        ready = work(number)
        tracemalloc.start()
        try:
            ready()
            peaks.append(tracemalloc.get_traced_memory()[1])
        finally:
            tracemalloc.stop()
    return (peaks[2] - peaks[1]) / (MANY - FEW)


@pytest.fixture(autouse=True)
def _little_at_once(monkeypatch):
    for what in AT_ONCE:
        monkeypatch.setattr(f"mensura.{what}", 100)


@pytest.fixture
def begun(store, tmp_path):
    """Return what gives the plan of a run of so many items, and what writes the run and its sessions down."""

    def plan(items):
        lines = [json.dumps({"prompt": f"Item {n}?", "options": ["a", "b"], "answer": "a"}) for n in range(items)]
        bank = tmp_path / f"items-{items}.jsonl"
        bank.write_text("\n".join(lines))
        found = Plan.of(str(bank), "chance")
        assert len(found.definition.bank) == items
        return found

    def begin(made):
        head = begin_run(made, store=store, seed=Seed.choose(1), options=RunOptions(details={"sessions": 1}))
        store.sessions.add_many(
            SessionHead(session_id(head.id, address), head.id, address, head.cast, created=1.0)
            for address in planned_addresses(head, 1)
        )
        return head.id

    return plan, begin


def test_a_run_and_its_sessions_are_written_down_a_few_at_a_time(begun):
    plan, begin = begun

    def work(items):
        made = plan(items)
        return lambda: begin(made)

    assert further(work) < 200


def test_a_run_whose_sessions_are_over_is_resumed_a_few_at_a_time(store, begun):
    plan, begin = begun

    def work(items):
        run = begin(plan(items))
        with store.database.writing() as connection:
            connection.execute(text("UPDATE sessions SET status = 'withdrawn', ended = 2.0"))
        return lambda: resume_run(run, store=store)

    assert further(work) < 200


class Answered(Mapping):
    """The scores of sessions of one item each, made whenever they are gone through, as a store gives them."""

    def __init__(self, number):
        self.number = number

    def __len__(self):
        return self.number

    def __iter__(self):
        return (f"run/0.0.0.{place:016x}" for place in range(self.number))

    def __getitem__(self, session):
        place = int(session[-16:], 16)
        items = Items([float(place % 3 > 0)], [session], ids=[f"{place * 7919:016x}"], outcomes=["answered"])
        items.answers = (f"{place:08x}",)
        return Scores({"accuracy": items}, tally={"answered": 1}, instance=f"{place:016x}")


def test_the_summary_of_a_run_holds_numbers_and_no_objects():
    details = {"items": [], "scores": [Score("accuracy", better="more", proportion=True).as_json()]}
    head = RunHead("run", "items-v1", {}, {}, "", "", "", 1, True, "full", 0.0, details=details)

    def work(items):
        results = Answered(items)

        def summarise():
            overview = Overview.of(head, results.values())
            found = estimates_of(head, results, overview=overview)["accuracy"].estimate
            assert (found.n, overview.tally) == (items, {"answered": items})

        return summarise

    assert further(work) < 200


def test_an_overview_keeps_facts_and_lets_go_of_the_scores_beside_them():
    head = RunHead("run", "items-v1", {}, {}, "", "", "", 1, True, "full", 0.0, details={"scores": []})
    scores = Scores({"accuracy": Items([1.0], ["a"])}, {"oracle": "bound"})
    (kept,) = Overview.of(head, [scores]).detailed
    assert (kept.values, kept.details) == ({}, {"oracle": "bound"})
