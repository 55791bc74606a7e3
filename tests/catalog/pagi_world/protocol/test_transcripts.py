"""Every message of the protocol with its answer, written down in each dialect.

Where a change is meant, write them anew: MENSURA_WRITE_GOLDEN=1 pytest THIS_FILE.
"""

import json
import os
from pathlib import Path

import pytest

from tests.catalog.pagi_world.protocol.dialling import run, served

HERE = Path(__file__).parent


def message(kind, s=None, f=None, v=None, o=None, m=None):
    made = {"messageType": kind, "stringContent": s, "floatContent": f, "otherStrings": o, "messages": m}
    if v is not None:
        made["vectorContent"] = {"x": v[0], "y": v[1]}
    return json.dumps({name: value for name, value in made.items() if value is not None})


JUMP = json.loads(message("addForce", "J"))
JSON = [
    message("establishConnection"),
    *[message("sensorRequest", code) for code in ("S", "BP", "LP", "RP", "A", "B0", "B4", "L4", "R0", "V0.0", "P7.0")],
    message("sensorRequest", "MPN"),
    message("addForce", "LHvec", v=(3, 4)),
    message("addForce", "RHH", v=(3, 0)),
    message("addForce", "BMV", v=(0, 5)),
    message("addForce", "BMvec", o=["[2 * Sx + 1]", "7"]),
    message("addForce", "BR", v=(10, 0)),
    message("addForce", "BR", v=(-10, 0)),
    message("addForce", "LHG"),
    message("addForce", "LHR"),
    message("addForce", "J"),
    message("addForce", "J"),
    message("step", f=5),
    message("addForce", "J"),
    message("setState", "awake", f=-1),
    message("setState", "short", f=20),
    message("getStates"),
    message("step", f=2),
    message("getStates"),
    message("setState", "awake", f=0),
    message("getStates"),
    message("setReflex", "hop", o=["Sy<-1;-done"], m=[JUMP, json.loads(message("setState", "done", f=-1))]),
    message("getReflexes"),
    message("step", f=120),
    message("removeReflex", "hop"),
    message("removeReflex", "hop"),
    message("dropItem", "apple", v=(2, -9)),
    message("dropItem", "unicorn", v=(2, -9)),
    message("findObj", "apple", o=["PD"]),
    message("createItem", "cat.png", f=5, v=(6, -8), o=["cat,1,30,0,5"]),
    message("createItem", "../cat.png", f=5, v=(6, -8), o=["cat,1,30,0,5"]),
    message("addForceToItem", "cat", f=1, v=(10, 0)),
    message("addForceToItem", "floor", f=1, v=(10, 0)),
    message("step", f=1),
    message("getInfoAboutItem", "cat"),
    message("destroyItem", "cat"),
    message("destroyItem", "cat"),
    message("say", "hello", f=2, v=(1, 2), o=["P"]),
    message("step", f=1),
    message("say", "hello", f=2, v=(1, 2), o=["N"]),
    message("say", "hello", f=2, v=(1, 2), o=["apple"]),
    message("say", "hello", f=2, v=(1, 2), o=["pear"]),
    message("print", "a line"),
    message("getOutcome"),
    message("loadTask", "open"),
    message("loadTask", "../secret"),
    message("reset"),
    message("sensorRequest", "BP"),
    message("sensorRequest", "B8"),
    message("sensorRequest", "V31.0"),
    message("addForce", "XYZ", v=(1, 1)),
    message("addForce", "LHH", o=["[1 / (Sx - Sx)]"]),
    message("addForce", "LHH", o=["[1 +]"]),
    message("bogus"),
    '{"messageType": 3}',
]
COMMAS = [
    "establishConnection",
    *[f"sensorRequest,{code}" for code in ("S", "BP", "LP", "RP", "A", "B0", "B4", "L4", "R0", "V0.0", "P7.0", "MPN")],
    "addForce,LHvec,3,4",
    "addForce,RHH,3",
    "addForce,BMV,5",
    "addForce,BMvec,[2 * Sx + 1],7",
    "addForce,BR,10",
    "addForce,BR,-10",
    "addForce,LHG",
    "addForce,LHR",
    "addForce,J",
    "step,5",
    "addForce,J",
    "setState,awake,-1",
    "setState,short,20",
    "getActiveStates",
    "step,2",
    "getActiveStates",
    "setReflex,hop,Sy<-1;-done,addForce|J;setState|done|-1",
    "getActiveReflexes",
    "step,120",
    "removeReflex,hop",
    "removeReflex,hop",
    "dropItem,apple,2,-9",
    "dropItem,apple,3,-9,a note",
    "dropItem,unicorn,2,-9",
    "findObj,apple,PD",
    "createItem,cat,cat.png,6,-8,5,1,30,0,5",
    "addForceToItem,cat,10,0,1",
    "step,1",
    "getInfoAboutItem,cat",
    "destroyItem,cat",
    "say,P,hello, you,2,1,2",
    "step,1",
    "say,apple,hello,2,1,2",
    "say,pear,hello,2,1,2",
    "print,a, line",
    "getOutcome",
    "loadTask,open",
    "reset",
    "sensorRequest,BP",
    "sensorRequest,B8",
    "addForce,XYZ,1",
    "addForce,LHvec,1",
    "bogus",
]


EVENTS = [
    ("SC,too early", message("SC", "too early")),
    ("step,1", message("step", f=1)),
    ("SC,hello there", message("SC", "hello there")),
    ("say,P,good day,2,0,2", message("say", "good day", f=2, v=(0, 2), o=["P"])),
    ("step,40", message("step", f=40)),
    ("sensorRequest,MDN", message("sensorRequest", "MDN")),
    ("addForce,RHvec,3000,0", message("addForce", "RHvec", v=(3000, 0))),
    ("step,20", message("step", f=20)),
    ("addForce,BMH,20000", message("addForce", "BMH", v=(20000, 0))),
    ("step,20", message("step", f=20)),
    ("answerQuestion,colour,red", message("answerQuestion", "colour", o=["red"])),
    ("answerQuestion,size,red", message("answerQuestion", "size", o=["red"])),
    ("setGravity,0,-5", message("setGravity", v=(0, -5))),
    ("createItem,dot,dot.png,9,3,5,1,30,0,5", message("createItem", "dot.png", f=5, v=(9, 3), o=["dot,1,30,0,5"])),
    ("saveTask,mine", message("saveTask", "mine")),
    ("loadTask,mine", message("loadTask", "mine")),
    ("getInfoAboutItem,dot", message("getInfoAboutItem", "dot")),
    ("sensorRequest,BP", message("sensorRequest", "BP")),
    ('changeItem,floor,{"friction": 1, "size": [30, 2]}', message("changeItem", "floor", o=['{"friction": 1}'])),
    ("removeConnection,", message("removeConnection")),
]
ROOM = {
    "name": "events",
    "editing": True,
    "agents": [{"role": "subject", "at": [0, 1.14]}],
    "things": [
        {"kind": "floatingHorizontalWall", "name": "floor", "at": [0, -1.275], "size": [40, 2.55]},
        {"kind": "apple", "at": [0.4, 4]},
        {"kind": "triggerBox", "name": "box", "at": [5, 2], "events": ["RE", "RX", "BE", "BX"]},
    ],
    "questions": [{"key": "colour", "text": "Which colour?", "options": ["red"], "truth": "red"}],
}


async def transcript(messages, dialect, **given):
    lines = []
    async with served(**given) as (_, dial):
        client = await dial()
        for one in messages:
            if "removeConnection" in one:
                await client.send(one)
                assert await client.hear() == "", "who leaves is let go"
                lines.append(f"> {one}")
                break
            heard = await client.ask(one, dialect)
            lines += [f"> {one}", *(f"< {line}" for line in heard)]
    return "\n".join(lines) + "\n"


CASES = {
    "json": (JSON, "json", {}),
    "commas": (COMMAS, "commas", {}),
    "original-json": (JSON, "json", {"physics": "original"}),
    "original-commas": (COMMAS, "commas", {"physics": "original"}),
    **{
        f"events-{physics}-{dialect}": (
            [pair[dialect == "json"] for pair in EVENTS],
            dialect,
            {"room": "events.json", "physics": physics},
        )
        for physics in ("paper", "original")
        for dialect in ("json", "commas")
    },
}


@pytest.mark.parametrize("name", CASES)
def test_every_message_is_answered_as_written_down(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "events.json").write_text(json.dumps(ROOM))
    # A picture of 150 by 50 points is 3 by 1 units large.
    (tmp_path / "dot.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes([0, 0, 0, 150, 0, 0, 0, 50]))
    messages, dialect, given = CASES[name]
    found = run(transcript(messages, dialect, **given))
    path = HERE / f"golden-{name}.txt"
    if os.environ.get("MENSURA_WRITE_GOLDEN"):
        path.write_text(found)
    assert found.splitlines() == path.read_text().splitlines()


def test_saving_writes_into_the_folder_of_the_server_only(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    async def save():
        async with served() as (_, dial):
            client = await dial()
            return [await client.ask(f"saveTask,{name}") for name in ("mine", "../other")]

    (fine,), (wrong,) = run(save())
    assert fine == "saveTask,mine,OK"
    assert wrong.startswith("errorMsg")
    assert json.loads((tmp_path / "mine.json").read_text())["editing"] is True
    assert not (tmp_path.parent / "other.json").exists()


def test_every_message_of_the_protocol_is_in_a_transcript_of_each_dialect():
    from mensura.catalog.pagi_world.calls import TOOLS
    from mensura.catalog.pagi_world.protocol.reading import read_message

    for dialect in ("json", "commas"):
        lines = [line for name, (lines, said, _) in CASES.items() if said == dialect for line in lines]
        seen = {row[0] for line in lines if (row := read_message(line.encode()).row)}
        assert seen >= {*TOOLS, "establishConnection", "removeConnection"}


def test_what_is_saved_can_be_loaded_with_the_sizes_of_its_pictures(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "dot.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + bytes([0, 0, 0, 150, 0, 0, 0, 50]))
    (tmp_path / "bad.png").write_bytes(b"no picture")

    async def go():
        async with served() as (server, dial):
            client = await dial()
            made = await client.ask("createItem,dot,dot.png,6,-8,5,1,0,0,5")
            wrong = await client.ask("createItem,bad,bad.png,6,-8,5,1,0,0,5")
            saved = await client.ask("saveTask,mine")
            loaded = await client.ask("loadTask,mine.json")
            return made, wrong, saved, loaded, server.errors, server.session.drain()

    made, wrong, saved, loaded, errors, _ = run(go())
    assert (made, saved, loaded) == (["createItem,dot,OK"], ["saveTask,mine,OK"], ["loadTask,mine.json,OK"])
    assert "neither a PNG nor a GIF" in wrong[0]
    assert errors == 1
    things = {one["name"]: one for one in json.loads((tmp_path / "mine.json").read_text())["things"]}
    assert things["dot"]["size"] == [3.0, 1.0]
