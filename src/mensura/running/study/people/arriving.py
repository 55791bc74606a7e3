"""Arriving: people who come by a study's one link are asked, assigned to a cell, and have one place each."""

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING

import numpy as np

from mensura.errors import BadParameter, UnknownName
from mensura.phrase import phrase
from mensura.running.study.analysis.analysis import look_of
from mensura.running.study.analysis.looks import Look
from mensura.running.study.assignment import next_cell
from mensura.running.study.conduct import stored_study
from mensura.running.study.invite import open_place
from mensura.running.study.people.places import StudyPlace, filled, places_of
from mensura.running.study.people.platform import BROWSER, Arrival, ReturnTicket, code_of, completion_of, own_code
from mensura.running.study.people.recruitment import Recruitment
from mensura.running.study.plan import Study
from mensura.running.study.registration.register import require_plan, study_runs
from mensura.running.study.turn import in_turn
from mensura.store.people.invitations import Invitation, Step
from mensura.store.people.recruiting_links import RecruitingLink

if TYPE_CHECKING:
    from mensura.store import Store

CLOSED = phrase("This study takes nobody new at present. Thank you for your interest.")
ENOUGH = phrase("Enough people have taken part in this study. Thank you for your interest.")
SCREENED_OUT = phrase(
    "Thank you for your interest. This study looks for people whose answers are others than yours, so it ends here."
)
FULL = phrase("Thank you for your interest. Enough people with answers like yours have taken part, so it ends here.")
UNANSWERED = phrase("Please answer every question.")


@dataclass(frozen=True)
class Entrance:
    """The recruiting link of a study with what its plan says of those who come."""

    link: RecruitingLink
    study: Study
    recruitment: Recruitment


def entrance(token: str, *, store: "Store") -> Entrance:
    """Find the study that a recruiting link leads to."""
    link = store.recruiting_links.find(token)
    study = stored_study(link.study, store=store)
    return Entrance(link, study, Recruitment.read(study.recruiting))


def open_entrance(study: Study, *, store: "Store", who: str = "") -> RecruitingLink:
    """Open the recruiting link of a study that is registered and has people; it is the same whenever it is opened."""
    if not any(cast.people for cast in study.casts):
        raise BadParameter(f"No cast of {study.name} is human: nobody can come by a link.")
    if study.procedure:
        raise BadParameter("People in cohorts are enrolled one by one; a recruiting link is for those who come alone.")
    require_plan(study, store=store)
    if not study_runs(study.name, store=store):
        raise BadParameter(f"{study.name} is not registered yet: mensura study register FILE")
    made = store.recruiting_links.open(study.name, created_by=who)
    store.trail.note(who, "opened the recruiting link", study.name)
    return made


def close_entrance(study: str, *, store: "Store", who: str = "") -> None:
    """Let nobody new come by the recruiting link of a study."""
    store.recruiting_links.close(study)
    store.trail.note(who, "closed the recruiting link", study)


def known_place(door: Entrance, arrival: Arrival, *, store: "Store") -> Invitation | None:
    """Find the place of someone who came before."""
    try:
        return store.invitations.enter(arrival.token(door.link.secret))
    except UnknownName:
        return None


def refusal(door: Entrance, *, store: "Store") -> str:
    """Return why nobody new can come now; empty where someone can."""
    look = _look(door.study, store)
    return _refusal(door, _open_cells(door.study, places_of(door.study.name, store=store), look), look)


def _refusal(door: Entrance, open_cells: Mapping[str, int], look: Look | None) -> str:
    if door.link.closed is not None:
        return CLOSED
    if open_cells:
        return ""
    # Before a look is over nobody knows whether others are needed.
    return ENOUGH if look is None or look.over or look.number + 1 == look.of else CLOSED


def _look(study: Study, store: "Store") -> Look | None:
    """Look at the outcome where the plan does; that is an analysis, so it is done once for each who comes."""
    return look_of(study, store=store) if study.stopping.looks else None


def ticket_when_full(door: Entrance, arrival: Arrival | None) -> ReturnTicket | None:
    """Return what people take back to their platform who come when all places are taken.

    None where the plan names no code for them: nothing is stored of them, so a code of their own would prove nothing.
    """
    if door.link.closed is not None or not code_of(door.recruitment.codes, "full"):
        return None
    platform = BROWSER if arrival is None else arrival.platform
    return completion_of(_completion(door.recruitment, platform), "full", token="")


def arrive(door: Entrance, arrival: Arrival, answers: Mapping[str, str], *, store: "Store") -> str:
    """Give someone who comes their place, and return the token of it; a person who came before has the same again.

    Those who do not meet a criterion, or whose quota is full, have a place that says so: answering otherwise at a
    second try changes nothing.

    Raises
    ------
    BadParameter
        If a question is not answered, or nobody new can come; nothing was changed.
    """
    token = arrival.token(door.link.secret)
    with in_turn(door.study.name, store=store):
        if known_place(door, arrival, store=store) is not None:
            return token
        places = places_of(door.study.name, store=store)
        look = _look(door.study, store)
        open_cells = _open_cells(door.study, places, look)
        if why := _refusal(door, open_cells, look):
            raise BadParameter(why)
        admitted, stratum = _answered(door.recruitment, answers)
        details = {
            "completion": _completion(door.recruitment, arrival.platform),
            **({"stratum": stratum} if stratum else {}),
        }
        ended = "" if admitted else "screened_out"
        ended = ended or ("full" if _quota_is_full(door.recruitment, stratum, places) else "")
        if ended:
            number = _turn_away(door.study, token, ended, details, store)
        else:
            alike = filled(places, stratum)
            usable = {name: alike.get(name, 0) for name in open_cells}
            number = _assign(door, usable, len(places), token, details, store)
        if arrival.platform != "browser":
            notes = [f"{name} {value}" for name, value in arrival.more.items()]
            notes += [f"code {own_code(token, ended or 'finished')}"] if arrival.platform == "mturk" else []
            store.invitations.name(number, name="", contact=arrival.contact, notes=", ".join(notes))
    return token


def _answered(recruitment: Recruitment, answers: Mapping[str, str]) -> tuple[bool, dict[str, str]]:
    """Return whether the criteria admit someone, and their answers to the questions of strata."""
    criteria = {one.key: answers.get(one.key, "") for one in recruitment.criteria}
    stratum = {one.key: answers.get(one.key, "") for one in recruitment.strata}
    strange = [one.key for one in recruitment.strata if stratum[one.key] not in one.options]
    if strange or not set(criteria.values()) <= {"yes", "no"}:
        raise BadParameter(UNANSWERED)
    return all((criteria[one.key] == "yes") == one.admits for one in recruitment.criteria), stratum


def _quota_is_full(recruitment: Recruitment, stratum: Mapping[str, str], places: list[StudyPlace]) -> bool:
    counted = [one.stratum for one in places if one.counts]
    for question in recruitment.strata:
        most, mine = question.options[stratum[question.key]], stratum[question.key]
        if most is not None and sum(one.get(question.key) == mine for one in counted) >= most:
            return True
    return False


def _open_cells(study: Study, places: list[StudyPlace], look: Look | None) -> dict[str, int]:
    """Return the cells of people that have places left by the plan, with how many are taken.

    A plan that looks at the outcome has places up to the next look; where it stopped there are none.
    """
    taken = filled(places)
    cells = {cell.name: study.planned(cell.cast) for cell in study.cells() if cell.cast.people}
    if look is not None:
        cells = dict.fromkeys(cells, 0 if look.over else study.stopping.looks[look.number])
    return {name: taken.get(name, 0) for name, most in cells.items() if taken.get(name, 0) < most}


def _assign(
    door: Entrance,
    usable: Mapping[str, int],
    came: int,
    token: str,
    details: Mapping[str, object],
    store: "Store",
) -> int:
    """Open a place in the cell that has the fewest usable ones like it; chance decides among equals."""
    # From the link's secret: with a public seed anyone could know which cell the next person goes to.
    digest = blake2b(f"{door.link.secret}/{came}".encode(), digest_size=16).digest()
    cell = next_cell(usable, {}, np.random.default_rng(int.from_bytes(digest, "big")))
    head = [one for one in study_runs(door.study.name, store=store) if one.details.get("cell") == cell][-1]
    made = open_place(door.study, cell, head, store=store, created_by="", details=details, token=token)
    return made.number


def _turn_away(study: Study, token: str, ended: str, details: Mapping[str, object], store: "Store") -> int:
    words = SCREENED_OUT if ended == "screened_out" else FULL
    language = {"language": str(study.invitation["language"])} if study.invitation.get("language") else {}
    _, made = store.invitations.add(
        [Step("thanks", title=phrase("Thank you"), text=str(words))],
        token=token,
        details={"study": study.name, "ended": ended, **language, **details},
    )
    return made.number


def _completion(recruitment: Recruitment, platform: str) -> dict[str, object]:
    return {
        "platform": platform,
        "codes": dict(recruitment.codes),
        **({"credit": recruitment.credit} if platform == "sona" else {}),
    }
