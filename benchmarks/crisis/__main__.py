"""How fast the crisis is: acts, scoring, re-planning, a whole study, and people in the browser's office at once.

python -m benchmarks crisis                       # all of it (about ten minutes)
python -m benchmarks.crisis acts replan           # some of it: world, acts, replan, study, browser
python -m benchmarks.crisis checking              # by its name only: what reading and checking is worth, over 30 seeds

Figures per processor are of this process's own processor time, which a busy machine does not change; those of the study
and the browser are by the clock, with the machine's load beside them.
"""

import os
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from itertools import cycle
from pathlib import Path
from typing import Any

PACKAGE = "crisis-1"
WANTED = {"world": 1.0, "acts": 2_000, "replan": 1.0, "study": 300.0, "browser": 0.150}
STUDY = {"cots": 29, "radar-l": 34, "radar+l": 32}
"""Participants per condition, as many as in the source: 95 in all."""


def main() -> None:
    """Run the measurements that are named, or all."""
    speeds = {"world": _world, "acts": _acts, "replan": _replan, "study": _study, "browser": _browser}
    known = {**speeds, "checking": _checking}
    for name in [name for name in sys.argv[1:] if name in known] or speeds:
        known[name]()


def _checking(seeds: int = 30) -> None:
    """Compare those who accept everything unread with a scripted person who works by hand, seed by seed.

    Twice: by the score as it is, which counts one item of what every page shows in a briefing, and as if it were two.
    """
    from dataclasses import replace

    from scipy.stats import t

    from mensura.catalog.crisis.assistant.role import Radar
    from mensura.catalog.crisis.dialogue import crisis
    from mensura.catalog.crisis.office.replay import office_of
    from mensura.catalog.crisis.scoring.snapshot import standing_of
    from mensura.catalog.crisis.scoring.tree import grade
    from mensura.catalog.crisis.scoring.weights import our_weights
    from mensura.catalog.crisis.subjects.accepting import Accepting
    from mensura.catalog.crisis.subjects.participant import Participant
    from mensura.running.take import take

    weighed = [replace(our_weights(), shown=shown) for shown in (1, 2)]

    def parts(seed: int, condition: str, **cast: Any) -> list[dict[str, float]]:
        taken = take(crisis, cast, seed=seed, parameters={"condition": condition, "package": PACKAGE})
        standing = standing_of(office_of(taken.record))
        return [grade(standing, weights=weights).parts for weights in weighed]

    numbers = range(1, seeds + 1)
    by_hand = [parts(seed, "cots", subject=Participant()) for seed in numbers]
    rows = {"by hand": by_hand}
    for errs in (None, 0.0):
        for name, patient in (("accepting at once", False), ("accepting all suggestions, too", True)):
            radar = Radar() if errs is None else Radar(errs=errs)
            rows[name + (", nothing misread" if errs == 0 else "")] = [
                parts(seed, "radar+l", subject=Accepting(patient=patient), assistant=radar) for seed in numbers
            ]
    for at, shown in enumerate((1, 2)):
        print(f"items of what the pages show that count in a briefing: {shown}; n = {seeds} seeds of {PACKAGE}")
        for name, found in rows.items():
            mean = {part: statistics.mean(one[at][part] for one in found) for part in found[0][at]}
            less = [mine[at]["final"] - hand[at]["final"] for mine, hand in zip(found, by_hand, strict=True)]
            half = t.ppf(0.975, seeds - 1) * statistics.stdev(less) / seeds**0.5
            middle = statistics.mean(less)
            interval = f"less by hand {middle:+.3f}, 95 % t interval {middle - half:+.3f} to {middle + half:+.3f}"
            print(f"  {name}: {', '.join(f'{part} {value:.3f}' for part, value in mean.items())}; {interval}")


def _world() -> None:
    """Time the making of worlds that nobody has made before."""
    from mensura.catalog.crisis.packages.build import build
    from mensura.catalog.crisis.packages.package import Package

    seeds = iter(range(1, 6))
    _line("a world is built", _timed(lambda: build(Package(name="x", seed=next(seeds)))), "s", WANTED["world"])


def _acts() -> None:
    """Count acts per second of one processor: through the whole dialogue with its log, and in the office alone."""
    from mensura.catalog.crisis.dialogue import crisis
    from mensura.catalog.crisis.office.office import OfficeState
    from mensura.catalog.crisis.packages.build import build_world
    from mensura.catalog.crisis.scoring.scoring import score
    from mensura.catalog.crisis.settings import find_condition
    from mensura.running.take import take

    world = build_world(PACKAGE)
    rates, alone, scoring = [], [], []
    for _ in range(5):
        busy = _Busy()
        begun = time.process_time()
        taken = take(crisis, busy, seed=1, parameters={"condition": "agent", "package": PACKAGE, "minutes": 600})
        rates.append(busy.count / (time.process_time() - begun))
        begun = time.process_time()
        score(taken.record, taken.truths)
        scoring.append(time.process_time() - begun)
        has = find_condition("agent")
        office = OfficeState(world, tools=has.tools, checks=has.checks)
        begun = time.process_time()
        for number, act in zip(range(5_000), _mix(world), strict=False):
            office.act("subject", act["call"], act["arguments"], now=number)
        alone.append(5_000 / (time.process_time() - begun))
    _line(f"acts per second, whole dialogue with its log (n = {busy.count})", rates, "/s", WANTED["acts"], more=True)
    _line("acts per second, office alone (n = 5000)", alone, "/s", None, more=True)
    _line(f"scoring a session of {busy.count} acts", scoring, "s", None)


class _Busy:
    """Does one thing after the other without a thought: what a quick agent would ask of the office."""

    recomputes = True

    def __init__(self) -> None:
        self.count = 0
        self._acts: Iterator[dict[str, Any]] | None = None

    def __call__(self, ask: Any) -> dict[str, Any]:
        if self._acts is None:
            from mensura.catalog.crisis.packages.build import build_world

            self._acts = _mix(build_world(PACKAGE))
        self.count += 1
        return next(self._acts)


def _mix(world: Any) -> Iterator[dict[str, Any]]:
    """Read, look, move, ask, note, correct, edit, order: all kinds of acts in turn."""
    from mensura.catalog.crisis.act import call

    letters, events, rooms = (cycle(things) for things in (world.letters, world.events, world.rooms))
    entries = cycle([entry for entry in world.site if entry.event])
    vendor = world.vendors[0]
    number = 0
    while True:
        number += 1
        event, room, slot = next(events), next(rooms), {"day": number % 4 + 1, "block": number % 4 + 1}
        yield call("read", message=next(letters).id)
        yield call("look", page="event", item=event.id)
        yield call("move", event=event.id, room=room.id, **slot)
        yield call("look", page="room", item=room.id)
        yield call("note", text=f"Look at {event.short}.")
        yield call("set_event_fact", event=event.id, fact="attendance", value=str(20 + number % 50))
        yield call("edit_entry", entry=next(entries).id, field="room", value=room.name)
        if number % 10 == 0:
            yield call("ask_room", room=room.id, **slot)
            yield call("order", vendor=vendor.id, item=vendor.items[0].id, quantity=1, event=event.id)
            yield call("look", page="schedule")
            yield call("search", words=event.short)


def _replan() -> None:
    """Time one plan of the assistant for the crisis as it begins, and one with everything known."""
    from mensura.catalog.crisis.assistant.known import Known
    from mensura.catalog.crisis.assistant.learning.learned import Learned
    from mensura.catalog.crisis.assistant.optimiser import WORK, believed
    from mensura.catalog.crisis.assistant.role import Learners
    from mensura.catalog.crisis.office.office import OfficeState
    from mensura.catalog.crisis.office.visible import known
    from mensura.catalog.crisis.packages.build import build_world
    from mensura.catalog.crisis.planning.plan import plan
    from mensura.catalog.crisis.planning.problem import Problem
    from mensura.catalog.crisis.settings import find_condition

    world = build_world(PACKAGE)
    has = find_condition("radar-l")
    office = OfficeState(world, tools=has.tools, checks=has.checks)
    mind = Learners(Learned())
    problem = believed(Known(known(office)), finder=mind.finder, elicitor=mind.elicitor)
    _line("the assistant re-plans the crisis", _timed(lambda: plan(problem, work=WORK)), "s", WANTED["replan"])
    truth = Problem.from_truth(world)
    _line("the oracle re-plans it", _timed(lambda: plan(truth)), "s", None)


def _study() -> None:
    """Time 95 simulated participants on two processes, store and scoring included."""
    from mensura.running.executors import executor
    from mensura.running.run import RunOptions, run
    from mensura.store import open_store

    with tempfile.TemporaryDirectory() as folder, open_store(f"sqlite:///{folder}/study.db") as store:
        begun, used = time.perf_counter(), _used()
        for condition, sessions in STUDY.items():
            start = time.perf_counter()
            run(
                "crisis",
                {"subject": "participant"},
                store=store,
                sessions=sessions,
                seed=2006,
                parameters={"condition": condition, "package": PACKAGE},
                options=RunOptions(executor("processes:2")),
            )
            print(f"  {condition}: {sessions} simulated participants in {time.perf_counter() - start:.1f} s")
        seconds = time.perf_counter() - begun
    used = _used() - used
    print(f"  {used:.0f} s of processor time: about {used / 2:.0f} s on two processors that do nothing else")
    _line("95 simulated participants, 2 processes", [seconds], "s", WANTED["study"])


def _used() -> float:
    """Processor time of this process and of those it has ended."""
    own, children = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return own.ru_utime + own.ru_stime + children.ru_utime + children.ru_stime


def _browser() -> None:
    """Let thirty people act in the browser's office at once, over real connections to this computer only."""
    from benchmarks.crisis.office_load import measure

    for condition in STUDY:
        slowest = []
        for _ in range(3):
            with tempfile.TemporaryDirectory() as folder:
                result = measure(Path(folder), condition=condition, people=30, pause=2.0, seconds=30.0)
            times = sorted(result["latencies"])
            at = {share: times[min(int(share * len(times)), len(times) - 1)] for share in (0.5, 0.95, 0.99)}
            slowest.append(at[0.99])
            print(f"  {len(times)} acts, {result['refused']} refused, {result['retries']} retries; ", end="")
            print(
                f"median {at[0.5] * 1000:.0f} ms, 95 % {at[0.95] * 1000:.0f} ms, last {times[-1] * 1000:.0f} ms; ",
                end="",
            )
            print(f"processor: server {result['server_cpu'] * 1000:.1f} ms per act, client {result['client_cpu']:.0%}")
        _line(f"30 people in the browser's office, {condition}, 99 % of acts within", slowest, "s", WANTED["browser"])


def _timed(work: Callable[[], Any], *, times: int = 5) -> list[float]:
    found = []
    for _ in range(times):
        begun = time.process_time()
        work()
        found.append(time.process_time() - begun)
    return found


def _line(what: str, values: list[float], unit: str, wanted: float | None, *, more: bool = False) -> None:
    middle = statistics.median(values)
    form = ",.0f" if more else ".3f"
    spread = f"{min(values):{form}}–{max(values):{form}}" if len(values) > 1 else f"load {os.getloadavg()[0]:.1f}"
    verdict = "" if wanted is None else "ok" if (middle >= wanted if more else middle <= wanted) else "TOO SLOW"
    asked = "" if wanted is None else f"wanted {wanted:,g} {unit}"
    print(f"{what:66} {middle:10{form}} {unit:3} ({spread}) {asked} {verdict}", flush=True)


if __name__ == "__main__":
    main()
