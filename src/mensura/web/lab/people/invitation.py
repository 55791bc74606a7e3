"""Inviting: a batch of people, each with a different link, and the sessions that wait for them."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mensura.dialogue import Address, Seed, Test
from mensura.errors import BadParameter
from mensura.languages import check_language
from mensura.phrase import phrase
from mensura.running.people.waiting_room import DETAIL, WaitingRoom
from mensura.running.plan import Plan, read_cast, session_id
from mensura.running.run import RunOptions, begin_run
from mensura.store.head import RunHead, SessionHead
from mensura.store.people.invitations import Draft, Step
from mensura.subjects.spec import HUMAN
from mensura.web.lab.catalog import offered_subjects, registered_test
from mensura.web.lab.runs.items import items_of
from mensura.web.participant.invitation import Link

if TYPE_CHECKING:
    from mensura.store import Store

MOST_PEOPLE = 500
MOST_SESSIONS = 20
MOST_DAYS = 366.0
MOST_WORDS = 50_000
DEMO = "demo"
"""The setting that practice uses where a test has it."""
# Plans and forms hold it as a plain text.
CONSENT = str(
    phrase(
        "You are invited to take part in a study. Taking part is voluntary. You may stop at any time, without giving a "
        "reason, and have all your answers erased. Your answers are stored without your name."
    )
)
THANKS = str(phrase("Thank you for taking part. You may close this page now."))
PART = str(phrase("Part {place} of {many}"))


@dataclass(frozen=True)
class InvitationPlan:
    """The invitation of a batch of people."""

    test: str
    count: int = 1
    """How many sessions at once, each with one person for every role that people play."""
    parameters: Mapping[str, Any] = field(default_factory=dict)
    setting: str = ""
    cast: Mapping[str, str] = field(default_factory=dict)
    """Role → "human", or the program that plays it; people play whatever is not named."""
    same_items_as: str = ""
    """A run whose items these people meet too, so that both can be compared item by item."""
    condition: str = ""
    label: str = ""
    days: float | None = 14.0
    sessions: int = 1
    """How often each takes the test."""
    consent: str = CONSENT
    briefing: str = ""
    practice: bool = False
    survey: str = ""
    """A registered test that asks for opinions afterwards."""
    thanks: str = THANKS
    telemetry: bool | str = False
    """Keep when people type, paste and look away; their consent then says so."""
    show_scores: bool = False
    language: str = ""
    """The language of their pages; empty: what each browser asks for."""
    replacement: str = ""
    """The program that takes the place of someone who drops out where others wait."""
    waiting: Mapping[str, Any] = field(default_factory=dict)
    """How long people wait for others, and what then: the parts of `WaitingRoom`."""


@dataclass(frozen=True)
class InvitationBatch:
    """The links and sessions that were made for a batch of people."""

    run: RunHead
    links: list[Link]


def invite(plan: InvitationPlan, *, store: "Store", created_by: str, form: str = "") -> InvitationBatch:
    """Make runs, sessions and links for a batch of people; mistakes are raised before anything is written."""
    test = registered_test(plan.test)
    values, seed = items_of(test, plan.parameters, store=store, setting=plan.setting, same_as=plan.same_items_as)
    _check(plan, test)
    cast = _cast(test, plan.cast, values, plan.replacement)
    survey = registered_test(plan.survey) if plan.survey else None
    details: dict[str, Any] = {"form": form} if form else {}
    if plan.sessions > 1:
        # Sessions of one person are one person in estimates.
        details["visits"] = plan.sessions
    head = _begin(test, cast, values, seed, plan.condition or plan.setting, details, store)
    before = [] if not plan.practice else [_practice(test, cast, values, head, store)]
    after = [] if survey is None else [_survey(survey, head, cast, store)]
    expires = None if plan.days is None else time.time() + 86_400 * plan.days
    drafts, places = [], []
    for number in range(plan.count):
        taken = _sessions(plan, head, number)
        extra = [_single(run, number) for run in (*before, *after)]
        store.sessions.add_many([*taken, *extra])
        for role in [role for role, name in cast.items() if name == HUMAN]:
            steps = _steps(plan, test, role, taken, extra[: len(before)], extra[len(before) :])
            told = {"run": head.id, "condition": head.condition, **_details(plan)}
            drafts.append(Draft(tuple(steps), _label(plan, number), told))
            places.append((taken[0].id, role))
    made = store.invitations.add_many(drafts, created_by=created_by, expires=expires)
    return InvitationBatch(head, [Link(*new, *place) for new, place in zip(made, places, strict=True)])


def _check(plan: InvitationPlan, test: Test) -> None:
    if not 1 <= plan.count <= MOST_PEOPLE:
        raise BadParameter(f"A batch has 1 to {MOST_PEOPLE} sessions; got {plan.count}. Make several batches for more.")
    if not 1 <= plan.sessions <= MOST_SESSIONS:
        raise BadParameter(f"Each person takes the test 1 to {MOST_SESSIONS} times; got {plan.sessions}.")
    if plan.days is not None and not 0 < plan.days <= MOST_DAYS:
        raise BadParameter(f"A link is open for more than 0 and at most {MOST_DAYS:g} days; got {plan.days:g}.")
    check_language(plan.language)
    if WaitingRoom.read(plan.waiting).match == "arrival" and plan.sessions > 1:
        raise BadParameter("People who meet several times keep their partners: match them by links.")
    if not plan.consent.strip():
        raise BadParameter("People must be told what they agree to: the text of the consent is empty.")
    if max(map(len, (plan.consent, plan.briefing, plan.thanks))) > MOST_WORDS:
        raise BadParameter(f"Consent, briefing and thanks have at most {MOST_WORDS} characters each.")
    for name in ("label", "condition"):
        text = getattr(plan, name)
        if len(text) > 100 or not text.isprintable():
            raise BadParameter(f"The {name} has at most 100 characters that can be printed.")
    # People would be counted where they were not.
    if plan.condition != plan.setting and plan.condition in test.settings and not plan.same_items_as:
        raise BadParameter(
            f"{plan.condition} is a setting of this test. Choose it as the setting, or give the condition another name."
        )


def _cast(test: Test, given: Mapping[str, str], values: Mapping[str, Any], replacement: str) -> dict[str, str]:
    roles = test.cast_roles(values)
    for role in given:
        if role not in roles:
            raise BadParameter(f"There is no role {role}; roles of {test.name} are {', '.join(roles)}.")
    cast = test.complete_cast(HUMAN, values) | {role: who for role, who in given.items() if who}
    cast = {role: cast[role] for role in roles}
    offered = offered_subjects(test)
    for role, name in cast.items():
        if name != HUMAN and name not in offered:
            raise BadParameter(f"The role {role} is played by {HUMAN} or by {', '.join(offered)}; got {name!r}.")
    if replacement and replacement not in offered:
        raise BadParameter(f"People are replaced by one of {', '.join(offered)}; got {replacement!r}.")
    if HUMAN not in cast.values():
        raise BadParameter("Nobody is invited: every role is played by a program. Start a run of programs instead.")
    return cast


def _begin(
    test: Test,
    cast: Mapping[str, str],
    values: Mapping[str, Any],
    seed: Seed,
    condition: str,
    details: Mapping[str, Any],
    store: "Store",
) -> RunHead:
    plan = Plan(test.id, read_cast(dict(cast), roles=tuple(cast)), values)
    options = RunOptions(trace="full", condition=condition, details=details)
    return begin_run(plan, store=store, seed=seed, options=options)


def _practice(test: Test, cast: Mapping[str, str], values: Mapping[str, Any], head: RunHead, store: "Store") -> RunHead:
    """Begin the run that holds the practice sessions, apart from those that count and with different items."""
    small = test.fill(setting=DEMO) if DEMO in test.settings else dict(values)
    if test.cast_roles(small) != tuple(cast):
        small = dict(values)
    return _begin(test, cast, small, Seed.choose(), "practice", {"practice_for": head.id}, store)


def _survey(survey: Test, head: RunHead, cast: Mapping[str, str], store: "Store") -> RunHead:
    values = survey.fill()
    roles = survey.cast_roles(values)
    if len(roles) != 1 or list(cast.values()).count(HUMAN) != 1:
        raise BadParameter("A survey is answered by one person alone; here several people share a session.")
    condition = head.condition or "survey"
    return _begin(survey, {roles[0]: HUMAN}, values, Seed.choose(), condition, {"survey_for": head.id}, store)


def _sessions(plan: InvitationPlan, head: RunHead, number: int) -> list[SessionHead]:
    if plan.sessions == 1:
        return [_single(head, number)]
    # Sessions of one person belong together: they are a course.
    return [_session(head, Address(course=number, session=each)) for each in range(plan.sessions)]


def _single(head: RunHead, number: int) -> SessionHead:
    return _session(head, Address(session=number))


def _session(head: RunHead, address: Address) -> SessionHead:
    return SessionHead(session_id(head.id, address), head.id, address, dict(head.cast), created=time.time())


def _steps(
    plan: InvitationPlan,
    test: Test,
    role: str,
    taken: list[SessionHead],
    before: list[SessionHead],
    after: list[SessionHead],
) -> list[Step]:
    steps = [Step("consent", title=phrase("Consent"), text=plan.consent.strip())]
    if test.consent:
        steps.append(Step("consent", title=phrase("Consent"), text=test.consent))
    if plan.briefing.strip():
        steps.append(Step("page", title=phrase("What you will do"), text=plan.briefing.strip()))
    steps += [Step("session", title=phrase("Practice"), session=one.id, role=role, practice=True) for one in before]
    many = len(taken) > 1
    for place, one in enumerate(taken):
        values = {"place": place + 1, "many": len(taken)} if many else {}
        title = PART if many else ""
        steps.append(Step("session", title=title, session=one.id, role=role, values=values))
    steps += [
        Step("session", title=phrase("A few questions"), session=one.id, role=next(iter(one.cast))) for one in after
    ]
    steps.append(Step("thanks", title=phrase("Thank you"), text=plan.thanks.strip() or THANKS))
    return steps


def _details(plan: InvitationPlan) -> dict[str, Any]:
    details: dict[str, Any] = {"telemetry": plan.telemetry, "show_scores": plan.show_scores}
    if plan.language:
        details["language"] = plan.language
    if plan.waiting:
        details[DETAIL] = WaitingRoom.read(plan.waiting).as_json()
    return {**details, "replacement": plan.replacement} if plan.replacement else details


def _label(plan: InvitationPlan, number: int) -> str:
    return f"{plan.label} {number + 1}".strip() if plan.label else ""
