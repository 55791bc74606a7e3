"""Phases of measuring: probes both frozen and while learning, blocks that take turns, as a plan has them for a cell."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from typing import TYPE_CHECKING, Any

from mensura.errors import BadParameter, unknown
from mensura.running.course import Phase, State

if TYPE_CHECKING:
    from mensura.running.study.plan import Cell, Study

FROZEN, LEARNING = "frozen", "learning"
"""The two ways of probing; they differ, so both are reported by name."""


def probe(
    task: str,
    test: str,
    *,
    at: str = "",
    sessions: int = 1,
    parameters: Mapping[str, Any] | None = None,
    state: State = "branch",
    knowledge: bool = False,
    pause: float = 0.0,
) -> list[Phase]:
    """Return the phases that find a level on a task without teaching it: frozen, and while learning.

    Both meet the same instances. Those who have no snapshot (`state="group"`) cannot be frozen either: they are probed
    while learning only.

    Parameters
    ----------
    at
        When it is probed, as a part of the phases' names where a task is probed more than once.
    pause
        Seconds that pass before the probe, and are not undone by it: the pauses of probes in a row add up.

    Examples
    --------
    >>> [(phase.name, phase.learn, phase.state) for phase in probe("Y", "corridor", at="after X")]
    [('Y after X, frozen', False, 'branch'), ('Y after X, learning', True, 'branch')]
    """
    ways = (LEARNING,) if state == "group" else (FROZEN, LEARNING)
    name = " ".join(part for part in (task, at) if part)
    return [
        Phase(
            f"{name}, {way}",
            test,
            sessions=sessions,
            learn=way == LEARNING,
            state=state,
            parameters=dict(parameters or {}),
            task=task,
            knowledge=knowledge,
            pause=pause if way == ways[0] else 0.0,
        )
        for way in ways
    ]


def interleaved(phases: Sequence[Phase], *, blocks: int) -> list[Phase]:
    """Let phases take turns in `blocks` blocks each; the instances are the same as without turns.

    Examples
    --------
    >>> turns = interleaved([Phase("X", "coin", 4), Phase("Y", "coin", 2)], blocks=2)
    >>> [(phase.name, phase.task, phase.first, phase.sessions) for phase in turns]
    [('X 1', 'X', 0, 2), ('Y 1', 'Y', 0, 1), ('X 2', 'X', 2, 2), ('Y 2', 'Y', 1, 1)]
    """
    if blocks < 1 or any(phase.sessions < blocks for phase in phases):
        raise BadParameter(f"Blocks are from 1 to as many as a phase has sessions; got {blocks}.")
    turns = []
    for block in range(blocks):
        for phase in phases:
            begin, end = (phase.sessions * place // blocks for place in (block, block + 1))
            turns.append(
                replace(
                    phase,
                    name=f"{phase.name} {block + 1}",
                    task=phase.task or phase.name,
                    first=phase.first + begin,
                    sessions=end - begin,
                )
            )
    return turns


KEYS = tuple(each.name for each in fields(Phase))
PROBE_KEYS = ("probe", "test", "at", "sessions", "parameters", "state", "knowledge", "pause")
TURNS_KEYS = ("interleave", "blocks")


def read_phases(
    written: Iterable[Mapping[str, Any]], *, test: str = "", parameters: Mapping[str, Any] | None = None
) -> list[Phase]:
    """Read phases from a plan: `{name: ...}`, `{probe: TASK, ...}` or `{interleave: [...], blocks: N}`.

    Parameters
    ----------
    test, parameters
        What phases take that name no test of their own, and the condition that each of them is under.

    Examples
    --------
    >>> [phase.name for phase in read_phases([{"name": "X", "test": "coin"}, {"probe": "Y", "test": "coin"}])]
    ['X', 'Y, frozen', 'Y, learning']
    """
    read: list[Phase] = []
    for given in written:
        keys = PROBE_KEYS if "probe" in given else TURNS_KEYS if "interleave" in given else KEYS
        for key in given:
            if key not in keys:
                raise unknown("key of a phase", str(key), known=keys, see=f"There are {', '.join(keys)}.")
        if "interleave" in given:
            parts = read_phases(given["interleave"], test=test, parameters=parameters)
            read += interleaved(parts, blocks=given.get("blocks", 2))
            continue
        own = {"test": test, **given, "parameters": {**(parameters or {}), **given.get("parameters", {})}}
        if "probe" in own:
            read += probe(own.pop("probe"), own.pop("test"), **own)
        elif "name" in own:
            read.append(Phase(**own))
        else:
            raise BadParameter("A phase has a name: `name: training`; a probe names its task: `probe: Y`.")
    return read


def cell_phases(study: "Study", cell: "Cell") -> list[Phase]:
    """Return the phases of a cell: for people, and programs that stand for them, those that people can take."""
    read = read_phases(study.phases_of(cell), test=cell.test, parameters=cell.parameters)
    return for_people(read) if cell.cast.people or cell.cast.simulated else read


def for_people(phases: Sequence[Phase]) -> list[Phase]:
    """Return phases for those who can be neither frozen nor branched: each probe is that of a group, while learning.

    Examples
    --------
    >>> [(phase.name, phase.state) for phase in for_people([Phase("X", "coin"), *probe("Y", "coin")])]
    [('X', 'carry'), ('Y, learning', 'group')]
    """
    able: list[Phase] = []
    waited = 0.0
    for phase in phases:
        waited += phase.pause
        if phase.state == "branch" and not phase.learn:
            continue
        state = "group" if phase.state == "branch" else phase.state
        able.append(replace(phase, state=state, pause=waited))
        waited = 0.0
    return able
