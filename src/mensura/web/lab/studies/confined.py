"""Confined: plans that pages may read. They name registered tests and reference subjects; no file or program."""

from collections.abc import Iterator, Mapping
from math import prod
from typing import Any

from mensura.errors import BadFile, BadParameter, unknown
from mensura.running.study import Study
from mensura.running.study.reading import PlanFault, check_text, fault_of
from mensura.subjects.spec import HUMAN
from mensura.web.lab.catalog import offered_subjects, registered_test
from mensura.yaml_file import bounded_yaml

MOST_SIGNS = 100_000
MOST_CELLS = 200


def check_confined(text: str) -> Study | PlanFault:
    """Read a plan as the command line does, and refuse what pages must not load or start."""
    if len(text) > MOST_SIGNS:
        return PlanFault(1, f"A plan has at most {MOST_SIGNS} characters; this one has {len(text)}.")
    try:
        # Plans that people write need no references, and a short text of references to references is a bomb.
        with bounded_yaml(text, "plan", aliases=False):
            pass
    except BadFile as error:
        return fault_of(error)
    return check_text(text, admit=only_registered)


def only_registered(data: Mapping[str, Any]) -> None:
    """Refuse a test, survey or subject that is not registered, before anything is loaded by its name."""
    words = data.get("invitation") or {}
    named = [*(data.get("tests") or [data.get("test")])]
    arms = data.get("arms") or {}
    beside = [*_tests_of(data.get("phases")), *(test for phases in arms.values() for test in _tests_of(phases))]
    beside += [words.get("quiz"), words.get("survey")]
    beside += words["checks"] if isinstance(words.get("checks"), list) else []
    tests = [registered_test(str(name)) for name in named if name is not None]
    for name in filter(None, beside):
        registered_test(str(name))
    offered = [HUMAN, *dict.fromkeys(name for test in tests for name in offered_subjects(test))]
    casts = data.get("casts") or {}
    instead = [words["replacement"]] if words.get("replacement") else []
    for given in (*casts.values(), *instead):
        subjects = [given] if not isinstance(given, Mapping) else [given[key] for key in given if key != "simulated"]
        for name in subjects:
            if name not in offered:
                see = f"Pages start {', '.join(offered)}; others are started by mensura study run FILE."
                raise unknown("subject on these pages", str(name), known=offered, see=see)
    factors = [values for values in (data.get("factors") or {}).values() if isinstance(values, list)]
    cells = (
        len(tests)
        * len(casts)
        * max(1, len(data.get("conditions") or {}))
        * max(1, len(arms))
        * prod(map(len, factors))
    )
    if cells > MOST_CELLS:
        raise BadParameter(f"A study from these pages has at most {MOST_CELLS} cells; this one has {cells}.")


def _tests_of(phases: Any) -> Iterator[Any]:
    """Name the tests of phases, those that take turns too."""
    for phase in phases or ():
        if isinstance(phase, Mapping):
            yield phase.get("test")
            yield from _tests_of(phase.get("interleave"))
