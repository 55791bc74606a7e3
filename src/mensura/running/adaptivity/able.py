"""Able: whether a subject can be frozen and branched as phases ask, and proof that its snapshot restores it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import TYPE_CHECKING, Any

from mensura.dialogue import Address
from mensura.errors import BadParameter, NotInstalled
from mensura.running.casting import Casting
from mensura.running.job import Job, instance_of, take_session
from mensura.subjects import Subject, SubjectSpec
from mensura.subjects.outside.abilities import AbleSubject
from mensura.subjects.outside.hosted import Hosted
from mensura.subjects.spec import HUMAN
from mensura.subjects.subject import name_of

if TYPE_CHECKING:
    from mensura.running.course import Phase
    from mensura.running.run import RunOptions

PROOF_SESSIONS = 5
"""As many sessions of a phase are taken to prove a snapshot: more would show no more of most learners."""


def check_able(phases: Sequence["Phase"], spec: SubjectSpec, *, options: "RunOptions") -> None:
    """Refuse a subject that has not what the phases ask of it, before anything is stored."""
    asked = [phase for phase in phases if not phase.learn or phase.state == "branch"]
    if not asked:
        return
    if spec.name == HUMAN:
        raise BadParameter(
            f"The phase {asked[0].name} needs a subject that can be frozen or branched, and nobody can do that with a "
            "person: probe people in groups (state: group), each of whom is probed once, while learning."
        )
    plan = asked[0].plan(spec)
    limits, confinement = options.limits, options.confinement.located()
    job = Job("", plan.test, plan.parameters, plan.cast, 0, Address(), limits=limits, confinement=confinement)
    casting = Casting.of(job, plan.definition)
    try:
        cast = casting.fill()
        mine = [cast[role] for role, one in plan.cast.items() if one == spec]
        for subject, phase in product(mine, asked):
            able = hasattr(subject, "learning"), hasattr(subject, "snapshot")
            # A program that could not even be started has not said what it can do.
            if any(able) or not getattr(subject, "gone", False):
                refuse_unable(subject, phase)
    except (BadParameter, NotInstalled):
        raise
    except Exception:
        # One that cannot be made here, or at all, shows it in its sessions.
        return
    finally:
        casting.let_go()


def check_people(phases: Sequence["Phase"]) -> None:
    """Refuse phases that nobody can take: a person is neither frozen nor new, and takes a course alone."""
    for place, phase in enumerate(phases):
        if not phase.learn:
            raise BadParameter(
                f"The phase {phase.name} is frozen, and nobody can freeze a person. Leave out learn: false, or make it "
                "a probe (`probe: TASK`), which a group of people takes while learning."
            )
        if phase.state == "fresh" and place:
            raise BadParameter(f"The phase {phase.name} begins with a new subject; a person stays who they are.")
        plan = phase.plan(SubjectSpec(HUMAN))
        if list(plan.cast.values()).count(SubjectSpec(HUMAN)) != 1:
            raise BadParameter(f"A person takes a course alone, and {phase.test} has several roles for people.")


def refuse_unable(subject: Any, phase: "Phase") -> None:
    """Refuse a subject without the switch or the snapshot that a phase needs."""
    if not phase.learn and not hasattr(subject, "learning"):
        raise BadParameter(
            f"The phase {phase.name} is frozen, but {name_of(subject)} has no `learning`, so nothing tells it to stop "
            "learning. Leave out learn: false, or give it that attribute (False for a subject that never learns)."
            f"{_said(subject)}"
        )
    if phase.state == "branch" and not (hasattr(subject, "snapshot") and hasattr(subject, "restore")):
        raise BadParameter(
            f"The phase {phase.name} branches, but {name_of(subject)} has no snapshot and restore. Write state: group "
            f"to probe courses that are assigned at random to groups instead.{_said(subject)}"
        )


def _said(subject: Any) -> str:
    """Return how a subject that speaks JSON declares what it can do; a file in Python has its methods."""
    talked_to = isinstance(subject, AbleSubject) and not isinstance(subject, Hosted)
    return ' A program says that it can by answering {"type": "able"}, as docs/subjects.md shows.' if talked_to else ""


def prove(phase: "Phase", jobs: Sequence[Job], cast: Mapping[str, Subject], restore: Callable[[], None]) -> None:
    """Refuse a snapshot that does not restore, and a subject that learns though it is frozen.

    Sessions of the phase are taken in memory, and again after restoring: one who is the same again answers alike.
    """
    trial = [replace(job, store=None, trace="summary") for job in jobs[:PROOF_SESSIONS]]

    def answers() -> list[Any]:
        taken = [take_session(job, instance_of(job), cast) for job in trial]
        if any(done.interrupted for done in taken):
            raise KeyboardInterrupt
        return [(event.kind, event.value) for done in taken for event in done.events if event.kind in KINDS]

    first = answers()
    if not phase.learn and (second := answers()) != first:
        raise BadParameter(_words(phase, first, second, "the second time, though its learning is off"))
    restore()
    if phase.state == "branch" and (second := answers()) != first:
        raise BadParameter(_words(phase, first, second, "after its snapshot was restored"))
    restore()


KINDS = ("answer", "refuse", "abstain", "lapse")


def _words(phase: "Phase", first: Sequence[Any], second: Sequence[Any], when: str) -> str:
    differ = (place for place, (one, other) in enumerate(zip(first, second, strict=False), start=1) if one != other)
    place = next(differ, min(len(first), len(second)) + 1)
    return (
        f"In the phase {phase.name} the subject took the same sessions twice and answered otherwise {when}: answer "
        f"{place} of {len(first)} is the first that differs. A probe of it would teach it, or measure another subject. "
        "Let restore bring back all that snapshot gave, copied, and take all chance from begin(rng)."
    )
