"""A laboratory under attack: lets a few lines of Python take the fair coins, and looks after the harm they did."""

import os
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from textwrap import dedent

from mensura.running.run import RunOptions, run
from mensura.store import Store, open_store
from mensura.store.sealed.proof import audit_run
from mensura.subjects import SubjectSpec
from mensura.subjects.sandbox.confinement import Confinement
from tests.attacks.fair import fair_coins

OFF = Confinement(sandbox="off")
PROGRAM = """
import glob, json, os, re, sys, time

OWN = os.path.dirname(os.path.abspath(__file__))
INSIDE = os.getcwd() == "/tmp/scratch"
begun, found = {}, None


def processes():
    \"\"\"Name the processes to look at: in a sandbox all, outside only those that the test itself started.\"\"\"
    numbers = [name for name in os.listdir("/proc") if name.isdigit()]
    parent = str(os.getppid())
    return numbers if INSIDE else [one for one in numbers if one == parent or parent_of(one) == parent]


def parent_of(number):
    \"\"\"Give the number of a process's parent; empty where it has ended.\"\"\"
    try:
        with open(f"/proc/{number}/stat") as file:
            return file.read().rpartition(")")[2].split()[1]
    except OSError:
        return ""


def of_processes(name):
    \"\"\"Name what those processes have under /proc.\"\"\"
    return [path for number in processes() for path in glob.glob(f"/proc/{number}/{name}")]


def read(*paths):
    \"\"\"Give what can be read of some files, each piece on its own.\"\"\"
    for path in paths:
        try:
            # A pipe would keep us waiting.
            if os.path.isfile(path):
                with open(path, "rb") as file:
                    yield file.read(50_000_000)
        except (OSError, ValueError, MemoryError, OverflowError):
            continue


def target(path):
    \"\"\"Say where a link leads, as far as that may be known.\"\"\"
    try:
        return os.readlink(path)
    except OSError:
        return ""


def everywhere(*places, most=200_000):
    \"\"\"Name the files below some folders, without those of the machine's own software.\"\"\"
    passed = ("/usr", "/proc", "/sys", "/lib", "/root/.pyenv", "/etc/ssl", "/etc/alternatives", "/dev/pts")
    # Outside a sandbox the whole machine is not ours to search.
    for place in (place for place in places if INSIDE or place != "/"):
        for folder, inner, files in os.walk(place):
            if folder.startswith(passed) or "site-packages" in folder or folder.endswith("/src/mensura"):
                inner.clear()
                continue
            for name in files:
                most -= 1
                if most < 0:
                    return
                path = os.path.join(folder, name)
                if os.path.isfile(path):
                    yield path


def truths_in(pieces):
    \"\"\"Search for the hidden truths.\"\"\"
    for piece in pieces:
        seen = re.search(rb"zebra-[0-9a-f]{8}:([01]+);", piece)
        if seen:
            return seen[1].decode()


%(attack)s


for text in sys.stdin:
    message = json.loads(text)
    if message["type"] == "begin":
        begun, found = message, None
    elif message["type"] == "ask":
        place = int(message["key"][4:])
        try:
            # Twice: what it looks for may only appear once something was answered.
            found = found or (attack(message) if place in (0, 10) else None)
        except Exception as error:
            print(type(error).__name__, error, file=sys.stderr)
            found = None
        print(json.dumps({"answer": float(found[place]) if found else 0.5}), flush=True)
"""
"""A program that looks for all truths at its first ask, and once again in the middle."""


@dataclass
class Attempt:
    """What came of an attack."""

    answers: dict[str, float]
    truths: dict[str, int]
    status: str
    last_words: str = ""
    run: str = ""

    @property
    def at_chance(self) -> bool:
        """Whether it came to its end and nothing but one half was answered."""
        return self.status == "finished" and set(self.answers.values()) == {0.5}

    @property
    def knew_all(self) -> bool:
        """Whether every answer was certain and right."""
        return bool(self.answers) and self.answers == {key: float(self.truths[key]) for key in self.answers}

    def must_know_all(self) -> None:
        """Demand that an attack works where nothing holds it; no assertion, lest a known hole be taken for this."""
        if not self.knew_all:
            raise RuntimeError(f"The attack does not even work where nothing holds it: {self}")


@dataclass
class Laboratory:
    """A folder with a store in it, in which subjects lie too, as usual."""

    folder: Path
    store: Store
    begun: float = field(default_factory=time.time)

    @classmethod
    def open(cls, folder: Path) -> "Laboratory":
        """Open one in a folder."""
        return cls(folder, open_store(folder / "mensura.db"))

    def attack(self, lines: str, *, test=None, confinement=Confinement(), seed=None, hide=None, **more):
        """Let a program take the coins whose function `attack(ask)` gives all truths as digits, or None."""
        self.write("agent.py", PROGRAM % {"attack": dedent(lines)})
        name = f"program:{sys.executable} -S -E agent.py"
        test = test or (fair_coins(hide) if hide else fair_coins())
        return self.take(test, name, confinement=confinement, seed=seed, **more)

    def take(self, test, name, *, confinement=Confinement(), seed=None, options=None, **more) -> Attempt:
        """Let a subject take a test once, and look after the harm."""
        subject = SubjectSpec(name, options or {}, folder=str(self.folder))
        result = run(test, subject, store=self.store, seed=seed, options=RunOptions(confinement=confinement, **more))
        session = self.store.sessions.of(result.head.id)[0]
        self.assert_unharmed(result.head.id)
        answers = {event.key: event.value for event in self.store.events.of(session.id) if event.kind == "answer"}
        truths = self.store.truths.of(session.id)
        return Attempt(answers, truths, session.status, session.last_words, result.head.id)

    def write(self, name: str, text: str) -> Path:
        """Put a file into the folder."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def assert_unharmed(self, run: str) -> None:
        """Demand that the record is whole, no process of an attack is left, and no scratch folder."""
        proof = audit_run(self.store, run)
        assert proof.whole, str(proof)
        assert left_of(self.folder) == []
        assert scratch_since(self.begun) == []


def left_of(folder: Path, *, seconds: float = 3.0) -> list[str]:
    """List the processes whose command names a folder, and that do not end within some seconds."""
    last = time.monotonic() + seconds
    while (found := _named(folder)) and time.monotonic() < last:
        time.sleep(0.02)
    return found


def _named(folder: Path) -> list[str]:
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            command = place.read_bytes()
        except OSError:
            continue
        if place.parent.name != str(os.getpid()) and f"{folder}/agent".encode() in command:
            found.append(command.replace(b"\0", b" ").decode(errors="replace"))
    return found


def scratch_since(begun: float) -> list[str]:
    """List scratch folders of ours that were made since a time and are still there."""
    places = Path(tempfile.gettempdir()).glob("mensura-*")
    own = [place for place in places if place.is_dir() and len(place.name) == len("mensura-") + 8]
    return [str(place) for place in own if place.stat().st_ctime >= begun]
