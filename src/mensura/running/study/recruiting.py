"""Recruiting: who may take part, in which cohort, and never twice."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mensura.errors import BadParameter
from mensura.running.study.cohorts import Cohort, subject_number
from mensura.running.study.conduct import progress_of
from mensura.running.study.invite import Invited, open_place
from mensura.running.study.plan import Study
from mensura.running.study.procedure import Procedure
from mensura.running.study.registration.register import require_plan
from mensura.running.study.turn import in_turn
from mensura.store.people.invitations import Invitation

if TYPE_CHECKING:
    from mensura.store import Store

Sees = Callable[[str], bool]


@dataclass(frozen=True)
class Applicant:
    """Someone who would take part. Name and contact are kept apart from everything else."""

    name: str
    contact: str
    answers: Mapping[str, bool]
    """Criterion → what they answered."""


@dataclass(frozen=True)
class Enrolled:
    """A place that someone has: number and link."""

    subject: str
    cohort: int
    invited: Invited


def not_admitted(procedure: Procedure, applicant: Applicant) -> str:
    """Return why someone cannot take part; empty where they can."""
    for criterion in procedure.criteria:
        given = applicant.answers.get(criterion.key)
        if given is None:
            return f"The question {criterion.text!r} was not answered."
        if given != criterion.admits:
            needed = "yes" if criterion.admits else "no"
            return f"To {criterion.text!r} those who take part answer {needed}."
    return ""


def same_person(contact: str) -> str:
    """Bring a contact to the form in which two are compared.

    >>> same_person(" Ann.Lee+study@Example.org ") == same_person("annlee@example.org")
    False
    >>> same_person(" Ann+study@Example.org ") == same_person("ann@example.org")
    True
    """
    text = re.sub(r"\s+", "", contact).casefold()
    local, at, host = text.partition("@")
    return f"{local.split('+', 1)[0]}@{host}" if at else re.sub(r"[^0-9+a-z]", "", text)


def took_part_before(contact: str, study: Study, *, store: "Store", sees: Sees) -> bool:
    """Return whether someone has a place in this study, or in another of the same test that may be told of."""
    book = store.invitations
    wanted, test = same_person(contact), study.tests[0].rsplit("-v", 1)[0]
    known = {row["invitation"] for row in book.identities() if same_person(str(row["contact"])) == wanted}
    others = [one for one in book.all() if one.number in known and str(one.details.get("test", "")) == test]
    names = {str(one.details.get("study", "")) for one in others}
    return any(name == study.name or sees(name) for name in names)


def enrol(
    study: Study,
    procedure: Procedure,
    cohorts: Sequence[Cohort],
    applicant: Applicant,
    *,
    cohort: int,
    store: "Store",
    sees: Sees | None = None,
) -> Enrolled:
    """Give someone a place in a cohort, or say why not.

    An admitted person gets the next free seat. Their subject number says nothing of who they are; name and contact go
    to the laboratory's book of identities.

    Parameters
    ----------
    sees
        Whether the one who enrols may know who takes part in a study; a refusal would tell it. Without it: in those
        that have no members.
    """
    seen = sees or (lambda name: not store.members.of(name))
    # Whether a seat is free and a person is new must still be true when the place is given.
    with in_turn(study.name, store=store):
        return _enrol(study, procedure, cohorts, applicant, cohort=cohort, store=store, sees=seen)


def _enrol(
    study: Study,
    procedure: Procedure,
    cohorts: Sequence[Cohort],
    applicant: Applicant,
    *,
    cohort: int,
    store: "Store",
    sees: Sees,
) -> Enrolled:
    if not applicant.name.strip() or not applicant.contact.strip():
        raise BadParameter("Name and contact are needed, so that nobody takes part twice.")
    if why := not_admitted(procedure, applicant):
        raise BadParameter(f"This person cannot take part. {why}")
    require_plan(study, store=store)
    if took_part_before(applicant.contact, study, store=store, sees=sees):
        raise BadParameter("This person has taken part in a study of this test, and nobody may take part twice.")
    chosen = next((one for one in cohorts if one.number == cohort), None)
    if chosen is None:
        raise BadParameter(f"There is no cohort {cohort}; cohorts are {', '.join(str(one.number) for one in cohorts)}.")
    taken = seats_of(study.name, cohort, store=store)
    if len(taken) >= chosen.places:
        raise BadParameter(f"Cohort {cohort} is full: all {chosen.places} places are taken, spares included.")
    # A number is given once: a person who withdrew is still paid by theirs.
    seat = max(seats_of(study.name, cohort, store=store, withdrawn=True), default=0) + 1
    conditions = list(dict.fromkeys(one.condition for one in cohorts))
    subject = subject_number(chosen, seat, sorted(conditions))
    state = next(
        (
            state
            for state in progress_of(study, store=store).cells
            if state.cell.condition == chosen.condition and state.cell.cast.people and state.runs
        ),
        None,
    )
    if state is None:
        raise BadParameter(f"{study.name} has not begun, or nobody in {chosen.condition} is human: mensura study run")
    details = {"cohort": cohort, "seat": seat, "subject_number": subject, "test": study.tests[0].rsplit("-v", 1)[0]}
    invited = open_place(
        study, state.cell.name, state.runs[-1], store=store, label=subject, details=details, pages=procedure.instruction
    )
    store.invitations.name(invited.number, name=applicant.name.strip(), contact=applicant.contact.strip())
    return Enrolled(subject, cohort, invited)


def seats_of(study: str, cohort: int, *, store: "Store", withdrawn: bool = False) -> dict[int, Invitation]:
    """Return the seats of a cohort that are taken, or were by those who withdrew where these are wanted."""
    return {
        int(one.details["seat"]): one
        for one in store.invitations.of_study(study, withdrawn=withdrawn)
        if one.details.get("cohort") == cohort
    }
