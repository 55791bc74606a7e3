"""Invite: people's places in a study, each with an unguessable link, spread evenly over the cells."""

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mensura.catalog.find import find_test
from mensura.dialogue import Address, Seed, generator
from mensura.dialogue.canonical import short_hash
from mensura.errors import BadParameter
from mensura.phrase import phrase
from mensura.running.people.waiting_room import DETAIL, WaitingRoom
from mensura.running.plan import Plan, read_cast, session_id
from mensura.running.reference import definition_of
from mensura.running.run import RunOptions, begin_run
from mensura.running.study.assignment import next_cell
from mensura.running.study.conduct import progress_of
from mensura.running.study.people.brand import Brand
from mensura.running.study.people.course_place import course_counts, open_course
from mensura.running.study.plan import Study
from mensura.running.study.registration.register import require_plan, study_runs
from mensura.store.head import RunHead, SessionHead
from mensura.store.log.deeds import INVITED
from mensura.store.people.invitations import Step
from mensura.subjects.spec import HUMAN

if TYPE_CHECKING:
    from mensura.store import Store

# Plans and forms hold it as a plain text.
CONSENT = str(
    phrase(
        "You are invited to take part in a study. Taking part is voluntary. You may stop at any time, or withdraw "
        "afterwards, and have all your answers erased. Your answers are stored without your name."
    )
)


@dataclass(frozen=True)
class Invited:
    """A link to give to one person; it is shown once and cannot be looked up again."""

    token: str
    number: int
    cell: str


def invite(
    study: Study, count: int, *, store: "Store", created_by: str = "", details: Mapping[str, Any] | None = None
) -> list[Invited]:
    """Make places for this number of people, each in the cell that has the fewest usable or running sessions."""
    require_plan(study, store=store)
    cells = progress_of(study, store=store).cells
    runs = {state.cell.name: state.runs for state in cells if state.cell.cast.people and state.runs}
    if not runs:
        raise BadParameter(f"No cast of {study.name} is human, or the study has not begun: mensura study run FILE")
    return [_invite_one(study, runs, store, created_by, details) for _ in range(count)]


def _invite_one(
    study: Study,
    runs: dict[str, list[RunHead]],
    store: "Store",
    created_by: str,
    details: Mapping[str, Any] | None,
) -> Invited:
    usable, under_way = {}, {}
    for name, heads in runs.items():
        if study.courses:
            usable[name], under_way[name] = course_counts(heads, store=store)
            continue
        sessions = [one for head in heads for one in store.sessions.of(head.id)]
        excluded = {session for head in heads for session in store.exclusions.excluded(head.id)}
        usable[name] = sum(one.status == "finished" and one.id not in excluded for one in sessions)
        under_way[name] = sum(one.status == "open" for one in sessions)
    head = next(iter(runs.values()))[0]
    made = sum(usable.values()) + sum(under_way.values())
    rng = generator(head.seed or 0, Address(session=made), stream="assignment")
    cell = next_cell(usable, under_way, rng)
    return open_place(study, cell, runs[cell][-1], store=store, created_by=created_by, details=details)


def open_place(
    study: Study,
    cell: str,
    head: RunHead,
    *,
    store: "Store",
    created_by: str = "",
    label: str = "",
    details: Mapping[str, Any] | None = None,
    pages: Sequence[str] = (),
    token: str = "",
) -> Invited:
    """Open one session of a run, or a course of its cell, and make the way through it; `pages` are read before."""
    steps = _taken(study, cell, head, store, cohort=(details or {}).get("cohort"))
    name = steps[0].session
    words = study.invitation
    before = [Step("consent", title=phrase("Consent"), text=str(words.get("consent") or CONSENT))]
    if told := definition_of(head).consent:
        before.append(Step("consent", title=phrase("Consent"), text=told))
    if words.get("briefing"):
        before.append(Step("page", title=phrase("What you will do"), text=str(words["briefing"])))
    before += [Step("page", title=phrase("How it is done"), text=page) for page in pages]
    for check in words.get("checks") or ():
        before += _beside("check", phrase("A short check"), {"check": check}, head, store)
    before += _beside("quiz", phrase("A few questions"), words, head, store)
    steps = [*before, *steps, *_beside("survey", phrase("A few questions at the end"), words, head, store)]
    thanks = words.get("thanks") or phrase("Thank you for taking part.")
    steps.append(Step("thanks", title=phrase("Thank you"), text=str(thanks)))
    days = words.get("days")
    token, invitation = store.invitations.add(
        steps,
        label=label or cell,
        created_by=created_by,
        # Pauses of a course are no time in which someone could take part.
        expires=None if days is None else time.time() + 86400 * float(days) + sum(step.pause for step in steps),
        details={
            "study": study.name,
            "telemetry": words.get("telemetry") or False,
            **{part: str(words[part]) for part in ("language", "replacement") if words.get(part)},
            **({"brand": Brand.read(words["brand"]).as_json()} if words.get("brand") else {}),
            **({DETAIL: WaitingRoom.read(words[DETAIL]).as_json()} if words.get(DETAIL) else {}),
            **(details or {}),
        },
        token=token,
    )
    said = {"invitation": invitation.number, "cell": cell, "way": short_hash([vars(step) for step in steps])}
    said |= {"replaces": invitation.details["replaces"]} if "replaces" in invitation.details else {}
    store.deeds.note(name, INVITED, who=created_by, expires=invitation.expires, **said)
    return Invited(token, invitation.number, cell)


def _taken(study: Study, cell: str, head: RunHead, store: "Store", *, cohort: int | None) -> list[Step]:
    """Return the steps of the study itself: a session, beside others or not, or all sessions of a course."""
    runs = [one for one in study_runs(study.name, store=store) if one.details.get("cell") == cell]
    if study.courses:
        return open_course(study, cell, runs, store=store)
    roles = [role for role, subject in head.cast.items() if subject == "human"]
    found = _beside_others(head, roles, store, cohort=cohort) if len(roles) > 1 else None
    if found is None:
        # An amended plan has a run of its own, whose sessions go on where those before it ended: no item is met twice.
        address = Address(session=sum(len(store.sessions.of(one.id)) for one in runs))
        found = session_id(head.id, address), roles[0]
        store.sessions.add(SessionHead(found[0], head.id, address, dict(head.cast), created=time.time()))
    return [Step("session", title="", session=found[0], role=found[1])]


def _beside_others(
    head: RunHead, roles: Sequence[str], store: "Store", *, cohort: int | None
) -> tuple[str, str] | None:
    """Find a session that has not begun, and a role in it that nobody is invited to.

    Cohorts meet at different times: people of one would wait for those of another in vain.
    """
    for session in store.sessions.of(head.id):
        if session.status != "open" or store.events.last_number(session.id):
            continue
        invited = [one for one in store.invitations.of_session(session.id) if one.status == "open"]
        if any(one.details.get("cohort") != cohort for one in invited):
            continue
        taken = {step.role for one in invited for step in one.steps if step.session == session.id}
        if free := [role for role in roles if role not in taken]:
            return session.id, free[0]
    return None


BESIDE = ("check", "quiz", "survey")


def runs_beside(heads: Sequence[RunHead], *, store: "Store") -> list[RunHead]:
    """Find the runs of the checks, quizzes and surveys that were taken beside those of a study."""
    mine = {head.id for head in heads}
    return [one for one in store.runs.all() if any(one.details.get(_mark(part)) in mine for part in BESIDE)]


def _mark(part: str) -> str:
    """Name the detail by which a run beside another says which one."""
    return f"{part}_for"


def _beside(part: str, title: str, words: Mapping[str, Any], head: RunHead, store: "Store") -> list[Step]:
    """Open a session of a check or the quiz before, or of the survey after, where the study names one.

    It has a run of its own for each cell. Parameters that both tests have, such as the condition, are the same.
    """
    if not words.get(part):
        return []
    test = find_test(str(words[part]))
    given = {name: head.parameters[name] for name in test.parameters if name in head.parameters}
    values = test.fill(given)
    if len(test.cast_roles(values)) != 1:
        raise BadParameter(f"The {part} of a study is answered by one person alone; {test.id} has several roles.")
    taken = [one for one in store.runs.all() if one.details.get(_mark(part)) == head.id]
    found = next((one for one in taken if one.test == test.id), None)
    if found is None:
        plan = Plan(str(words[part]), read_cast(HUMAN, roles=test.cast_roles(values)), values)
        options = RunOptions(trace="full", condition=head.condition, details={_mark(part): head.id})
        found = begin_run(plan, store=store, seed=Seed.choose(None), options=options)
    address = Address(session=len(store.sessions.of(found.id)))
    name = session_id(found.id, address)
    store.sessions.add(SessionHead(name, found.id, address, dict(found.cast), created=time.time()))
    return [Step("session", title=title, session=name, role=next(iter(found.cast)))]
