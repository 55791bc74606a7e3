"""Belief: the problem as an assistant sees it, from what the office's tables say."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

from mensura.catalog.crisis.planning.manual import manual_rules
from mensura.catalog.crisis.planning.problem import Place, Problem, Session, Standing, TradeOffs, Venue
from mensura.catalog.crisis.planning.supply import offers_of
from mensura.catalog.crisis.world.requirement import Requirement
from mensura.catalog.crisis.world.time import SLOTS

Chance = Callable[[Mapping[str, Any], Mapping[str, Any]], float]
"""(room, reservation) → the chance that its owner gives it up."""
ENTERED = 1.5
"""What a constraint weighs that someone has taken the trouble to enter."""


def believed_problem(
    known: Mapping[str, Any],
    *,
    chance: Chance | None = None,
    capacity: Mapping[tuple[str, str], int] | None = None,
    equipment: Mapping[str, frozenset[str]] | None = None,
    prices: TradeOffs | None = None,
) -> Problem:
    """Say what an assistant believes; see `Problem.from_office_known`.

    Parameters
    ----------
    known
        What lies open in the office, as `mensura.catalog.crisis.office.visible.known` gives it.
    chance
        How likely owners are to give a slot up; one half for each where nothing was learned.
    capacity, equipment
        Beliefs that take the place of what the tables say: (room, layout) → seats, room → what is built in.
    prices
        What money, asking and moving cost.
    """
    facts, today = known["facts"], date.fromisoformat(known["today"])
    seats = capacity or {}
    built_in = equipment or {}
    granted = {(room, slot) for room, slot in known["granted"]}
    refused = {(bump["room"], bump["slot"]) for bump in known["bumps"] if bump["answer"] is False}
    held: set[Place] = set()
    venues: list[Venue] = []
    for room in known["rooms"]:
        if not room["usable"]:
            continue
        chances = dict.fromkeys(range(SLOTS), 1.0)
        for reservation in room["reservations"]:
            place = (room["id"], reservation["slot"])
            if place in refused:
                del chances[place[1]]
            elif place not in granted:
                held.add(place)
                chances[place[1]] = chance(room, reservation) if chance else 0.5
        for slot in {*room["closed"], *room["lost"]}:
            chances.pop(slot, None)
        said = facts["capacity"].get(room["id"], {})
        layouts = {*said, *(layout for where, layout in seats if where == room["id"])}
        venues.append(
            Venue(
                id=room["id"],
                building=room["building"],
                capacity={layout: seats.get((room["id"], layout), said.get(layout, 0)) for layout in sorted(layouts)},
                equipment=built_in.get(room["id"], frozenset(facts["equipment"].get(room["id"], ()))),
                chance=chances,
                price=room["price"],
            )
        )
    sessions = tuple(_session(event, known) for event in known["events"])
    entered = tuple(Requirement(**{**rule, "weight": ENTERED}) for rule in known["constraints"])
    return Problem(
        venues=tuple(venues),
        sessions=sessions,
        rules=(*manual_rules(known), *entered),
        offers=offers_of(known["vendors"], ahead=(date.fromisoformat(known["first"]) - today).days),
        orders=tuple(Standing(**order) for order in known["orders"]),
        prices=prices or TradeOffs(),
        neighbours=frozenset(event["id"] for event in known["events"] if event["kind"] == "exhibit"),
        held=frozenset(held),
        original={event["id"]: (event["original"][0], event["original"][1]) for event in known["events"]},
    )


def people_of(event: Mapping[str, Any]) -> frozenset[str]:
    """Say who must be at an event: its speakers and its chair."""
    chair = [event["chair"]] if event.get("chair") else []
    return frozenset([*(talk["speaker"] for talk in event["talks"]), *chair])


def _session(event: Mapping[str, Any], known: Mapping[str, Any]) -> Session:
    facts = known["facts"]
    where = known["place"].get(event["id"])
    return Session(
        id=event["id"],
        length=event["length"],
        attendance=facts["attendance"][event["id"]],
        layout=facts["layout"][event["id"]],
        people=people_of(event),
        catering=facts["catering"].get(event["id"], 0),
        now=None if where is None else (where[0], where[1]),
    )
