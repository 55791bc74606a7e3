"""Every fault of a model's server, over many items and many kills: nothing stored is lost or asked again."""

import json
import os
import signal
import time
from collections import Counter

import numpy as np
import pytest

from mensura.catalog.find import find_test
from mensura.running.executors import executor
from mensura.running.run import RunOptions, resume_run, run
from mensura.store import open_store
from tests.running.faulty_model import FAULTS, NAMES, expected, faulty_model

AT_ONCE = 16


def live(url, file, name):
    """Begin the run, or go on with it, as a process does that may be killed at any moment."""
    from mensura.subjects.model import endpoint, pace

    # A server may send us away for a minute; here that is a moment.
    endpoint.LONGEST_PAUSE = pace.LONGEST_PAUSE = 0.01
    options = RunOptions(executor(concurrency=AT_ONCE))
    with open_store(url) as store:
        if store.runs.all():
            resume_run("last", store=store, options=options)
        else:
            run(file, f"{name}#first_wait=0.001", store=store, seed=1, options=options)


def lived(url, file, server, *, requests=None):
    """Let a child live, and kill it once so many more requests came; without a number until it ends by itself."""
    child = os.fork()
    if child == 0:
        try:
            live(url, file, server.name)
        finally:
            os._exit(0)
    wanted = None if requests is None else server.get("/count")["asked"] + requests
    while os.waitpid(child, os.WNOHANG) == (0, 0):
        if wanted is not None and server.get("/count")["asked"] >= wanted:
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            return
        time.sleep(0.005)


def over(url):
    """Return what is stored of the items that are over: how they ended and what was answered."""
    with open_store(url) as store:
        heads = store.runs.all()
        sessions = store.sessions.of(heads[0].id) if heads else []
        return {
            one.address.item: (one.status, [(event.kind, event.value) for event in store.events.of(one.id)])
            for one in sessions
            if one.status not in ("open", "lost")
        }


def campaign(folder, *, items, kills, outages):
    """Kill a run again and again, let its server be out of service in some lives, and then let it end.

    Gives what is checked at the end: the result, and what the server counted.
    """
    import openai  # noqa: F401  Loaded once, as is what follows: every child would load it anew.

    import mensura.subjects.model.language_model  # noqa: F401

    file, url = str(folder / "items.jsonl"), str(folder / "x.db")
    lines = [{"prompt": f"Item {number}?", "options": ["yes", "no"], "answer": "yes"} for number in range(items)]
    (folder / "items.jsonl").write_text("\n".join(map(json.dumps, lines)))
    rng = np.random.default_rng(items)
    with faulty_model() as server:
        kept, places = {}, []
        for life in range(kills):
            status = outages.get(life, 0)
            server.get(f"/refuse/{status}")
            lived(url, file, server, requests=None if status else int(rng.integers(1, 2 * items // kills)))
            stored = over(url)
            lost = {item for item, was in kept.items() if stored.get(item) != was}
            assert not lost, f"lost or changed in life {life}: {lost}"
            kept = stored
            places.append((len(server.get("/log")["asked"]), set(stored)))
        server.get("/refuse/0")
        lived(url, file, server)
        counted = server.get("/log")
    with open_store(url) as store:
        # Nothing is asked any more: this only reads what came of it.
        result = resume_run("last", store=store)
    prompts = {item.hash: int(item.prompt[5:-1]) for item in find_test(file).bank}
    for place, stored in places:
        again = {prompts[item] for item in stored} & set(counted["asked"][place:])
        assert not again, f"stored and asked again: {again}"
    return result, counted


def check(result, counted, *, items, kills):
    """Compare with the script and the server's own counts."""
    came = expected(items)
    assert result.counts["finished"] == came["right"] + came["wrong"] + came["refused"]
    assert result.counts["invalid"] == came["invalid"]
    assert result.counts.get("lost", 0) == result.counts.get("open", 0) == result.counts["crashed"] == 0
    assert result.outcomes["refused"] == came["refused"]
    assert result.outcomes["answered"] == came["right"] + came["wrong"]
    assert result.scores["accuracy"].value == pytest.approx(came["right"] / items)
    base = {number: FAULTS[NAMES[number % len(NAMES)]][2] for number in range(items)}
    paid = Counter({int(number): count for number, count in counted["paid"].items()})
    twice = sum(paid[number] - base[number] for number in base)
    assert all(paid[number] >= base[number] for number in base)
    assert twice <= result.asked_again <= kills * AT_ONCE
    # Usage was missing in some answers: the cost is not known, and is not said to be zero.
    assert result.spent["tokens_in"] is None


def test_faults_and_kills_lose_nothing_and_ask_nothing_stored_again(tmp_path):
    result, counted = campaign(tmp_path, items=170, kills=4, outages={2: 401})
    check(result, counted, items=170, kills=4)


@pytest.mark.proof
def test_ten_thousand_items_and_ten_kills(tmp_path):
    result, counted = campaign(tmp_path, items=10_000, kills=12, outages={3: 401, 7: 404})
    check(result, counted, items=10_000, kills=12)
