"""Rehearsal: dry runs that a thread of the server takes, and how far each is.

Their state lies in files, so that any worker on this computer can show it, and never in the store of the laboratory.
"""

import json
import logging
import os
import shutil
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from secrets import token_hex
from threading import Lock, Thread
from typing import Any

from mensura.errors import BadParameter, Conflict, MensuraError, UnknownName
from mensura.json_file import loads
from mensura.report.page import html_page
from mensura.report.study import study_report
from mensura.running.run import RunOptions
from mensura.running.study import Study
from mensura.running.study.planning.dry_run import dry_run, simulated_plan
from mensura.web.lab.page import templates

MOST_SESSIONS = 1000
KEPT_SECONDS = 86_400.0
SILENCE_SECONDS = 600.0
"""A dry run of which nothing was heard for so long has lost its server."""
STATE, PART, REPORT = "state.json", "part.html", "report.html"
log = logging.getLogger("mensura.web")
_one_at_a_time = Lock()


@dataclass(frozen=True)
class RehearsalState:
    """How far a dry run is."""

    study: str
    total: int
    done: int = 0
    over: bool = False
    fault: str = ""


def start_rehearsal(study: Study, *, people: str, sessions: int | None) -> str:
    """Begin a dry run in the background; returns its name."""
    plan = simulated_plan(study, people=people, sessions=sessions)
    total = len(plan.cells()) * plan.stopping.most
    if total > MOST_SESSIONS:
        raise BadParameter(f"A dry run here has at most {MOST_SESSIONS} sessions; got {total}. Take fewer people.")
    name = token_hex(8)
    folder = _home() / name
    folder.mkdir(mode=0o700)
    _write(folder, RehearsalState(study.name, total))
    Thread(target=_take, args=(folder, study, people, sessions, total), name="mensura-dry-run", daemon=True).start()
    return name


def state_of(name: str) -> RehearsalState:
    """Return how far a dry run is."""
    path = _folder(name) / STATE
    state = RehearsalState(**loads(path.read_text(encoding="utf-8")))
    if not state.over and time.time() - path.stat().st_mtime > SILENCE_SECONDS:
        return RehearsalState(state.study, state.total, state.done, True, "The server was stopped before it was over.")
    return state


def part_of(name: str) -> str:
    """Return the report of a dry run as a part of a page."""
    return (_folder(name) / PART).read_text(encoding="utf-8")


def report_of(name: str) -> str:
    """Return the report of a dry run as a file."""
    path = _folder(name) / REPORT
    if not path.exists():
        raise Conflict("The dry run has no report yet.")
    return path.read_text(encoding="utf-8")


def _take(folder: Path, study: Study, people: str, sessions: int | None, total: int) -> None:
    done = 0

    def count(_: Any) -> None:
        nonlocal done
        done += 1
        _write(folder, RehearsalState(study.name, total, done))

    fault = ""
    try:
        with (
            _one_at_a_time,
            dry_run(study, people=people, sessions=sessions, options=RunOptions(progress=count)) as found,
        ):
            report = study_report(found.analysis, store=found.store)
            module: Any = templates().get_template("content.html").module
            (folder / PART).write_text(str(module.content(report, inline=False)), encoding="utf-8")
            (folder / REPORT).write_text(html_page(report), encoding="utf-8")
    except MensuraError as error:
        fault = str(error)
    except Exception as error:
        log.exception("dry run of %s", study.name)
        fault = f"The dry run stopped with an error of the program ({type(error).__name__})."
    _write(folder, RehearsalState(study.name, total, done, True, fault))


def _home() -> Path:
    """Return the folder of dry runs, for its owner only; those of yesterday are deleted."""
    home = Path(tempfile.gettempdir()) / f"mensura-dry-runs-{os.getuid()}"
    home.mkdir(mode=0o700, exist_ok=True)
    # Another user of the computer could have made it first, to read along.
    if home.is_symlink() or home.stat().st_uid != os.getuid() or home.stat().st_mode & 0o077:
        raise Conflict(f"{home} can be read or written by others; delete it, then try again.")
    for old in home.iterdir():
        if time.time() - old.stat().st_mtime > KEPT_SECONDS:
            shutil.rmtree(old, ignore_errors=True)
    return home


def _folder(name: str) -> Path:
    folder = _home() / name
    if not (len(name) == 16 and name.isalnum() and (folder / STATE).exists()):
        raise UnknownName("There is no such dry run; each is kept for a day on the computer that took it.")
    return folder


def _write(folder: Path, state: RehearsalState) -> None:
    new = folder / f"{STATE}.new"
    new.write_text(json.dumps(asdict(state)), encoding="utf-8")
    new.replace(folder / STATE)
