"""Deviation: in what a plan differs from the one that was registered, in words."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from mensura.dialogue.canonical import canonical
from mensura.running.study.plan import Study

LONGEST = 60
"""Longer values, as a page of consent, are said to be changed and not printed."""
Parts = dict[str, dict[str, Any]]
"""The name of a part of a plan → its aspects; the aspect "" is the part itself."""


def deviations(was: Study, now: Study) -> list[str]:
    """List every difference between two plans of one study, each as a sentence; empty where they are the same.

    >>> from mensura.running.study import Cast, ExclusionRule, Study
    >>> first = Study("s", ("coin",), (Cast("c", {"": "chance"}),), exclusions=(ExclusionRule("fast", "invalid > 3"),))
    >>> deviations(first, Study("s", ("coin",), first.casts, exclusions=(ExclusionRule("fast", "invalid > 9"),)))
    ["Exclusion 'fast' was invalid > 3, now invalid > 9."]
    """
    if was.hash == now.hash:
        return []
    before, after = _parts(was), _parts(now)
    said = [f"{part} was removed." for part in before if part not in after]
    for part, aspects in after.items():
        if part not in before:
            said.append(f"{part} was added: {_listed(aspects)}.")
            continue
        old = before[part]
        for aspect in dict.fromkeys([*old, *aspects]):
            one, other = (canonical(each.get(aspect)) for each in (old, aspects))
            if one != other:
                said.append(_changed(part, aspect, old.get(aspect), aspects.get(aspect)))
    return said or ["The parts of the plan are in another order."]


def _parts(study: Study) -> Parts:
    whole = {
        "question": study.question,
        "tests": study.tests,
        "order": study.order,
        "seed": study.seed,
        "chance": study.chance,
        "population": study.generalise,
        "phases": study.phases,
        "adaptivity": study.adaptivity,
    }
    hypotheses: list[tuple[str, dict[str, Any]]] = [
        (one.name, {"compared": " with ".join(one.compare), "on": one.score, "expected": one.expect, "in": one.phase})
        for one in study.hypotheses
    ]
    casts = [
        (repr(one.name), {"": one.subjects.get("", one.subjects), "simulated": one.simulated}) for one in study.casts
    ]
    exclusions = [(repr(one.name), {"": one.when}) for one in study.exclusions]
    return {
        **_named("Hypothesis", hypotheses),
        **_named("Exclusion", exclusions),
        **_named("Cast", casts),
        **_named("Condition", [(repr(name), {"": dict(given)}) for name, given in study.conditions.items()]),
        **_named("Arm", [(repr(name), {"": list(phases)}) for name, phases in study.arms.items()]),
        **_named("Factor", [(repr(name), {"": list(values)}) for name, values in study.factors.items()]),
        "Stop rule": asdict(study.stopping),
        "The plan": whole,
        "The invitation": dict(study.invitation),
        "The procedure": dict(study.procedure),
        "Recruiting": dict(study.recruiting),
    }


def _named(kind: str, parts: Sequence[tuple[str, Mapping[str, Any]]]) -> Parts:
    """Name parts of one kind; a name that is given twice is numbered."""
    made: Parts = {}
    for name, aspects in parts:
        place = f"{kind} {name}"
        many = sum(place == known.partition(" (")[0] for known in made)
        made[f"{place} ({many + 1})" if many else place] = dict(aspects)
    return made


def _changed(part: str, aspect: str, was: Any, now: Any) -> str:
    where = f"{part}: {aspect.replace('_', ' ')}" if aspect else f"{part} was"
    one, other = _words(was), _words(now)
    if max(len(one), len(other)) > LONGEST:
        return f"{where} was changed." if aspect else f"{part} was changed."
    return f"{where} {one}, now {other}."


def _listed(aspects: Mapping[str, Any]) -> str:
    return ", ".join(f"{name.replace('_', ' ')} {_words(value)[:LONGEST]}".strip() for name, value in aspects.items())


def _words(value: Any) -> str:
    if value is None or value == "":
        return "nothing"
    if isinstance(value, Mapping):
        return ", ".join(f"{name} = {each}" for name, each in value.items()) or "nothing"
    if isinstance(value, list | tuple):
        return ", ".join(map(str, value)) or "nothing"
    return str(value)
