"""Reference: the test of a stored run, found from any folder and in the version that was taken."""

import shlex
from pathlib import Path
from typing import Any

from mensura.catalog.find import file_in, find_test
from mensura.dialogue import Limits, Test
from mensura.dialogue.parameters import flag_of
from mensura.dialogue.streams import SPAWNED
from mensura.errors import MensuraError
from mensura.store.head import RunHead
from mensura.subjects.source import file_digest

BEGUN_CHANGED = "began a session though "
"""How the trail's lines on sessions of people begin whose test is not what their run was begun with."""


def reference(head: RunHead) -> str:
    """Name the test of a stored run so that it is found from any folder."""
    name = str(head.details.get("reference", head.test))
    folder, file = Path(head.details.get("folder", ".")), file_in(name)
    path = Path(file).expanduser()
    if not file or path.exists() or path.is_absolute() or not (folder / path).exists():
        return name
    return name.replace(file, str(folder / file), 1)


def definition_of(head: RunHead) -> Test:
    """Find the test of a stored run, in the version that was taken, also where it lies in a file."""
    test = find_test(reference(head))
    return test if test.id == head.test else find_test(head.test)


def changed_code(head: RunHead) -> list[str]:
    """Name the files of the test and the subjects of a run that are not what it was begun with."""
    changed = []
    for name, was in head.details.get("code", {}).items():
        now = file_digest(name) or file_digest(name, folder=head.details.get("folder", "."))
        if now not in ("", was):
            changed.append(f"{name} was changed (digest {was}, now {now}).")
    return changed


def installed_test(head: RunHead) -> Test | None:
    """Find the test of a stored run; None where an imported run is read and its test is not installed."""
    try:
        return definition_of(head)
    except MensuraError:
        return None


def reproducing(head: RunHead, sessions: int) -> str:
    """Write the command that takes a run again, for a shell."""
    words = ["mensura", "run", str(head.details.get("reference", head.test))]
    roles = head.cast.items() if len(head.cast) > 1 else [("", name) for name in head.cast.values()]
    for role, name in roles:
        words += ["--as", f"{role}={name}" if role else name]
    # Of a bank each item is asked so often: its dialogues are more.
    words += ["--sessions", str(head.details.get("sessions", sessions))]
    for name, value in head.parameters.items():
        if value is not None:
            words += [flag_of(name), str(value)]
    words += ["--reduce", str(head.details["reduce"])] if "reduce" in head.details else []
    return shlex.join([*words, *(["--seed", str(head.seed)] if head.seed_public else [])])


def limits_of(head: RunHead) -> Limits:
    """Return the limits that a run began with."""
    return Limits(**head.details.get("limits", {}))


def administration(head: RunHead) -> dict[str, Any]:
    """Return how the sessions of a run are administered: how their subjects' chance is derived, and who knows."""
    return {"streams": head.details.get("streams", SPAWNED), "knowing": frozenset(head.details.get("knows", ()))}
