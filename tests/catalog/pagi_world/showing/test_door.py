"""The door to a served room for who watches: only with its address, and only on this machine."""

import asyncio
import http.client
import json
from urllib.parse import urlencode, urlsplit

import pytest

from mensura.catalog.pagi_world.showing.door import WatchDoor
from mensura.catalog.pagi_world.showing.watching import RoomWatch
from tests.catalog.pagi_world.protocol.dialling import run, served


def fetch(address, path=None, *, asked=None, host=None):
    place = urlsplit(address)
    line = http.client.HTTPConnection(place.hostname, place.port, timeout=120)
    body = None if asked is None else urlencode({"asked": asked if isinstance(asked, str) else json.dumps(asked)})
    headers = {} if host is None else {"Host": host}
    path = path or place.path + ("" if asked is None else "ask")
    line.request("GET" if asked is None else "POST", path, body, headers)
    reply = line.getresponse()
    found = reply.status, reply.read().decode(), dict(reply.getheaders())
    line.close()
    return found


def watched(act, **given):
    """Serve a room that is watched; `act` gets the server, what dials in, and the address of the page."""

    async def go():
        watch = RoomWatch()
        async with served(onlooker=watch, **given) as (server, dial):
            door = WatchDoor(server, watch)
            try:
                return await act(server, dial, door, door.open())
            finally:
                door.close()

    return run(go())


def test_only_who_has_the_address_is_let_in_and_only_from_this_machine():
    async def act(server, dial, door, address):
        inside = await asyncio.to_thread(fetch, address)
        others = [
            await asyncio.to_thread(fetch, address, "/"),
            await asyncio.to_thread(fetch, address, "/wrong/"),
            await asyncio.to_thread(fetch, address, "/wrong/", asked={"want": "hold"}),
            # A page elsewhere whose name was bent to this machine.
            await asyncio.to_thread(fetch, address, host="evil.example"),
        ]
        return inside, others, door._http.server_address, server.granted

    (status, page, headers), others, place, granted = watched(act)
    assert status == 200
    assert "script-src 'self'" in headers["Content-Security-Policy"]
    assert headers["Referrer-Policy"] == "no-referrer"
    assert "PAGI World: open" in page
    assert place[0] == "127.0.0.1"
    assert {other[0] for other in others} == {404}
    assert all(len(other[1]) < 100 for other in others)
    assert granted is None


@pytest.mark.parametrize(
    "asked",
    ["{", [], {}, {"want": "rule"}, {"want": "speed", "speed": 0}, {"want": "speed", "speed": True},
     {"want": "frames", "since": -1}, {"want": "speak", "text": " "}, {"want": "speak", "text": "x" * 501},
     {"want": "speak", "text": "nobody is here"}, {"want": "speak", "text": "x" * 30_000}],
)  # fmt: skip
def test_what_cannot_be_is_refused_in_a_sentence(asked):
    async def act(server, dial, door, address):
        return await asyncio.to_thread(fetch, address, asked=asked)

    status, said, _ = watched(act)
    assert status == 400
    assert json.loads(said)["fault"].endswith(".")


def test_a_room_is_held_goes_on_by_one_message_and_is_spoken_to():
    async def act(server, dial, door, address):
        client = await dial()
        await client.ask("setState,here,-1")
        door.answer({"want": "hold"})
        await client.send("addForce,LHH,5")
        await client.send("step,7")
        while len(server.seats["subject"].queue) < 2:
            await asyncio.sleep(0.01)
        held = door.watch.play.world.tick, server.commands
        door.answer({"want": "tick"})
        door.answer({"want": "tick"})
        stepped = [await client.hear() for _ in range(2)]
        tick = door.watch.play.world.tick
        door.answer({"want": "speak", "text": "come\nhere"})
        door.answer({"want": "go"})
        heard = await client.ask("step,1")
        frames = door.answer({"want": "frames", "since": 0})
        return held, stepped, tick, heard, frames

    (tick, commands), stepped, later, heard, frames = watched(act)
    assert tick == 0
    assert commands == 2
    assert stepped == ["LHH,1", "step,7"]
    assert later == 7
    assert "SC,come here" in heard
    assert frames["frames"][-1]["tick"] == 8
    json.dumps(frames)


def test_the_clock_on_the_wall_is_held_and_lets_one_tick_pass():
    async def act(server, dial, door, address):
        client = await dial()
        await client.send("print,here")
        await client.hear()
        door.answer({"want": "hold"})
        tick = door.watch.play.world.tick
        await asyncio.sleep(0.1)
        held = door.watch.play.world.tick
        door.answer({"want": "tick"})
        while door.watch.play.world.tick == held:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)
        return tick, held, door.watch.play.world.tick

    tick, held, later = watched(act, pace="wall")
    assert held == tick
    assert later == held + 1


def test_a_record_that_is_continued_is_watched_from_its_beginning(tmp_path):
    record = tmp_path / "session.jsonl"

    async def act(server, dial, door, address):
        client = await dial()
        await client.ask("step,5")
        return door.answer({"want": "frames", "since": 0})["frames"]

    first = watched(act, record=record)
    assert first[-1]["tick"] == 5
    again = watched(act, record=record)
    assert again[-1]["tick"] == 10
    assert json.loads(json.dumps(again[:6])) == json.loads(json.dumps(first))
