"""Programs: answers that are programs are run on the tests of their items, once, and what came out is stored."""

import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from secrets import token_hex
from time import monotonic
from typing import TYPE_CHECKING, Any

from mensura.errors import NotInstalled, SubjectFailed
from mensura.scores.grades.code import CODE, MEGABYTES, SECONDS, program_in, verdict_key
from mensura.scores.grades.grade import ANSWER, GRADE, is_graded
from mensura.stats.wording import several
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.outside.lines import Lines
from mensura.subjects.outside.process import Process
from mensura.subjects.sandbox.command import Command
from mensura.subjects.sandbox.confinement import BUBBLEWRAP, Confinement
from mensura.subjects.sandbox.sandbox import launch, means_of
from mensura.subjects.sandbox.view import FileView

if TYPE_CHECKING:
    from mensura.store import Store

SOURCE = f"tests run in a sandbox ({BUBBLEWRAP})"
LONGEST_WORDS = 300
MOST_BYTES = 1_000_000
RUNNER = """
import json, os, sys
given = json.loads(sys.stdin.readline())
said = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
token, tests, names = given.pop("token"), given.pop("tests"), {"__name__": "answer"}
exec(compile(given.pop("program"), "answer", "exec"), names)
for place, test in enumerate(tests):
    try:
        exec(compile(test, "test", "exec"), dict(names))
    except BaseException as error:
        print(f"Test {place + 1}: {type(error).__name__} {error}", file=sys.stderr)
    else:
        print(token, place, file=said, flush=True)
print(token, "end", file=said, flush=True)
"""
"""Says by a token which tests a program has passed; what it prints itself goes elsewhere."""


@dataclass(frozen=True)
class ProgramsRun:
    """How many programs were run, how many passed all their tests, and how many had been run before."""

    run: int
    passed: int
    before: int

    @property
    def sentence(self) -> str:
        """Return it in words."""
        before = (
            f" {several(self.before, 'program')} had been run before, and keep their verdict." if self.before else ""
        )
        return f"Ran {several(self.run, 'program')} in a sandbox: {self.passed} passed all tests.{before}"


def run_programs(run_id: str, *, store: "Store") -> ProgramsRun:
    """Run every program that was answered to an item graded by code, and store what its tests showed.

    A verdict is a later truth of its session, under `verdict_key`; scoring only reads it. A program that has one is
    not run again.

    Raises
    ------
    NotInstalled
        Where no sandbox works here: answers of strangers are never run without one.
    """
    require_sandbox()
    head = store.runs.find(run_id)
    ran = passed = before = 0
    for record, truths in store.records.with_truths(head.id):
        for key, answer in record.given().items():
            truth = truths.get(key)
            if not is_graded(truth) or truth[GRADE]["by"] != CODE:
                continue
            if verdict_key(key) in truths:
                before += 1
                continue
            found = verdict_on(str(answer), truth[ANSWER], limits=truth[GRADE])
            store.truths.resolve(record.session, verdict_key(key), found, source=SOURCE)
            ran, passed = ran + 1, passed + (found["passed"] == found["tests"])
    return ProgramsRun(ran, passed, before)


def require_sandbox() -> None:
    """Refuse to run programs where bubblewrap does not work."""
    if means_of(Confinement()) != BUBBLEWRAP:
        raise NotInstalled(
            "Answers that are programs run only in a sandbox, and none works here: install bubblewrap "
            "(apt install bubblewrap) and allow user namespaces, or grade on another machine.",
            install="apt install bubblewrap",
        )


def verdict_on(answer: str, tests: Sequence[str], *, limits: Mapping[str, Any]) -> dict[str, Any]:
    """Run one program on its tests and return how many it passed, of how many, and why not more."""
    seconds = float(limits.get("seconds", SECONDS))
    memory = int(float(limits.get("megabytes", MEGABYTES)) * (1 << 20))
    bounds = Bounds(answer_seconds=seconds, memory_bytes=memory, output_bytes=MOST_BYTES, processes=32)
    token = token_hex(16)
    message = {"program": program_in(answer), "tests": list(tests), "token": token}
    view = FileView(Command((sys.executable, "-I", "-c", RUNNER), Path("/")), Confinement(means=BUBBLEWRAP))
    process = Process(launch(view, bounds), bounds)
    writing, reading, errors = process.pipes
    lines = Lines("The program", reading=reading, writing=writing, errors=errors, most_bytes=MOST_BYTES)
    passed: set[bytes] = set()
    why = ""
    try:
        lines.send(json.dumps(message).encode() + b"\n")
        for said in lines.each(seconds):
            name, _, place = said.strip().partition(b" ")
            if name == token.encode() and place == b"end":
                break
            passed |= {place} if name == token.encode() else set()
    except SubjectFailed as failure:
        why = str(failure)
    finally:
        ended = process.kill(monotonic())
        process.close()
    if len(passed) == len(tests):
        return {"passed": len(passed), "tests": len(tests)}
    words = " ".join(filter(None, [why, ended if why else "", lines.last_words[-LONGEST_WORDS:]]))
    return {"passed": len(passed), "tests": len(tests), "why": words}
