"""Changing places: links closed or extended, sessions excluded, and someone else in the place of those who left."""

import time
from collections.abc import Sequence
from typing import TYPE_CHECKING

from mensura.errors import BadParameter, Conflict
from mensura.running.people.closing import close_link
from mensura.running.study.analysis.analysis import look_of
from mensura.running.study.invite import Invited, open_place
from mensura.running.study.people.places import StudyPlace, places_of
from mensura.running.study.plan import Study
from mensura.running.study.registration.excluding import decide_all
from mensura.running.study.registration.register import require_plan, study_runs
from mensura.running.study.turn import in_turn
from mensura.store.log.deeds import CLOSED, EXTENDED, REPLACED

if TYPE_CHECKING:
    from mensura.store import Store

DAY_SECONDS = 86_400.0
MOST_DAYS = 366.0


def close_places(study: str, numbers: Sequence[int], *, store: "Store", who: str) -> list[int]:
    """Close the links of some people of a study that are open; what was answered stays. Returns those closed."""
    found = [one for one in _mine(study, numbers, store) if one.invitation.status == "open" and one.session]
    for one in found:
        close_link(store, one.number, who=who)
        store.deeds.note(one.session, CLOSED, who=who, invitation=one.number)
        store.trail.note(who, "closed a link", one.invitation.sign)
    return [one.number for one in found]


def extend_places(study: str, numbers: Sequence[int], *, days: float, store: "Store", who: str) -> list[int]:
    """Let open links of a study that have an end stay open for this number of days more; return those extended."""
    if not 0 < days <= MOST_DAYS:
        raise BadParameter(f"A link is extended by more than 0 and at most {MOST_DAYS:g} days; got {days:g}.")
    found = [one for one in _mine(study, numbers, store) if one.invitation.status == "open" and one.session]
    done = []
    for one in found:
        if one.invitation.expires is not None:
            expires = max(one.invitation.expires, time.time()) + DAY_SECONDS * days
            store.invitations.extend(one.number, expires=expires)
            store.deeds.note(one.session, EXTENDED, who=who, invitation=one.number, expires=expires)
            store.trail.note(who, "extended a link", one.invitation.sign, expires=expires)
            done.append(one.number)
    return done


def exclude_places(
    study: str,
    numbers: Sequence[int],
    *,
    reason: str,
    store: "Store",
    who: str,
    rule: str = "",
    leave_out: bool = True,
) -> list[str]:
    """Exclude the sessions of some people of a study, or include them again, with the reason; returns the sessions.

    By a rule of the registered plan it is a planned decision, else one after the data.
    """
    sessions = [one.session for one in _mine(study, numbers, store) if one.session and one.status != "withdrawn"]
    if not sessions:
        raise BadParameter("None of them has a session that could be excluded.")
    decide_all(sessions, reason, rule=rule, leave_out=leave_out, store=store, who=who)
    return sessions


def replace_place(study: Study, number: int, *, store: "Store", who: str = "") -> Invited:
    """Open a place in the same cell for someone who takes the place of another; that one's link is closed.

    Those who finished and count are not replaced: exclude them first. Nobody is once a look has ended the study.
    """
    with in_turn(study.name, store=store):
        require_plan(study, store=store)
        [place] = _mine(study.name, [number], store)
        if place.replaced_by is not None:
            raise Conflict(f"Invitation {number} was replaced already, by invitation {place.replaced_by}.")
        if not place.replaceable:
            why = "was turned away and had no place" if not place.session else "has finished; exclude them first"
            raise BadParameter(f"Invitation {number} cannot be replaced: this person {why}.")
        if "cohort" in place.invitation.details:
            raise BadParameter("In cohorts someone else is enrolled instead: give them a place in the same cohort.")
        look = look_of(study, store=store) if study.stopping.looks else None
        if look is not None and look.over:
            raise BadParameter(f"Invitation {number} cannot be replaced. The study is over: {look.sentence}")
        heads = [one for one in study_runs(study.name, store=store) if one.details.get("cell") == place.cell]
        if place.invitation.status == "open":
            close_link(store, number, who=who)
        details = {"replaces": number, **({"stratum": dict(place.stratum)} if place.stratum else {})}
        made = open_place(study, place.cell, heads[-1], store=store, created_by=who, details=details)
        store.deeds.note(place.session, REPLACED, who=who, invitation=number, by=made.number)
        store.trail.note(who, "replaced a participant", place.invitation.sign, by=made.number)
        return made


def _mine(study: str, numbers: Sequence[int], store: "Store") -> list[StudyPlace]:
    """Find the places of these invitations; one that is not of the study stops everything."""
    known = {one.number: one for one in places_of(study, store=store)}
    if strange := [number for number in numbers if number not in known]:
        raise BadParameter(f"Invitation {strange[0]} does not belong to {study!r}; nothing was changed.")
    if not numbers:
        raise BadParameter("Nobody was ticked; go back and tick those who are meant.")
    return [known[number] for number in dict.fromkeys(numbers)]
