"""The tour: every system in its quickest setting, with a picture from a run and two sentences, on one page.

Each stop is taken in a separate process, so that one that fails, crashes or lacks something stops no other.
"""

import json
import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import suppress
from dataclasses import asdict, dataclass
from html import escape
from importlib.resources import files
from pathlib import Path
from typing import Any, cast

from mensura.catalog.find import GROUP as TESTS
from mensura.catalog.find import find_test
from mensura.dialogue import Event, Instance
from mensura.dialogue.definition import Test
from mensura.dialogue.prompts.base import prompt_text
from mensura.dialogue.session.session import Session
from mensura.dialogue.spaces.base import Space
from mensura.errors import MensuraError, NotInstalled, raised
from mensura.exhibit.group import Group
from mensura.exhibit.template_page import inline, template_page
from mensura.exhibit.tour_stop import TourStop
from mensura.extension import extensions, load
from mensura.json_file import loads
from mensura.running.reference import administration, definition_of, limits_of
from mensura.running.results.counting import counted
from mensura.running.results.exhibits import run_group
from mensura.running.run import RunOptions, run
from mensura.stats.wording import several
from mensura.store import RunHead, Store, open_store

GROUP = "mensura.tour"
"""Entry points of systems that show themselves on the tour."""
SMALL = "small tests"
"""The text for tests that no stop covers."""
SEED = 1
SESSIONS = 20
EPISODES = 5
QUICK = ("demo", "tiny", "short")
MOST_SUBJECTS = 3
MOST_ANSWERS = 8
LONGEST_LINE = 72
FIRST_ANSWERS: Mapping[str, Mapping[str, Any]] = {
    "approval-v1": {
        "call": "want",
        "arguments": {"who": "an assistant", "item": "", "tool": "shell", "arguments": '{"command": "rm -r photos"}'},
    }
}
"""The first answers in tests whose first question only leads to the one that they are about."""
LIMIT = 300
"""Seconds after which a stop is ended."""


@dataclass(frozen=True)
class Visited:
    """The result of a stop: its pictures, the software it lacks, or the error."""

    name: str
    stops: Sequence[TourStop] = ()
    lacking: Sequence[str] = ()
    failed: Sequence[str] = ()


def stop_names() -> list[str]:
    """Return the names of all stops in order, the small tests last."""
    return [*sorted(extensions(GROUP)), *([SMALL] if small_tests() else [])]


def small_tests() -> list[str]:
    """Return the tests that lie in the folder of no stop."""
    folders = [f"{point.module.rpartition('.')[0]}." for point in extensions(GROUP).values()]
    return sorted(name for name, point in extensions(TESTS).items() if not point.module.startswith(tuple(folders)))


def visit(name: str) -> Visited:
    """Take the sessions of a stop in this process."""
    stops: list[TourStop] = []
    lacking, failed = [], []
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "tour.db") as store:
        for one in small_tests() if name == SMALL else [name]:
            try:
                stops.append(
                    _small_stop(one, store) if name == SMALL else load(extensions(GROUP)[one])(StoreGuide(store))
                )
            except NotInstalled as error:
                lacking.append(_missing(one, error))
            except MensuraError as error:
                failed.append(f"{one}: {error}")
            except Exception as error:
                failed.append(f"{one} {raised(error)}")
    return Visited(name, stops, lacking, failed)


def take_tour(names: Sequence[str], *, begun: Callable[[str], None] = lambda name: None) -> Iterator[Visited]:
    """Take stops, as many at once as this machine has cores, and yield each as soon as it is there."""
    running: dict[str, subprocess.Popen[bytes]] = {}
    stopped = threading.Event()
    with ThreadPoolExecutor(max(1, len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else 2)) as pool:
        visits = [pool.submit(_apart, name, running, begun, stopped) for name in names]
        try:
            for done in as_completed(visits):
                yield done.result()
        finally:
            # What stopped the tour stops its processes too.
            stopped.set()
            for waiting in visits:
                waiting.cancel()
            for process in list(running.values()):
                process.kill()


def _apart(
    name: str, running: dict[str, subprocess.Popen[bytes]], begun: Callable[[str], None], stopped: threading.Event
) -> Visited:
    """Take a stop in a separate process, which Ctrl-C does not reach."""
    begun(name)
    with tempfile.TemporaryDirectory() as folder:
        path, said = Path(folder) / "stop.json", Path(folder) / "said"
        command = [sys.executable, "-m", "mensura.report.tour", name, str(path)]
        with (
            said.open("wb") as stderr,
            # It ends when its standard input does: when this process ends, however that happens.
            subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=stderr, start_new_session=True
            ) as process,
        ):
            running[name] = process
            if stopped.is_set():
                process.kill()
            try:
                process.wait(LIMIT)
            except subprocess.TimeoutExpired:
                process.kill()
                return Visited(name, failed=[f"{name} took longer than {LIMIT} seconds."])
            finally:
                running.pop(name, None)
        with suppress(FileNotFoundError):
            found = loads(path.read_text(encoding="utf-8"))
            return Visited(**{**found, "stops": [TourStop(**stop) for stop in found["stops"]]})
        words = said.read_text(encoding="utf-8", errors="replace").strip().splitlines()
    last = words[-1:] or [f"exit status {process.returncode}"]
    return Visited(name, failed=[f"{name} ended: {last[0]}"])


class StoreGuide:
    """Takes sessions for a stop, and keeps them in a store."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._heads: dict[int, RunHead] = {}

    def __call__(self, test: str, cast: str | Mapping[str, str], *, sessions: int = 1, **parameters: Any) -> Group:
        """Take sessions of one subject, or of one for each role."""
        # With a full trace every answer is kept, so that pictures can be drawn, and nothing has to be compiled.
        options = RunOptions(trace="full")
        result = run(test, cast, store=self.store, sessions=sessions, seed=SEED, parameters=parameters, options=options)
        found = counted(result.head, store=self.store).scores
        name = cast if isinstance(cast, str) else ", ".join(cast.values())
        group = run_group(name, [result.head], scores=found, estimated=result.estimated, store=self.store)
        self._heads[id(group)] = result.head
        return group

    def again(self, group: Group) -> tuple[Instance, Sequence[Event], dict[str, Any]]:
        """Read the last session of a group as `replay` reads it."""
        head = self._heads[id(group)]
        last = self.store.sessions.of(head.id)[-1]
        instance = Instance(definition_of(head), head.parameters, head.own_seed(), last.address, **administration(head))
        return instance, self.store.events.of(last.id), {"trace": head.trace, "limits": limits_of(head)}


def _missing(name: str, error: NotInstalled) -> str:
    """Return the sentence that says why a stop has no picture, and how to install what it needs."""
    said = f"{name[:1].upper()}{name[1:]} is missing: {error}"
    return said if error.install in said else f"{said} Install it with: `{error.install}`"


def _small_stop(name: str, store: Store) -> TourStop:
    """Show the first question of a test, and what its reference subjects earned."""
    test = find_test(name)
    setting = next((name for name in QUICK if name in test.settings), None)
    parameters = {"episodes": EPISODES} if "episodes" in test.parameters and setting is None else {}
    short = name.rpartition("-v")[0]
    return TourStop(
        short.replace("-", " ").capitalize(),
        test.about,
        _earned(test, store, parameters=parameters, setting=setting),
        _first_question(test, test.fill(parameters, setting=setting)),
        "The first question and its possible answers.",
        f"mensura take {short} --as human",
    )


def _earned(test: Test, store: Store, *, parameters: Mapping[str, Any], setting: str | None) -> str:
    """Return what the best and the worst of the first reference subjects earned; nothing where none is better."""
    from mensura.report.answer import KNOWS, headline
    from mensura.report.runs import SameTest

    results = [
        run(test.id, subject, store=store, sessions=SESSIONS, seed=SEED, parameters=parameters, setting=setting)
        for subject in list(test.subjects)[:MOST_SUBJECTS]
    ]
    taken = SameTest(results, {one.head.id: counted(one.head, store=store).scores for one in results}, store)
    table = headline(taken.tables) if results else None
    if table is None or table.score.better is None:
        return ""
    ranked = [row for row in table.ranked if KNOWS not in row.label]
    best, worst = ranked[0], ranked[-1]
    pair = {best.label, worst.label}
    if not any(one.stands and set(one.finding.names) == pair for one in taken.compared if one.score == table.score):
        return ""
    if table.score.proportion:
        verb, values = "reached", [f"{100 * row.estimate.value:.0f} %" for row in (best, worst)]
    else:
        verb, values = "earned", [f"{row.estimate.value:.2g}".replace("-", "\N{MINUS SIGN}") for row in (best, worst)]
    unit = f" {table.score.unit}" if table.score.unit else ""
    name = "" if unit else f" ({table.score.title})"
    partner = ", each playing with itself" if len(test.cast_roles(test.fill(parameters, setting=setting))) > 1 else ""
    return f"{best.label} {verb} {values[0]}{unit} on average, {worst.label} {values[1]}{name}{partner}."


def _first_question(test: Test, parameters: Mapping[str, Any]) -> str:
    """Return the first question that leaves a choice, with its possible answers, as HTML."""
    session = Session(Instance(test, parameters, SEED))
    session.start()
    if test.id in FIRST_ANSWERS:
        session.answer(FIRST_ANSWERS[test.id], role=next(iter(session.open)))
    told: list[Any] = []
    while True:
        role, ask = next(iter(session.open.items()))
        space = cast("Space", ask.space)
        told += [one.prompt for one in session.told.get(role, [])]
        only = [name for name, tool in space.acts.items() if not tool.arguments]
        if len(space.acts) != 1 or not only:
            break
        session.answer({"call": only[0], "arguments": {}}, role=role, tick=session.clock.now + 1)
    paragraphs = [words for prompt in [*told, ask.prompt] for words in _paragraphs(prompt)]
    answers = "".join(f"<li>{inline(words)}</li>" for words in _answers(space))
    return f'<div class="asked">{"".join(paragraphs)}<ul>{answers}</ul></div>'


def _paragraphs(prompt: Any) -> Iterator[str]:
    """Yield the paragraphs of a prompt as HTML, without tables that are still empty."""
    if isinstance(prompt, str):
        for words in prompt.split("\n\n"):
            fenced = words.startswith("```")
            yield f"<pre>{escape(words.strip('`').strip())}</pre>" if fenced else f"<p>{inline(words)}</p>"
    elif isinstance(prompt, Sequence):
        for part in prompt:
            yield from _paragraphs(part)
    elif len(getattr(prompt, "rows", "-")):
        words = prompt_text(prompt)
        # Lines that are short are laid out, as a map is; longer ones are sentences.
        laid_out = "\n" in words and max(map(len, words.splitlines())) <= LONGEST_LINE
        yield f"<pre>{escape(words)}</pre>" if laid_out else "".join(_paragraphs(words))


def _answers(space: Space) -> list[str]:
    """Return the possible answers of a space, or a sentence that describes them."""
    if space.acts:
        return [f"**{name}** {tool.about}" for name, tool in space.acts.items()][:MOST_ANSWERS]
    if space.alternatives:
        return [str(one) for one in getattr(space, space.alternatives)][:MOST_ANSWERS]
    return [space.hint_for_people()]


def tour_page(
    visited: Sequence[Visited], *, names: Sequence[str], seconds: float, program: str = "mensura", stopped: bool = False
) -> str:
    """Return the page of what was visited, as one HTML file that loads nothing from anywhere.

    Parameters
    ----------
    names
        The stops that were planned.
    program
        How `mensura` is called where the tour was started.
    """
    order = stop_names()
    known = sorted(visited, key=lambda one: order.index(one.name))
    return template_page(
        "mensura.report",
        "tour.html",
        style=(files("mensura.report") / "templates" / "report.css").read_text(encoding="utf-8"),
        systems=[stop for one in known if one.name != SMALL for stop in one.stops],
        small=[stop for one in known if one.name == SMALL for stop in one.stops],
        lacking=[words for one in known for words in one.lacking],
        failed=[words for one in known for words in one.failed],
        missed=[name for name in names if name not in {one.name for one in known}] if stopped else [],
        shown=seen(visited, names),
        program=program,
        seconds=round(seconds),
    )


def seen(visited: Sequence[Visited], names: Sequence[str]) -> str:
    """Return of how many planned systems there is a picture.

    >>> seen([Visited("arcade", lacking=["Arcade is missing."])], ["arcade", "crisis", "small tests"])
    '0 of 2 systems'
    """
    planned = sum(name != SMALL for name in names)
    if not planned:
        return several(sum(len(one.stops) for one in visited), "small test")
    found = sum(bool(one.stops) for one in visited if one.name != SMALL)
    return f"{found} of {several(planned, 'system')}"


def _end_with_input() -> None:
    os.read(0, 1)
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_end_with_input, daemon=True).start()
    Path(sys.argv[2]).write_text(json.dumps(asdict(visit(sys.argv[1]))), encoding="utf-8")
