"""The small world, and whole sessions in it, for every test of the crisis."""

import json
from pathlib import Path
from typing import Any

import pytest

from mensura.catalog.crisis.act import call
from mensura.catalog.crisis.dialogue import crisis
from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.data import read
from mensura.dialogue import Instance, Record, Session, Wait, make_record
from mensura.dialogue.canonical import canonical
from mensura.running.driver import drive
from mensura.store import MemoryJournal
from mensura.yaml_file import read_yaml


@pytest.fixture(scope="session")
def small() -> Conference:
    """Give a conference of seven events in five rooms, written by hand."""
    path = Path(__file__).with_name("small.yaml")
    return read(Conference, read_yaml(path), place=path)


@pytest.fixture(scope="session")
def package(small: Conference, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give the small world as a file, which is a package of its own."""
    path: Path = tmp_path_factory.mktemp("crisis") / "small.json"
    path.write_text(json.dumps(small.data()))
    return str(path)


class Worker:
    """Does what a plan says, then waits or leaves."""

    recomputes = True
    PLAN = (
        call("read", message="m-1"),
        call("ask_room", room="auditorium", day=2, block=1),
        call("move", event="dinner", room="terrace", day=3, block=5),
        call("change_order", order="o-2"),
        call("edit_entry", entry="site-dinner", field="room", value="Terrace Room"),
        call("note", text="keynote: wait for Ines"),
        call("wait", seconds=400),
        call("move", event="keynote", room="auditorium", day=2, block=1),
        call("brief", text="The Great Hall is lost on Tuesday. The keynote moves to the Orchard Auditorium."),
        call("move", event="keynote", room="great", day=2, block=1),
        call("search", words="umbrella"),
        call("reply", message="m-5", text="Behind Orchard House."),
    )

    def __init__(self, plan: Any = PLAN, *, leaves: bool = False) -> None:
        self.plan = list(plan)
        self.leaves = leaves
        self.desks: list[Any] = []

    def __call__(self, ask: Any) -> Any:
        self.desks.append(ask.prompt)
        if self.plan:
            return self.plan.pop(0)
        return call("finish") if self.leaves else Wait()


class Adviser:
    """Plays the assistant: labels every message, and proposes to move the dinner."""

    def __init__(self) -> None:
        self.requests: list[Any] = []

    def __call__(self, ask: Any) -> dict[str, Any]:
        request = ask.prompt
        self.requests.append(request)
        labels = {message: ["crisis"] for message in request.about.get("messages", [])}
        move = call("move", event="dinner", room="terrace", day=3, block=5)
        acts = [] if request.kind == "label" else [move, call("note", text="moved")]
        return {"kind": request.kind, "words": f"By {request.learned or 'nothing'}.", "acts": acts, "labels": labels}


@pytest.fixture
def working() -> type[Worker]:
    """Return a worker who follows a plan."""
    return Worker


@pytest.fixture
def advising() -> type[Adviser]:
    """Return a player of the assistant, always alike."""
    return Adviser


@pytest.fixture
def held() -> Any:
    """Hold a session, and give its events beside its end."""

    def hold(subject: Any, package: str, *, seed: int = 1, **parameters: Any) -> Any:
        instance = Instance(crisis, crisis.fill({"package": package, "minutes": 30, **parameters}), seed)
        cast = subject if isinstance(subject, dict) else {"subject": subject}
        session, journal = Session(instance), MemoryJournal()
        drive(session, cast, journal=journal)
        return instance, session, journal

    return hold


@pytest.fixture
def record_of() -> Any:
    """Make the record of a session that was held."""

    def make(instance: Instance, journal: MemoryJournal) -> Record:
        return make_record(journal.events, test=crisis.id, parameters=instance.parameters)

    return make


@pytest.fixture
def state() -> Any:
    """Write down all that is so in an office, to compare two of them."""

    def write(office: OfficeState) -> str:
        history = [[each.tick, each.role, each.call, each.arguments, each.ok, each.words] for each in office.history]
        return canonical([office.now, office.visible(), office.spent, history])

    return write
