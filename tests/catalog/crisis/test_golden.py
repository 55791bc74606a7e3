"""A session of the crisis written down: any change of what the office says shows as a readable difference.

Where the change is meant and cannot move a score, write it anew: MENSURA_WRITE_GOLDEN=1 pytest THIS_FILE for the small
world, `write_golden` of the parameters in its first line for tests/golden/crisis-v2.jsonl.
"""

import difflib
import json
import os
from pathlib import Path

from mensura.catalog.crisis.act import call
from mensura.catalog.crisis.dialogue import crisis
from mensura.dialogue import Instance, Session
from mensura.running.checks.golden import check_golden, rounded
from mensura.running.checks.trial import Trial
from mensura.running.driver import drive
from mensura.store import MemoryJournal

GOLDEN = Path(__file__).with_name("golden.jsonl")


PLAN = [
    call("look", page="help"),
    call("read", message="m-1"),
    call("look", page="manual"),
    call("look", page="schedule"),
    call("look", page="portal"),
    call("look", page="portal", item="auditorium"),
    call("look", page="room", item="auditorium"),
    call("set_room_fact", room="auditorium", fact="capacity.theatre", value="180"),
    call("ask_room", room="auditorium", day=2, block=1),
    call("ask_room", room="auditorium", day=2, block=3),
    call("move", event="dinner", room="terrace", day=3, block=5),
    call("change_order", order="o-2"),
    call("constrain", kind="away", person="kofi", slots="2"),
    call("suggest", message="m-3"),
    call("accept", proposal="p1"),
    call("optimise"),
    call("accept", proposal="p2", parts="1"),
    call("wait", seconds=300),
    call("move", event="keynote", room="auditorium", day=2, block=1),
    call("move", event="papers", room="auditorium", day=2, block=3),
    call("order", vendor="petal", item="bouquet", quantity=2, event="dinner"),
    call("order", vendor="petal", item="bouquet", quantity=2, event="dinner"),
    call("cancel_order", order="o-4"),
    call("quote", vendor="saffron", item="coffee", quantity=40, event="papers"),
    call("reply", message="b-1", text="Please bring the microphones to Linden 12."),
    call("reply", message="m-5", text="Behind Orchard House."),
    call("search", words="order"),
    call("edit_entry", entry="site-keynote", field="room", value="Orchard Auditorium"),
    call("brief", text="The Great Hall is lost on Tuesday; the keynote is in the Orchard Auditorium."),
    call("look", page="budget"),
    call("look", page="mail"),
    call("finish"),
]


def adviser(ask):
    """Play the assistant, always alike."""
    request = ask.prompt
    acts = {
        "label": [call("set_room_fact", room="great", fact="lost", value="2")],
        "suggest": [call("constrain", kind="slots", event="panel", slots="1.2")],
        "optimise": [
            call("move", event="panel", room="terrace", day=3, block=1),
            call("move", event="board", room="l12", day=4, block=1),
        ],
    }.get(request.kind, [])
    labels = {message: ["some task"] for message in request.about.get("messages", [])}
    return {"kind": request.kind, "words": "So it could be done.", "acts": acts, "labels": labels}


def transcript(small, folder):
    path = folder / "small.json"
    path.write_text(json.dumps(small.data()))
    parameters = crisis.fill({"package": str(path), "condition": "radar-l", "minutes": 30})
    plan = list(PLAN)
    session, journal = Session(Instance(crisis, parameters, 1)), MemoryJournal()
    drive(session, {"subject": lambda ask: plan.pop(0), "assistant": adviser}, journal=journal)
    assert session.status == "finished"
    for event in journal.events:
        if event.kind in ("digest", "save"):
            continue
        said = {"kind": event.kind, "role": event.role, "tick": event.tick, "value": event.value}
        if event.content is not None:
            said["prompt"] = event.content["prompt"]
        yield json.dumps(rounded({name: value for name, value in said.items() if value}), ensure_ascii=False)


def test_a_drawn_world_goes_as_it_was_written_down():
    found = check_golden(Trial(crisis, crisis.fill({})), GOLDEN.parents[2] / "golden")
    assert found.passed, found.words


def test_the_office_says_what_it_said_when_this_was_written_down(small, tmp_path):
    now = list(transcript(small, tmp_path))
    if os.environ.get("MENSURA_WRITE_GOLDEN"):
        GOLDEN.write_text("\n".join(now) + "\n", encoding="utf-8")
    written = GOLDEN.read_text(encoding="utf-8").splitlines()
    diff = list(difflib.unified_diff(written, now, "written down", "now", n=0, lineterm=""))
    assert not diff, "\n".join(line[:400] for line in diff[:20])
