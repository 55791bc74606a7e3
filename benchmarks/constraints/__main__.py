"""Messages per second of every form, the hub, and pyDCOP beside ours: `python -m benchmarks constraints`.

Parts may be named: mailman, compiled, thousand, hub, pydcop. Seconds are processor time of one thread unless it is said
that they are by the clock; on a busy machine only processor time means anything.
"""

import asyncio
import functools
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from mensura.catalog.constraints.agent import Agent
from mensura.catalog.constraints.compiled.forms import FORMS
from mensura.catalog.constraints.dialogue import constraints
from mensura.catalog.constraints.families.find import find_problem
from mensura.catalog.constraints.formats.find import save
from mensura.catalog.constraints.hub.hub import Hub
from mensura.catalog.constraints.mail.ends import RunEnds
from mensura.catalog.constraints.mail.mailman import Mailman
from mensura.catalog.constraints.mail.post import Post
from mensura.catalog.constraints.mail.share import shares_of
from mensura.catalog.constraints.order.find import ranks_of
from mensura.catalog.constraints.order.tree import PseudoTree, tree_of
from mensura.catalog.constraints.playing import ALL, Chance, play
from mensura.catalog.constraints.problem.problem import Problem
from mensura.catalog.constraints.subjects import SUBJECTS
from mensura.dialogue import Ask, Instance
from mensura.running.take import take

SCALE_FREE = "scale-free:n={n},m=10,t=0.25,md=4"
PYDCOP = Path(".venv-pydcop/bin/python")
CYCLES = 50
"""Cycles of local search: rounds of values, with one of gains for each where there are any."""
WANTED = {"idle": 500_000, "plain": 80_000, 500: 3_000_000, 1000: 1_500_000, "hub": 10_000}


class IdleAgent(Agent):
    """Writes to all neighbours whenever it is woken, and thinks nothing."""

    def start(self) -> Any:
        """Write to all."""
        return [self.send(self.neighbours, "hello", 1)]

    def receive(self, mail: Any) -> Any:
        """Write to all again."""
        return [self.send(self.neighbours, "hello", 1)]


def main(*parts: str) -> None:
    """Print every measurement, or those named."""
    known: dict[str, Callable[[], None]] = {
        "mailman": mailman,
        "compiled": compiled,
        "thousand": thousand,
        "hub": hub,
        "pydcop": pydcop,
    }
    for name, measure in known.items():
        if not parts or name in parts:
            measure()


def mailman() -> None:
    """Measure what the driver and the mailman carry, and weak commitment in its plain form."""
    text = SCALE_FREE.format(n=500)
    drawing, _ = _seconds(find_problem, text, np.random.default_rng(1))
    for name, who, stop in (("idle", IdleAgent, "cycles=40"), ("plain", SUBJECTS["awcs"], "cycles=1000")):
        given = {"problem": text, "stop": stop, "oracle": 0.0}
        seconds, taken = _seconds(take, constraints, who(), seed=1, parameters=given, trace="none")
        sent = _instance(taken)["messages"]["total"]
        label = "mailman, idle agents" if name == "idle" else "awcs, plain, 500 agents"
        _say(label, sent / (seconds - drawing), WANTED[name], f"{sent:,} messages")


def compiled() -> None:
    """Measure weak commitment in its compiled form, compilation outside the time."""
    for n in (500, 1000):
        sent, begun, ran = 0, 0.0, 0.0
        for seed in range(6):
            problem = find_problem(SCALE_FREE.format(n=n), np.random.default_rng(seed))
            ranks = ranks_of(problem, "lex", np.random.default_rng(0))
            chance = _chance(problem, seed)
            like = SUBJECTS["awcs"]()
            form = FORMS[type(like)]
            making, run = _seconds(form, problem, ranks, like, chance, np.array([0]))
            running, _ = _seconds(run.run, np.array([1000, ALL, ALL]), lambda cycle, values: None)
            if seed:
                sent, begun, ran = sent + int(run.counts.sent.sum()), begun + making, ran + running
        more = f"{sent:,} messages in 5 instances, {sent / (begun + ran):,.0f} with the arrays made"
        _say(f"awcs, compiled, {n} agents", sent / ran, WANTED[n], more)


def thousand() -> None:
    """Generate, solve and check 100 instances of 1000 nodes in two processes, compilation apart."""
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:
        list(pool.map(_solve, [SCALE_FREE.format(n=30)] * 2, [0, 1]))
        begun = time.perf_counter()
        done = list(pool.map(_solve, [SCALE_FREE.format(n=1000)] * 100, range(100)))
        clock = time.perf_counter() - begun
    making, solving, cycles, solved = (np.array(column) for column in zip(*done, strict=True))
    total = making.sum() + solving.sum()
    print(
        f"100 instances of 1000 nodes in two processes: {clock:.1f} s by the clock (wanted 30), {total:.1f} s of "
        f"processor time: {making.sum():.1f} to generate, {solving.sum():.1f} to solve and check"
    )
    print(
        f"  {solved.sum()} solved; cycles: median {np.median(cycles):g}, mean {cycles.mean():.1f}, most {cycles.max()}"
    )


def _solve(text: str, seed: int) -> tuple[float, float, int, bool]:
    """Return seconds of drawing and of solving an instance, with its cycles and whether its values stand."""
    making, problem = _seconds(find_problem, text, np.random.default_rng(seed))
    carried = Mailman(problem, rng=np.random.default_rng(0), ends=RunEnds(cycles=1000))
    solving, _ = _seconds(_play, carried, problem, SUBJECTS["awcs"], seed)
    return making, solving, carried.cycle, carried.standing.stands


def hub() -> None:
    """Measure ten processes through the hub: by the clock, and what a message costs the hub itself."""
    given = {"problem": "random:n=10,m=10,p1=0.9,p2=0.5", "execution": "real", "stop": "messages=1000000"}
    begun: list[tuple[float, float]] = []
    workers: list[subprocess.Popen[bytes]] = []

    def say(words: str) -> None:
        if "10 of 10" in words:
            begun.append((time.perf_counter(), time.process_time()))

    def ready(host: str, port: int) -> None:
        words = ["constraints", "agent", "--join", f"{host}:{port}", "--as", "abt", "--count", "10"]
        workers.append(subprocess.Popen([sys.executable, "-m", "mensura.cli.main", *words], stderr=subprocess.DEVNULL))

    held = Hub(Instance(constraints, constraints.fill(given), 1), say=say)
    asyncio.run(held.serve("127.0.0.1", 0, ready=ready))
    seconds, spent = time.perf_counter() - begun[0][0], time.process_time() - begun[0][1]
    for worker in workers:
        worker.wait(60)
    found = held.result()
    sent = found["messages"]["total"]
    more = f"{sent:,} messages, {found['verdict']}; {1e6 * spent / sent:.0f} us of the hub's processor time each"
    _say("hub, ten processes, by the clock", sent / seconds, WANTED["hub"], f"{more}; load {os.getloadavg()[0]:.1f}")


def pydcop() -> None:
    """Solve the same files by pyDCOP, if it is there; counts are compared before times."""
    if not PYDCOP.exists():
        print("pyDCOP is not installed: make .venv-pydcop/ready")
        return
    # Of 20 agents one of middling width: at nine agents above one, pyDCOP takes minutes.
    for n, seed, room in ((15, 15, 30), (20, 2, 160)):
        problem = find_problem(f"weighted-colouring:n={n},k=3,links={2 * n}", np.random.default_rng(seed))
        theirs = _pydcop(problem, "dpop", room)
        if theirs["cost"] is None:
            print(f"dpop, n = {n}: pyDCOP did not finish in {room} s")
            continue
        tree = _tree(problem, theirs["tree"])
        cells = {agent: 3 ** len(above) for agent, above in tree.separator().items() if above}
        below = {agent: 2 * len(above) for agent, above in tree.separator().items()}
        # Their solve time leaves start-up out: the generators of our agents, which this algorithm never asks, too.
        chance = _chance(problem, 1)
        _carried(problem, SUBJECTS["dpop"], tree, chance)
        runs = [_seconds(_carried, problem, SUBJECTS["dpop"], tree, chance) for _ in range(9)]
        seconds, carried = statistics.median(run[0] for run in runs), runs[0][1]
        found = carried.report()
        # This release counts every cell of a table twice.
        expected = 2 * sum(cells.values()) + sum(below.values())
        same = (found["cost"], found["messages"]["total"]) == (theirs["cost"], theirs["sent"])
        same = same and theirs["msg_size"] == expected
        print(
            f"dpop, n = {n}, on its tree: {_beside(seconds, theirs, same=same)}; cost {found['cost']:g} and "
            f"{theirs['cost']:g}, {found['messages']['total']} and {theirs['sent']} messages, 2(n-1) = {2 * (n - 1)}; "
            f"our size {found['size']}, theirs {theirs['msg_size']} = 2 x {sum(cells.values())} cells + "
            f"{sum(below.values())}"
        )
    problem = find_problem("weighted-colouring:n=50,k=3,links=75", np.random.default_rng(50))
    tree = tree_of(problem, root="pydcop", child="pydcop")
    seconds, carried = _seconds(_carried, problem, SUBJECTS["dpop"], tree, _chance(problem, 1))
    print(f"dpop, n = 50, width {tree.width}: {seconds:.2f} s (wanted 3), size {carried.report()['size']:,}")
    problem = find_problem("weighted-colouring:n=100,k=3,links=200", np.random.default_rng(100))
    for name in ("dsa", "mgm"):
        theirs = _pydcop(problem, name, 60, cycles=CYCLES)
        like = functools.partial(SUBJECTS[name], steps=CYCLES)
        _play(Mailman(problem, rng=np.random.default_rng(0)), problem, like, 1)
        arrays = Mailman(problem, rng=np.random.default_rng(0))
        forms = {
            "plain": _seconds(_carried, problem, like, tree_of(problem), _chance(problem, 1)),
            "compiled": (_seconds(_play, arrays, problem, like, 1)[0], arrays),
        }
        for form, (seconds, carried) in forms.items():
            same = carried.messages == theirs["sent"]
            print(
                f"{name}, 100 agents, {CYCLES} cycles, {form}: {_beside(seconds, theirs, same=same)}; "
                f"{carried.messages:,} and {theirs['sent']:,} messages of agents"
            )


def _beside(seconds: float, theirs: dict[str, Any], *, same: bool) -> str:
    """Set our time beside theirs, where the counts agree."""
    times = f"{theirs['processor'] / seconds:,.0f} times as fast" if same else "counts differ, times not compared"
    processor, clock = theirs["processor"], theirs["seconds"]
    return f"ours {1000 * seconds:.2f} ms, theirs {processor:.2f} s ({clock:.2f} s by the clock); {times}"


def _pydcop(problem: Problem, algorithm: str, seconds: float, *, cycles: int = 0) -> dict[str, Any]:
    with tempfile.TemporaryDirectory() as folder:
        path = save(problem, Path(folder) / "problem.yaml")
        script = Path(__file__).parent / "_pydcop.py"
        words = [str(PYDCOP), str(script), str(path), algorithm, str(seconds), str(cycles)]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
    found: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return found


def _tree(problem: Problem, parents: dict[str, str]) -> PseudoTree:
    """Make a pseudo-tree of its parents."""
    above: dict[str, list[str]] = {}
    for agent in problem.agents:
        path = [agent]
        while path[-1] in parents:
            path.append(parents[path[-1]])
        above[agent] = path[:0:-1]
    order = sorted(problem.agents, key=lambda agent: len(above[agent]))
    near = {agent: set(problem.neighbours(agent)) for agent in order}
    pseudo = {agent: tuple(one for one in above[agent][:-1] if one in near[agent]) for agent in order}
    return PseudoTree(
        {agent: parents.get(agent) for agent in order},
        pseudo,
        {agent: tuple(one for one in order if parents.get(one) == agent) for agent in order},
        {agent: tuple(one for one in order if agent in pseudo[one]) for agent in order},
        {agent: len(above[agent]) for agent in order},
    )


def _carried(problem: Problem, make: Callable[[], Any], tree: PseudoTree, chance: Chance) -> Mailman:
    """Let agents agree on a tree in their plain form."""
    carried = Mailman(problem, rng=np.random.default_rng(0))
    agents = {}
    for name, share in shares_of(problem, ranks_of(problem, "lex", np.random.default_rng(0)), tree).items():
        agents[name] = make()
        agents[name].begin(chance(name), name)
        carried.take(name, agents[name](Ask(Post(share, (), 0), role=name)))
    while woken := carried.wake():
        for name, letters in woken:
            carried.take(name, agents[name](Ask(Post(None, letters, carried.cycle), role=name)))
    return carried


def _instance(taken: Any) -> dict[str, Any]:
    assert constraints.score is not None
    found: dict[str, Any] = constraints.score(taken.record, taken.truths).details["instances"][0]
    return found


def _play(carried: Mailman, problem: Problem, make: Callable[[], Any], seed: int) -> None:
    ranks = ranks_of(problem, "lex", np.random.default_rng(0))
    if not play(carried, ranks, make(), _chance(problem, seed)):
        raise SystemExit(f"{make} has no compiled form for this problem.")


def _chance(problem: Problem, seed: int) -> Chance:
    return {name: np.random.default_rng([seed, place]) for place, name in enumerate(problem.agents)}.__getitem__


def _seconds(work: Callable[..., Any], *given: Any, **named: Any) -> tuple[float, Any]:
    begun = time.process_time()
    made = work(*given, **named)
    return time.process_time() - begun, made


def _say(what: str, rate: float, wanted: float, more: str) -> None:
    print(f"{what:34}{rate:14,.0f} messages/s (wanted {wanted:,}); {more}")


if __name__ == "__main__":
    main(*sys.argv[1:])
