"""The tour: every system in its quickest setting, with a picture from a run and two sentences, on one page.

Each stop is taken in a process of its own, so that one that fails, crashes or lacks something stops no other.
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
from importlib.resources import files
from pathlib import Path
from typing import Any

from mensura.catalog.find import GROUP as TESTS
from mensura.catalog.find import find_test
from mensura.dialogue import Event, Instance
from mensura.errors import MensuraError, NotInstalled, raised
from mensura.exhibit.group import Group
from mensura.exhibit.template_page import template_page
from mensura.exhibit.tour_stop import TourStop
from mensura.extension import extensions, load
from mensura.running.reference import administration, definition_of, limits_of
from mensura.running.results.counting import counted
from mensura.running.results.exhibits import run_group
from mensura.running.run import RunOptions, run
from mensura.store import RunHead, Store, open_store

GROUP = "mensura.tour"
"""Entry points of systems that show themselves on the tour."""
SMALL = "small tests"
"""What is shown of tests that no stop covers."""
SEED = 1
SESSIONS = 5
EPISODES = 5
QUICK = ("demo", "tiny", "short")
MOST_SUBJECTS = 3
LIMIT = 300
"""Seconds after which a stop is ended."""


@dataclass(frozen=True)
class Visited:
    """What came of a stop: its pictures, what this machine lacks for it, or what went wrong."""

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
                lacking.append(error.leaves_out(one))
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
    """Take a stop in a process of its own, which Ctrl-C does not reach."""
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
            found = json.loads(path.read_text(encoding="utf-8"))
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


def _small_stop(name: str, store: Store) -> TourStop:
    """Show a test by chance and its first reference subjects."""
    from mensura.report.answer import answer, headline
    from mensura.report.runs import SameTest

    test = find_test(name)
    setting = next((name for name in QUICK if name in test.settings), None)
    parameters = {"episodes": EPISODES} if "episodes" in test.parameters and setting is None else {}
    results = [
        run(name, subject, store=store, sessions=SESSIONS, seed=SEED, parameters=parameters, setting=setting)
        for subject in dict.fromkeys(["chance", *list(test.subjects)[:MOST_SUBJECTS]])
    ]
    taken = SameTest(results, {one.head.id: counted(one.head, store=store).scores for one in results}, store)
    table = headline(taken.tables)
    figure = table.figures[0] if table and table.figures else None
    short = name.rpartition("-v")[0]
    return TourStop(
        short.replace("-", " ").capitalize(),
        test.about,
        answer([taken])[0],
        figure.svg if figure else "",
        figure.words if figure else "",
        f"mensura take {short} --as human",
    )


def tour_page(visited: Sequence[Visited], *, planned: int, seconds: float) -> str:
    """Return the page of what was visited, as one HTML file that loads nothing from anywhere."""
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
        missed=planned - len(visited),
        seconds=round(seconds),
    )


def _end_with_input() -> None:
    os.read(0, 1)
    os._exit(1)


if __name__ == "__main__":
    threading.Thread(target=_end_with_input, daemon=True).start()
    Path(sys.argv[2]).write_text(json.dumps(asdict(visit(sys.argv[1]))), encoding="utf-8")
