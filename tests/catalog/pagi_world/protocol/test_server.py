"""A served room: roles, bad input, dead clients, records that outlive a kill."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress

import numpy as np
import pytest

from mensura.catalog.pagi_world import dialogue
from mensura.catalog.pagi_world.dialogue import pagi_world
from mensura.catalog.pagi_world.play import PlayTerms, RoomPlay
from mensura.catalog.pagi_world.protocol.recording import read_events
from mensura.catalog.pagi_world.protocol.server import PagiServer, score_file
from mensura.catalog.pagi_world.rooms.room import draw_room, find_room
from tests.catalog.pagi_world.protocol.dialling import run, served
from tests.waiting import end


@pytest.mark.parametrize(
    "bad",
    [
        b'{"messageType": "addForce", \n',
        b"{" * 5000 + b"}\n",
        b"\xff\xfe\xfd\n",
        b"addForce,LHvec,nan,1\n",
        b"addForce,LHvec,1e300,1\n",
        b'{"messageType":"addForce","stringContent":"LHvec","vectorContent":{"x":NaN,"y":1}}\n',
        b"sensorRequest,V3.99\n",
        b"addForce,LHH,[Sx/0]\n",
        b"addForce,LHH,[((((]\n",
        b"setReflex,a,Sx>1>2,addForce|J\n",
        b"setReflex,a,,setReflex|b|\n",
        b"setReflex,a,,step|5\n",
        b"step,-3\n",
        b"step,nan\n",
        b"dropItem,apple,inf,0\n",
        b"x" * 1_200_000 + b"\n",
    ],
)
def test_bad_input_is_answered_with_a_sentence_and_harms_nothing(bad):
    async def go():
        async with served() as (server, dial):
            client = await dial()
            before = await client.ask("sensorRequest,BP")
            await client.send(bad)
            if bad.startswith(b'{"messageType": "addForce", \n'):
                # Not complete yet: it is when a line ends with a brace.
                await client.send(b"}\n")
            heard = await client.ask("sensorRequest,BP")
            return server.errors + sum("errorMsg" in line for line in heard), before, heard

    errors, before, heard = run(go())
    assert errors >= 1
    said = [line for line in heard if "errorMsg" in line]
    assert said
    assert "Traceback" not in said[0]
    assert heard[-1] == before[0]


def test_several_messages_in_a_packet_and_one_in_many_are_read_alike():
    async def go():
        async with served() as (_, dial):
            client = await dial()
            await client.send(b"sensorRequest,BP\nsensorRequest,A\n\nsensorRequest,BP\n")
            together = [await client.hear() for _ in range(3)]
            whole = b'{"messageType":"sensorRequest",\n"stringContent":"BP"}\n'
            for byte in whole:
                await client.send(bytes([byte]))
            return together, await client.hear()

    together, slowly = run(go())
    assert together[0] == together[2] == "BP,-2.7,-8.8"
    assert json.loads(slowly) == {"type": "BP", "x": -2.7, "y": -8.8}


def test_a_message_of_10_mb_is_skipped_and_the_next_is_read():
    async def go():
        async with served() as (_, dial):
            client = await dial()
            await client.send(b"print," + b"x" * 10_000_000 + b"\n")
            return await client.ask("sensorRequest,BP")

    assert run(go())[-1] == "BP,-2.7,-8.8"


def test_roles_are_taken_by_name_or_the_first_that_is_free():
    async def go():
        async with served(room="three-pills") as (_, dial):
            one, two, three, four = [await dial() for _ in range(4)]
            await one.send("establishConnection,b")
            first = await one.ask("sensorRequest,BP")
            await two.send("establishConnection")
            second = await two.ask("sensorRequest,BP")
            taken = await three.ask("establishConnection,b")
            third = await three.ask("sensorRequest,BP")
            await four.send("sensorRequest,BP")
            return first, second, taken, third, await four.hear()

    first, second, taken, third, fourth = run(go())
    assert (first, second, third) == (["BP,0,1.14"], ["BP,-6,1.14"], ["BP,6,1.14"])
    assert taken == ["errorMsg,The role b is taken."]
    assert "All roles are taken" in fourth


def test_the_room_goes_on_once_all_who_are_there_have_asked_and_a_lost_client_stops_nobody():
    async def go():
        async with served(room="three-pills") as (server, dial):
            one, two = await dial(), await dial()
            await one.ask("establishConnection,a")
            await two.ask("establishConnection,b")
            await one.send("step,5")
            await asyncio.sleep(0.2)
            waiting = server.session.clock.now
            await two.send("step,2")
            second = await two.hear()
            two.writer.transport.abort()
            return waiting, second, await one.hear()

    waiting, second, first = run(go())
    assert waiting == 0
    assert (second, first) == ("step,2", "step,5")


def test_speakers_hear_themselves_and_the_room_silences_the_dumbed():
    async def go():
        async with served(room="three-pills") as (_, dial):
            clients = {role: await dial() for role in "abc"}
            for role, client in clients.items():
                await client.ask(f"establishConnection,{role}")
            heard = {}
            for client in clients.values():
                await client.send("say,P,I don't know,2,0,0")
            for client in clients.values():
                await client.send("step,1")
            for role, client in clients.items():
                heard[role] = []
                while not (line := await client.hear()).startswith("step"):
                    heard[role].append(line)
            return heard

    heard = run(go())
    assert len({tuple(lines) for lines in heard.values()}) == 1
    ((line,),) = {tuple(lines) for lines in heard.values()}
    assert line.startswith("heard,")


def test_the_clock_of_the_wall_lets_the_room_go_on_by_itself():
    async def go():
        async with served(pace="wall") as (server, dial):
            client = await dial()
            await client.ask("sensorRequest,BP")
            while server.session.clock.now < 20:
                await asyncio.sleep(0.01)
            late = await client.ask("step,1")
            return late, len(server.lateness), server.session.clock.now

    late, ticks, now = run(go())
    assert late == ["errorMsg,step: the clock lets this room go on."]
    # Never a tick is lost: as many were made as the clock of the session says.
    assert ticks == now


def test_a_session_that_is_over_says_so_and_reset_begins_the_next():
    async def go():
        async with served(room="large-or-strong") as (_, dial):
            client = await dial()
            await client.send("step,5000")
            over = [await client.hear() for _ in range(2)]
            await client.send("sensorRequest,BP")
            refused = await client.hear()
            await client.send("getOutcome")
            outcome = await client.hear()
            await client.send("reset")
            again = await client.hear()
            return over, refused, outcome, again, await client.ask("sensorRequest,BP")

    over, refused, outcome, again, place = run(go())
    assert over == ["over,The room is over; it is not solved.", "step,1200"]
    assert "reset begins the next" in refused
    assert outcome.startswith("outcome,0,1200,")
    assert again == "reset,OK"
    assert place == ["BP,0,1.14"]


SERVE = (
    "from mensura.catalog.pagi_world import dialogue as d; d.SAVE_EVERY = 60; from mensura.cli.main import main; main()"
)


def serve(record, port):
    options = ["--room", "open", "--port", str(port), "--seed", "5", "--record", str(record)]
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, "pagi-world", "serve", *options], stderr=subprocess.PIPE, text=True
    )
    while "is served at" not in (line := process.stderr.readline()):
        assert process.poll() is None, line
    return process, int(line.split("127.0.0.1:")[1].split(",")[0])


ACTS = ["setReflex,push,,addForce|LHvec|20|30", "dropItem,wallBlock,0,-5", "dropItem,bowlingBall,0.5,2"]


async def act(port, lines):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    heard = []
    for line in lines:
        writer.write(line.encode() + b"\n")
        heard.append((await asyncio.wait_for(reader.readline(), 30)).decode())
        while heard[-1].startswith("reflexFired"):
            heard[-1] = (await asyncio.wait_for(reader.readline(), 30)).decode()
    writer.transport.abort()
    return heard


@pytest.mark.slow
def test_a_killed_server_has_lost_nothing_acknowledged_and_goes_on_with_the_same_bits(tmp_path, monkeypatch):
    # Both go over several saves, before the kill and after it.
    monkeypatch.setattr(dialogue, "SAVE_EVERY", 60)
    before = [*ACTS, *["step,7"] * 20]
    after = [*["step,11"] * 10, "getOutcome", "sensorRequest,BP", "sensorRequest,LP"]
    process, port = serve(tmp_path / "killed.jsonl", 0)
    run(act(port, before))
    os.kill(process.pid, signal.SIGKILL)
    process.wait()
    process, port = serve(tmp_path / "killed.jsonl", 0)
    resumed = run(act(port, after))
    assert end(process) == 0

    async def whole():
        server = PagiServer(pagi_world, pagi_world.fill({"room": "open"}), 5, record=tmp_path / "whole.jsonl")
        found = asyncio.get_running_loop().create_future()
        task = asyncio.create_task(server.serve("127.0.0.1", 0, ready=lambda host, at: found.set_result(at)))
        heard = await act(await found, [*before, *after])
        server.stop()
        await task
        return heard[len(before) :]

    assert resumed == run(whole())
    acknowledged = [event for _, events in read_events(tmp_path / "killed.jsonl") for event in events]
    assert sum(event.kind == "save" for event in acknowledged) >= 3
    assert sum(event.kind == "answer" for event in acknowledged) == len(before) + len(after)
    scored = [score_file(pagi_world, tmp_path / f"{name}.jsonl") for name in ("killed", "whole")]
    assert [one["ticks"] for one in scored[0]] == [20 * 7 + 110]
    assert str(scored[0]) == str(scored[1])


def test_what_was_written_is_on_the_disk_soon_though_the_room_is_busy(tmp_path):
    async def go():
        async with served(record=tmp_path / "a.jsonl") as (server, dial):
            client = await dial()
            assert await client.ask("sensorRequest,A") == ["A,0"]
            began = time.perf_counter()
            # Nothing else runs in this loop, as while many ticks are stepped.
            while not server._file._settled:
                assert time.perf_counter() - began < 20
                time.sleep(0.005)

    run(go())


def test_sessions_after_a_resumed_one_are_told_and_counted_once(tmp_path):
    async def go():
        async with served(record=tmp_path / "a.jsonl", room="large-or-strong") as (server, dial):
            client, heard = await dial(), []
            for line, replies in (("step,5000", 2), ("reset", 1)) * 2:
                await client.send(line)
                heard += [await client.hear() for _ in range(replies)]
            return heard, [one["session"] for one in server.report()["sessions"]]

    once = ["over,The room is over; it is not solved.", "step,1200", "reset,OK"]
    assert run(go()) == (once * 2, [0, 1])
    # The third was begun, and is gone on with.
    assert run(go()) == (once * 2, [2, 3])


def test_what_a_person_types_is_heard_by_all_and_costs_nobody_a_command():
    async def go():
        async with served(room="three-pills") as (server, dial):
            agents = [await dial() for _ in range(3)]
            for agent in agents:
                await agent.ask("establishConnection")
            person = await dial()
            await person.send("SC,which pill did you receive?")
            heard = []
            for agent in agents:
                await agent.send("step,1")
            for agent in agents:
                heard.append(await agent.hear())
            for agent in agents:
                await agent.send("step,1000")
            while not server.results:
                await asyncio.sleep(0.01)
            return heard, server.results[0]["commands"]

    heard, commands = run(go())
    assert heard == ["SC,which pill did you receive?"] * 3
    # Each has set the mark that the test waits for; steps are counted by nobody.
    assert commands == 3


def test_who_is_silenced_cannot_speak_as_if_a_person_typed():
    plan = draw_room(find_room("three-pills"), np.random.default_rng(1))
    play = RoomPlay(plan, PlayTerms())
    for role in plan.silenced:
        play.call(role, [("SC", "I can hear you")])
    play.step()
    assert [play.take_replies(role) for role in plan.roles] == [[], [], []]
    [free] = set(plan.roles) - set(plan.silenced)
    play.call(free, [("SC", "which pill?")])
    play.step()
    assert [play.take_replies(role) for role in plan.roles] == [[["SC", "which pill?"]]] * 3


def test_under_the_clock_of_the_wall_one_bad_line_spoils_no_other_of_its_tick():
    async def go():
        async with served(pace="wall") as (server, dial):
            client = await dial()
            bad = "sensorRequest," + "x" * 400
            await client.send(f"setState,a,-1\n{bad}\nsetState,b,-1\ngetActiveStates")
            return [await client.hear() for _ in range(4)], server.errors

    heard, errors = run(go())
    assert sorted(heard)[0] == "activeStates,a,b"
    assert errors == 1


def test_a_record_of_another_room_is_not_gone_on_with(tmp_path):
    from mensura.errors import BadParameter

    PagiServer(pagi_world, pagi_world.fill({"room": "open"}), 5, record=tmp_path / "a.jsonl")
    with pytest.raises(BadParameter, match="another room, setting or seed"):
        PagiServer(pagi_world, pagi_world.fill({"room": "dance"}), 5, record=tmp_path / "a.jsonl")


def test_a_tick_of_the_wall_begins_with_reflexes():
    from mensura.catalog.pagi_world.play import PlayTerms, RoomPlay
    from mensura.catalog.pagi_world.rooms.room import draw_room, find_room
    from mensura.dialogue import Clock

    play = RoomPlay(draw_room(find_room("open"), np.random.default_rng(0)), PlayTerms())
    play.call("subject", [("setReflex", "early", "-go", [("setState", "saw", -1)])])
    tick = dialogue.play_tick(play, Clock())
    next(tick)
    with suppress(StopIteration):
        tick.send([("setState", "go", -1)])
    assert set(play.places["subject"].automaton.states) == {"saw", "go"}
