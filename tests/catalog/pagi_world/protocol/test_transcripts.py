"""Every message of the protocol with its answer, written down in each dialect.

Where a change is meant, write them anew: MENSURA_WRITE_GOLDEN=1 pytest THIS_FILE.
"""

import asyncio
import json
import os
from pathlib import Path

import pytest

from tests.catalog.pagi_world.protocol.dialling import served

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


async def transcript(messages, dialect, **given):
    lines = []
    async with served(**given) as (_, dial):
        client = await dial()
        for one in messages:
            heard = await client.ask(one, dialect)
            lines += [f"> {one}", *(f"< {line}" for line in heard)]
    return "\n".join(lines) + "\n"


CASES = {
    "json": (JSON, "json", {}),
    "commas": (COMMAS, "commas", {}),
    "original-json": (JSON, "json", {"physics": "original"}),
}


@pytest.mark.parametrize("name", CASES)
def test_every_message_is_answered_as_written_down(name, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    messages, dialect, given = CASES[name]
    found = asyncio.run(transcript(messages, dialect, **given))
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

    (fine,), (wrong,) = asyncio.run(save())
    assert fine == "saveTask,mine,OK"
    assert wrong.startswith("errorMsg")
    assert json.loads((tmp_path / "mine.json").read_text())["editing"] is True
    assert not (tmp_path.parent / "other.json").exists()
