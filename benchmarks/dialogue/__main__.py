"""The cost of an ask, a replay, a step and a start, each beside the plainest code that could do the same."""

import contextlib
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from mensura.catalog.find import find_test
from mensura.dialogue import Ask, Instance, Items, Probability, Session, replay, test

ASKS = 300_000
CONSTANT = Ask("What is the probability of heads?", Probability(), key="coin")


@test("constant-v1")
def constant(rng: Any, *, asks: int = ASKS) -> Any:
    """Ask the same thing again and again."""
    for _ in range(asks):
        yield CONSTANT


def half(ask: Ask) -> float:
    """Answer one half."""
    return 0.5


def best_of(function: Callable[[], Any], times: int = 3) -> float:
    """Time a function; the best of a few, since other work only ever makes it slower."""
    return min(_seconds(function) for _ in range(times))


def _seconds(function: Callable[[], Any]) -> float:
    start = time.perf_counter()
    function()
    return time.perf_counter() - start


def bare_loop() -> None:
    """Drive a bare generator with the same subject: no checks, no session."""

    def generator() -> Any:
        for _ in range(ASKS):
            yield CONSTANT

    dialogue = generator()
    ask = next(dialogue)
    try:
        while True:
            ask = dialogue.send(half(ask))
    except StopIteration:
        return


def untraced() -> None:
    """Take the constant test without a trace, through the real driver."""
    from mensura.running.take import take

    assert take(constant, half, seed=1, trace="none").session.turns == ASKS


def recorded(asks: int = 100_000) -> tuple[Instance, list[Any]]:
    """Record a session of many answers."""
    instance = Instance(constant, {"asks": asks}, 1)
    session = Session(instance, trace="summary")
    session.start()
    while session.status == "open":
        session.answer(0.5)
    return instance, session.drain()


def env_steps(steps: int = 200_000) -> float:
    """Step one corridor environment; steps per second."""
    from mensura.running.environment.environment import as_env

    env = as_env(find_test("corridor"), seed=1)
    env.reset(seed=1)
    start = time.perf_counter()
    for _ in range(steps):
        if any(env.step(1)[2:4]):
            env.reset()
    return steps / (time.perf_counter() - start)


def gymnasium_steps(steps: int = 200_000) -> float:
    """Step Gymnasium's own small grid world in the same way; steps per second."""
    import gymnasium

    env = gymnasium.make("CliffWalking-v1")
    env.reset(seed=1)
    start = time.perf_counter()
    for _ in range(steps):
        if any(env.step(1)[2:4]):
            env.reset()
    return steps / (time.perf_counter() - start)


def batch_steps(episodes: int = 100_000, steps: int = 200) -> float:
    """Step many corridors at once; steps per second."""
    import numpy as np

    from mensura.catalog.corridor.batch import CorridorBatch

    batch = CorridorBatch(np.random.default_rng(1), episodes=episodes)
    actions = np.ones(episodes, dtype=np.int8)
    batch.start()
    start = time.perf_counter()
    for _ in range(steps):
        batch.step(actions)
    return episodes * steps / (time.perf_counter() - start)


def score_many(answers: int = 200_000) -> tuple[float, float]:
    """List and score a stored run of many answers; seconds for each."""
    from mensura.dialogue import Address, Event
    from mensura.running.scoring.rescore import rescore
    from mensura.store import RunHead, SessionHead, open_store

    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "many.db") as store:
        details = {"reference": "coin", "scoring": "natural-2"}
        parameters = find_test("coin").fill({"flips": answers // 20})
        head = RunHead(
            "coin-many", "coin-v1", parameters, {"subject": "half"}, "", "", "", 1, True, "full", 0.0, details
        )
        store.runs.add(head)
        for number in range(20):
            session = f"coin-many/0.0.{number}"
            store.sessions.add(SessionHead(session, head.id, Address(session=number), {"subject": "half"}))
            events: list[Event] = []
            for i in range(answers // 20):
                content = {"prompt": f"Coin {number} {i} " + "x" * 200, "space": {"kind": "probability"}}
                events.append(Event(2 * i + 1, "ask", "subject", f"coin{i}", 0, "probability", content=content))
                events.append(Event(2 * i + 2, "answer", "subject", f"coin{i}", 0, 0.5))
            ended = {"status": "finished", "outcome": {"prompt": "", "reward": None, "truncated": False}}
            events.append(Event(len(events) + 1, "end", value={**ended, "last_words": ""}))
            store.events.append(session, events, truths={f"coin{i}": i % 2 for i in range(answers // 20)})
        listed = _seconds(lambda: (store.runs.all(), store.sessions.count(head.id)))
        scored = _seconds(lambda: rescore(head.id, store=store))
        values = next(iter(store.results.of(head.id).values())).values["quadratic_score"]
        assert isinstance(values, Items)
        assert len(values.values) == answers // 20
    return listed, scored


def append_seconds(turns: int = 400) -> tuple[float, float]:
    """Store an ask with its answer, committed; processor seconds, and those of a bare insert and commit of SQLite."""
    from mensura.dialogue import Address, Event
    from mensura.store import RunHead, SessionHead, open_store

    ours, bare = [], []
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "turns.db") as store:
        store.runs.add(RunHead("turns", "coin-v1", {}, {"subject": "half"}, "", "", "", 1, True, "full", 0.0, {}))
        store.sessions.add(SessionHead("turns/0.0.0", "turns", Address(), {"subject": "half"}))
        with contextlib.closing(sqlite3.connect(Path(folder) / "bare.db")) as plain:
            plain.execute("PRAGMA journal_mode = WAL")
            plain.execute("CREATE TABLE events (number INTEGER PRIMARY KEY, value TEXT)")
            for turn in range(turns):
                content = {"prompt": f"Coin {turn}", "space": {"kind": "probability"}}
                events = [
                    Event(2 * turn + 1, "ask", "subject", f"coin{turn}", 0, "probability", content=content),
                    Event(2 * turn + 2, "answer", "subject", f"coin{turn}", 0, 0.5),
                ]
                start = time.process_time()
                store.events.append("turns/0.0.0", events, truths={f"coin{turn}": 1})
                ours.append(time.process_time() - start)
                start = time.process_time()
                plain.execute("INSERT INTO events VALUES (?, ?)", (turn, "0.5"))
                plain.commit()
                bare.append(time.process_time() - start)
    return statistics.median(ours), statistics.median(bare)


def sealing_seconds(turns: int = 400) -> tuple[float, float]:
    """Store asks with answers and truths, sealed and bound by the chain, and without; processor seconds of each."""
    from mensura.dialogue import Address, Event
    from mensura.store import RunHead, SessionHead, open_store, text
    from mensura.store.sealed.custody import Custodies

    plain = {
        "mensura.store.log.events.event_entries": lambda salt, rows: [],
        "mensura.store.log.events.truth_entry": lambda salt, row: None,
        "mensura.store.log.events.seal_truth": lambda custody, key, version, value: text.write(value),
    }
    taken: tuple[list[float], list[float]] = ([], [])
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "sealed.db") as store:
        store.runs.add(RunHead("turns", "coin-v1", {}, {"subject": "half"}, "", "", "", 1, True, "full", 0.0, {}))
        for number in range(2):
            store.sessions.add(SessionHead(f"turns/0.0.{number}", "turns", Address(session=number), {}))
        for turn in range(turns):
            for number in range(2):
                content = {"prompt": f"Coin {number} {turn}", "space": {"kind": "probability"}}
                events = [
                    Event(2 * turn + 1, "ask", "subject", f"coin{turn}", 0, "probability", content=content),
                    Event(2 * turn + 2, "answer", "subject", f"coin{turn}", 0, 0.5),
                ]
                with contextlib.ExitStack() as bare:
                    if number == 1:
                        bare.enter_context(patch.object(Custodies, "link", lambda *arguments, **named: None))
                        for name, simple in plain.items():
                            bare.enter_context(patch(name, simple))
                    start = time.process_time()
                    store.events.append(f"turns/0.0.{number}", events, truths={f"coin{turn}": 1})
                    taken[number].append(time.process_time() - start)
    return statistics.median(taken[0]), statistics.median(taken[1])


def tick_ratio(times: int = 20_000) -> float:
    """Return what the guard costs at each ask, in empty Python functions: any wrapper would cost at least one."""
    from mensura.subjects.guard import guarded

    def lap(call: Callable[[], object]) -> None:
        for _ in range(times):
            call()

    with guarded(60) as guard:
        return best_of(lambda: lap(guard.tick), 7) / best_of(lambda: lap(lambda: None), 7)


def started(command: list[str]) -> float:
    """Time a fresh process, less the time of an empty one."""
    empty = best_of(lambda: subprocess.run([sys.executable, "-c", "pass"], check=True))
    return best_of(lambda: subprocess.run(command, check=True, capture_output=True)) - empty


def main() -> None:
    """Measure everything and print one table."""
    rows: list[tuple[str, str, str]] = []
    bare, ours = best_of(bare_loop), best_of(untraced)
    rows.append(("asks answered per second, checks on, no trace", f"{ASKS / ours:,.0f}", "at least 300,000"))
    rows.append(("  as a multiple of a bare generator loop", f"{ours / bare:.1f} ×", "stated"))
    instance, events = recorded()
    rows.append(
        ("replay of 100 000 answers with digests", f"{best_of(lambda: replay(instance, events)):.3f} s", "< 0.5 s")
    )
    stored, bare = append_seconds()
    rows.append(("storing an ask and its answer, processor time", f"{stored * 1000:.2f} ms", "< 1 ms"))
    rows.append(("  as a multiple of a bare insert and commit", f"{stored / bare:.1f} ×", "stated"))
    sealed, plain = sealing_seconds()
    rows.append(("  of which sealing and the chain", f"{(sealed - plain) * 1000:.3f} ms", "< 0.1 ms"))
    rows.append(("the guard at each ask, in empty functions", f"{tick_ratio():.1f} ×", "< 2 ×"))
    code = [sys.executable, "-c", "import mensura"]
    rows.append(("import mensura (beyond starting Python)", f"{started(code):.3f} s", "< 0.5 s"))
    listing = [sys.executable, "-m", "mensura.cli.main", "list"]
    rows.append(("mensura list (beyond starting Python)", f"{started(listing):.3f} s", "< 0.8 s"))
    steps, peer = env_steps(), gymnasium_steps()
    rows.append(("steps per second of one corridor Env", f"{steps:,.0f}", "at least 150,000"))
    rows.append(("  as a multiple of Gymnasium's CliffWalking", f"{steps / peer:.2f} ×", "stated"))
    rows.append(("steps per second of its batch form", f"{batch_steps():,.0f}", "at least 20,000,000"))
    listed, scored = score_many()
    rows.append(("listing a run of 200 000 answers", f"{listed:.3f} s", "stated"))
    rows.append(("scoring it again, prompts unread", f"{scored:.3f} s", "stated"))
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    for what, value, goal in rows:
        print(f"{what.ljust(widths[0])}  {value.rjust(widths[1])}  {goal}")


if __name__ == "__main__":
    main()
