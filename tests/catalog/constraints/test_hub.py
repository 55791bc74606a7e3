"""The hub: agents elsewhere agree over TCP; who is missing or lost is named, and nothing breaks by strangers."""

import asyncio
import json
import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from mensura.catalog.constraints.dialogue import constraints
from mensura.catalog.constraints.hub import wire
from mensura.catalog.constraints.hub.direct import Switchboard, join_directly
from mensura.catalog.constraints.hub.hub import Hub
from mensura.catalog.constraints.hub.joining import join
from mensura.catalog.constraints.hub.wire import line_of, read_line
from mensura.catalog.constraints.subjects import SUBJECTS
from mensura.dialogue import Event, Instance, replay
from mensura.errors import BadParameter, SubjectLost


def run_apart(coroutine):
    """Run a coroutine in a thread of its own: in this one a browser's loop may run."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


def instance_of(problem, **given):
    return Instance(constraints, constraints.fill({"problem": problem, "execution": "real", **given}), 1)


async def opened(hub):
    """Let a hub listen; returns what it does and where."""
    where, listening = [], asyncio.Event()

    def ready(*address):
        where.extend(address)
        listening.set()

    serving = asyncio.create_task(hub.serve("127.0.0.1", 0, ready=ready))
    await listening.wait()
    return serving, where


def together(hub, who, *, joining=join):
    """Let agents of one algorithm sit at a hub until they are done."""

    async def main():
        serving, where = await opened(hub)
        ends = await asyncio.gather(*(joining(SUBJECTS.get(who, who), *where) for _ in hub.instance.roles))
        await asyncio.wait_for(serving, 120)
        return ends

    return run_apart(main()), hub.result()


@pytest.mark.parametrize(("who", "problem"), [("abt", "queens:n=6"), ("dpop", "queens:n=5"), ("awcs", "queens:n=6")])
def test_agents_elsewhere_agree(who, problem):
    ends, found = together(Hub(instance_of(problem)), who)
    assert set(ends) == {"finished"}
    assert found["verdict"] == "solved"
    assert found["self_reported"]
    assert all(agent["posts"] >= 1 for agent in found["agents_elsewhere"].values())


def test_agents_prove_that_there_is_no_solution_and_the_rest_is_drained():
    _, found = together(Hub(instance_of("queens:n=3")), "abt")
    assert (found["verdict"], found["truth"]) == ("unsolvable", "unsolvable")


def test_what_was_recorded_is_replayed(tmp_path):
    record = tmp_path / "run.jsonl"
    hub = Hub(instance_of("queens:n=5"), record=record)
    _, found = together(hub, "abt")
    events = [Event(**json.loads(line)) for line in record.read_text().splitlines()]
    again = replay(hub.instance, events, trace="summary")
    assert again.status == "finished"
    assert again.drain_truths()["post"]["runs"][0]["messages"]["total"] == found["messages"]["total"]


def test_agents_that_write_to_each_other_are_checked_by_the_hub():
    _, found = together(Switchboard(instance_of("queens:n=6")), "abt", joining=join_directly)
    assert (found["verdict"], found["violated"]) == ("solved", 0)
    assert not found["replayable"]
    _, found = together(Switchboard(instance_of("queens:n=3")), "abt", joining=join_directly)
    assert (found["verdict"], found["truth"]) == ("unsolvable", "unsolvable")


def test_agents_that_write_to_each_other_solve_the_problem_that_the_hub_would_give_them():
    instance = instance_of("random:n=6,m=3,p1=0.7,p2=0.3", order="random")
    through, direct = Hub(instance), Switchboard(instance)
    through.session.start()
    told = {role: ask.prompt.share.data() for role, ask in through.session.open.items()}
    assert told == {role: share.data() for role, share in direct.shares.items()}


def test_a_false_proof_among_agents_that_write_to_each_other_is_wrong():
    class Liar(SUBJECTS["abt"]):
        def start(self):
            yield self.stop("unsolvable")

    hub = Switchboard(instance_of("queens:n=4"))
    _, found = together(hub, Liar, joining=join_directly)
    assert (found["verdict"], found["truth"]) == ("wrong", "solvable")


def test_what_agents_that_write_to_each_other_cannot_do_is_counted_and_harms_nobody():
    class Rude(SUBJECTS["abt"]):
        def start(self):
            yield self.send(["stranger", self.name], "hello")
            yield self.assign("x9", 0)
            yield from super().start()

    hub = Switchboard(instance_of("queens:n=4"))
    _, found = together(hub, Rude, joining=join_directly)
    assert found["verdict"] == "solved"
    # Two letters that went nowhere, and a variable that is nobody's, for each of four.
    assert found["refused"] == 12


class Stalled(SUBJECTS["chance"]):
    """Says something for ever: nothing but a limit ends it."""

    def start(self):
        yield self.send(self.neighbours, "on")

    def receive(self, mail):
        yield self.send(mail[0].sender, "on")


@pytest.mark.parametrize(("hub", "joining"), [(Hub, join), (Switchboard, join_directly)])
def test_a_run_ends_at_its_seconds_and_says_so(hub, joining):
    made = hub(instance_of("queens:n=4", stop="seconds=1"))
    _, found = together(made, Stalled, joining=joining)
    assert found["verdict"] == "limit"
    assert found["messages"]["total"] > 12


def test_a_chain_of_problems_is_not_for_agents_that_write_to_each_other():
    with pytest.raises(BadParameter, match="leave out --direct"):
        Switchboard(instance_of("robots:n=2"))


def leaving(make, after):
    """An agent's maker and a way to leave: the agent breaks off when it has read so many posts."""

    class Leaving(make):
        read = 0

        def __call__(self, ask):
            self.read += 1
            if self.read > after:
                raise ConnectionAbortedError
            return super().__call__(ask)

    return Leaving


def test_a_lost_agent_ends_the_run_and_is_named():
    said = []
    hub = Hub(instance_of("queens:n=6"), say=said.append)

    async def main():
        serving, where = await opened(hub)
        makers = [SUBJECTS["abt"]] * 5 + [leaving(SUBJECTS["abt"], after=2)]
        joins = [join(make, *where, role=f"x{place}") for place, make in enumerate(makers)]
        ends = await asyncio.gather(*joins, return_exceptions=True)
        await asyncio.wait_for(serving, 120)
        return ends

    ends = run_apart(main())
    assert isinstance(ends[5], ConnectionAbortedError)
    assert set(ends[:5]) == {"crashed"}
    assert said[-1] == "Agent x5 is lost."
    assert hub.result()["verdict"] == "crashed"


def test_a_run_that_pauses_goes_on_when_the_lost_agent_is_back():
    said = []
    hub = Hub(instance_of("queens:n=6"), lost="pause", say=said.append)
    alone = Hub(instance_of("queens:n=6"))

    async def main():
        serving, where = await opened(hub)
        makers = [SUBJECTS["abt"]] * 5 + [leaving(SUBJECTS["abt"], after=3)]
        joins = [asyncio.create_task(join(make, *where, role=f"x{i}")) for i, make in enumerate(makers)]
        await asyncio.wait([joins[5]])
        with pytest.raises(ConnectionAbortedError):
            joins[5].result()
        while not said[-1].startswith("Agent x5 is lost"):
            await asyncio.sleep(0.01)
        assert hub.missing == ["x5"]
        assert not serving.done()
        ends = [await join(SUBJECTS["abt"], *where), *await asyncio.gather(*joins[:5])]
        await asyncio.wait_for(serving, 120)
        return ends

    assert set(run_apart(main())) == {"finished"}
    assert said[-2:] == ["Agent x5 is lost. The run waits for it.", "Agent x5 is here, 6 of 6."]
    found, whole = hub.result(), together(alone, "abt")[1]
    assert (found["verdict"], whole["verdict"]) == ("solved", "solved")
    assert found["assignment"] == whole["assignment"]


def test_strangers_are_told_what_is_wrong_and_harm_nobody(monkeypatch):
    monkeypatch.setattr(wire, "PATIENCE", 0.05)
    said = []
    hub = Hub(instance_of("queens:n=4"), say=said.append)

    async def ask(where, *lines):
        reader, writer = await asyncio.open_connection(*where)
        for line in lines:
            writer.write(line)
        answer = await read_line(reader)
        writer.close()
        return answer

    async def main():
        serving, where = await opened(hub)
        errors = [
            await ask(where, b"hello\n"),
            await ask(where, b"[1]\n"),
            await ask(where, line_of({"join": 3})),
            await ask(where, line_of({"join": "queen"})),
        ]
        reader, writer = await asyncio.open_connection(*where)
        writer.write(line_of({"join": "x0"}))
        assert (await read_line(reader))["welcome"] == "x0"
        errors.append(await ask(where, line_of({"join": "x0"})))
        # A guest who talks before it is asked, then leaves before the run begins, leaves its seat free.
        writer.write(line_of({"number": 1, "calls": []}))
        errors.append(await read_line(reader))
        writer.close()
        while "x0" not in hub.missing or not any(words.startswith("Waiting for x0, x1") for words in said):
            await asyncio.sleep(0.01)
        await asyncio.gather(*(join(SUBJECTS["abt"], *where) for _ in range(4)))
        await asyncio.wait_for(serving, 120)
        return [error["error"] for error in errors]

    errors = run_apart(main())
    wanted = ["object of JSON", "object of JSON", "first line is", "no agent 'queen'", "here already", "no post"]
    for error, words in zip(errors, wanted, strict=True):
        assert words in error
    assert hub.result()["verdict"] == "solved"


def test_an_invalid_answer_is_said_and_asked_again():
    hub = Hub(instance_of("queens:n=4"))

    async def main():
        serving, where = await opened(hub)
        reader, writer = await asyncio.open_connection(*where)
        writer.write(line_of({"join": "x0"}))
        await read_line(reader)
        joins = [asyncio.create_task(join(SUBJECTS["abt"], *where)) for _ in range(3)]
        post = await read_line(reader)
        writer.write(line_of({"number": post["number"], "calls": [["shout", "x1"]]}))
        error = await read_line(reader)
        for _ in range(2):
            writer.write(line_of({"number": post["number"], "calls": "none"}))
            await read_line(reader)
        ends = await asyncio.gather(*joins)
        await asyncio.wait_for(serving, 120)
        writer.close()
        return error["error"], ends

    error, ends = run_apart(main())
    assert "no tool called 'shout'" in error
    # Three in a row end the session, as they do everywhere.
    assert set(ends) == {"invalid"}


def test_without_a_hub_one_sentence_is_said():
    with pytest.raises(SubjectLost, match=r"no hub at 127\.0\.0\.1:9"):
        run_apart(join(SUBJECTS["abt"], "127.0.0.1", 9))

    async def main():
        serving, where = await opened(Hub(instance_of("queens:n=4")))
        with pytest.raises(BadParameter, match="no agent 'x9'"):
            await join(SUBJECTS["abt"], *where, role="x9")
        serving.cancel()

    run_apart(main())


def started(*words):
    line = [sys.executable, "-m", "mensura.cli.main", "constraints", *words]
    return subprocess.Popen(line, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


SLEEPER = """
import time
from mensura.catalog.constraints.algorithms.abt import Abt

class Sleeper(Abt):
    def start(self):
        time.sleep(600)
"""


@pytest.mark.parametrize("count", [3, pytest.param(10, marks=pytest.mark.proof)])
def test_processes_over_tcp_agree_and_one_that_is_killed_is_named(count, tmp_path):
    (tmp_path / "sleeper.py").write_text(SLEEPER)
    running = [started("hub", "--problem", f"queens:n={count}", "--port", "0", "--lost", "pause", "--json")]
    hub = running[0]
    try:
        port = hub.stderr.readline().split(":")[1].split(";")[0]

        def agent(role, who="abt"):
            running.append(started("agent", "--join", f"127.0.0.1:{port}", "--as", who, "--role", role))
            return running[-1]

        asleep = agent("x0", f"{tmp_path / 'sleeper.py'}:Sleeper")
        others = [agent(f"x{place}") for place in range(1, count)]
        said = [hub.stderr.readline()]
        while f"{count} of {count}" not in said[-1]:
            said.append(hub.stderr.readline())
        assert any("Agent x0 is here" in line for line in said)
        os.kill(asleep.pid, signal.SIGKILL)
        assert hub.stderr.readline() == "Agent x0 is lost. The run waits for it.\n"
        last = agent("x0")
        out, err = hub.communicate(timeout=60)
        assert hub.returncode == 0, err
        assert json.loads(out)["verdict"] == ("unsolvable" if count == 3 else "solved")
        assert "Traceback" not in err
        assert [one.wait(20) for one in [*others, last]] == [0] * count
    finally:
        for process in running:
            process.kill()
            process.wait()


def test_seeds_of_agents_lead_to_no_other_stream():
    hub = Hub(instance_of("queens:n=4"))
    seeds = [seat.seed for seat in hub.seats.values()]
    assert len(set(seeds)) == 4
    assert np.random.default_rng(1).integers(2**53) not in seeds
