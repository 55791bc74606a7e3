"""Radar: the assistant as a role. Its answers are logged like anyone's and never computed again on replay."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np

from mensura.catalog.crisis.act import Act, call, spoiled, when
from mensura.catalog.crisis.assistant.classifier import Classifier
from mensura.catalog.crisis.assistant.drafter import Drafter, items
from mensura.catalog.crisis.assistant.elicitor import Elicitor
from mensura.catalog.crisis.assistant.extractor import Extractor
from mensura.catalog.crisis.assistant.known import Known
from mensura.catalog.crisis.assistant.learning.learned import Learned, check_apart, read_learned
from mensura.catalog.crisis.assistant.optimiser import (
    acts_of,
    believed,
    best_plan,
    likely_places,
    places_for,
    waiting,
)
from mensura.catalog.crisis.assistant.patterns import losses
from mensura.catalog.crisis.assistant.reader import Reader
from mensura.catalog.crisis.assistant.room_finder import RoomFinder
from mensura.catalog.crisis.assistant.warning import warning
from mensura.catalog.crisis.assistant.workflow import ENOUGH, Workflow
from mensura.catalog.crisis.office.request import Request
from mensura.catalog.crisis.schedule import cells
from mensura.catalog.crisis.settings import ERRS
from mensura.dialogue import Ask
from mensura.dialogue.canonical import canonical
from mensura.errors import BadParameter
from mensura.once import once

Answer = dict[str, Any]
Read = Callable[[Act], Act | None]
"""What a mail asks for → as the assistant reads it; None: overlooked."""


class Learners:
    """The learners, each with its part of what was learned; all of them empty is the assistant without learning."""

    def __init__(self, learned: Learned) -> None:
        self.learned = learned
        self.classifier = Classifier(learned.classifier)
        self.extractor = Extractor(learned.extractor)
        self.elicitor = Elicitor(learned.elicitor)
        self.finder = RoomFinder(learned.room_finder)
        self.workflow = Workflow(learned.workflow)
        self.drafter = Drafter(learned.drafter)


class Radar:
    """Answers requests from what lies open in the office and what was learned.

    Parameters
    ----------
    learned
        What was learned, in place of what each request names; for tests and training.
    errs
        How often it misreads what it takes from a mail.
    """

    def __init__(self, learned: Learned | None = None, *, errs: float = ERRS) -> None:
        self._given, self._errs = learned, errs
        self._seed: int | None = None
        self._checked: set[tuple[str, str]] = set()

    def begin(self, rng: np.random.Generator) -> None:
        """Begin a session, in which it errs at the declared rate; in training nobody begins, and it does not err."""
        self._seed = int(rng.integers(2**63))

    def __call__(self, ask: Ask) -> Answer:
        """Answer one request; see `mensura.catalog.crisis.office.request`."""
        request = ask.prompt
        if not isinstance(request, Request):
            raise BadParameter(
                "radar is the assistant and works for someone else: --as subject=scripted --as assistant=radar, in a "
                "condition with an assistant."
            )
        known = Known(request.known)
        mind = Learners(self._given) if self._given is not None else self._mind(request, known)
        if request.kind in READS:
            answer = READS[request.kind](mind, known, dict(request.about), self._read)
        else:
            answer = ANSWERS[request.kind](mind, known, dict(request.about))
        return {"kind": request.kind, "words": "", "acts": [], "labels": {}, "ranked": [], **answer}

    def _read(self, act: Act) -> Act | None:
        """Return an act that a mail asks for as it reads it: now and then wrong, or None for a room it overlooks."""
        # Who asks again must not learn from the difference where it errs.
        chance = np.random.default_rng([self._seed or 0, *canonical(act).encode()])
        if self._seed is None or chance.random() >= self._errs:
            return act
        return None if act["arguments"].get("fact") == "lost" else spoiled(act, chance)

    def _mind(self, request: Request, known: Known) -> Learners:
        key = (request.learned, known.raw["package"])
        if request.learned and key not in self._checked:
            check_apart(
                read_learned(request.learned),
                package=known.raw["package"],
                purpose=known.raw["purpose"],
            )
            self._checked.add(key)
        return _mind(request.learned, tuple(request.ablate))


@once(most=32)
def _mind(learned: str, ablate: tuple[str, ...]) -> Learners:
    return Learners(read_learned(learned).without(ablate))


def _label(mind: Learners, known: Known, about: Answer, read: Read) -> Answer:
    reader = Reader(known)
    letters = [known.letters[message] for message in about["messages"] if message in known.letters]
    labels = {letter["id"]: mind.classifier.labels(letter, known, reader=reader) for letter in letters}
    marks = []
    for letter in letters:
        if lost := [found.act for found in losses(letter, known, reader)]:
            labels[letter["id"]] = list(dict.fromkeys(["crisis", *labels[letter["id"]]]))
            marks += [seen for act in lost if (seen := read(act)) is not None]
    return {"labels": {message: found for message, found in labels.items() if found}, "acts": marks}


def _suggest(mind: Learners, known: Known, about: Answer, read: Read) -> Answer:
    letter = known.letters[about["message"]]
    labels = mind.classifier.labels(letter, known)
    entries = mind.extractor.entries(letter, known)
    found = [replace(entry, act=act) for entry in entries if (act := read(entry.act)) is not None]
    words = f"It looks like: {', '.join(label.replace('_', ' ') for label in labels) or 'nothing to do'}."
    if not found:
        words += " I found nothing that I could fill in."
    ranked = [{"pattern": entry.pattern, "confidence": entry.confidence} for entry in found]
    return {"words": words, "acts": [entry.act for entry in found], "ranked": ranked}


def _optimise(mind: Learners, known: Known, about: Answer) -> Answer:
    problem = believed(known, finder=mind.finder, elicitor=mind.elicitor)
    found = best_plan(problem)
    asked = frozenset((bump["room"], bump["slot"]) for bump in known.raw["bumps"])
    acts = acts_of(problem, found, asked=asked)
    late = waiting(problem, found)
    words = (
        f"{len(found.moved)} events should move; {len(found.met)} of {len(problem.rules)} rules that I know are met."
    )
    if warned := warning(known, problem, found):
        words += f" {warned}"
    if late:
        names = ", ".join(known.events[event]["short"] for event in late[:6])
        words += f" {len(late)} wait for an owner's answer ({names}): let me optimise again when it has come."
    unplaced = [known.events[event]["short"] for event, place in found.placement.items() if place is None]
    if unplaced:
        words += f" I have no place for {', '.join(unplaced[:6])}."
    return {"words": words, "acts": acts}


def _find_room(mind: Learners, known: Known, about: Answer) -> Answer:
    problem = believed(known, finder=mind.finder, elicitor=mind.elicitor)
    event = about["event"]
    found = places_for(problem, event)
    if not found:
        return {"words": f"I know of no place for {known.events[event]['short']}."}
    ranked = [
        {"room": room, "slot": slot, "gain": round(gain, 3), "chance": round(chance, 3)}
        for (room, slot), gain, chance in found
    ]
    (room, slot), _, chance = found[0]
    asked = {(bump["room"], bump["slot"]) for bump in known.raw["bumps"]}
    ask = [cell for cell in cells((room, slot), problem.length[event]) if cell in problem.held and cell not in asked]
    name = known.rooms[room]["name"]
    if ask:
        acts = [call("ask_room", room=room, **when(each)) for _, each in ask]
        words = f"{name}, {known.when(slot)}: someone has it and gives it up with chance {chance:.0%}; ask."
    else:
        acts = [call("move", event=event, room=room, **when(slot))]
        words = f"{name}, {known.when(slot)}."
    others = [f"{known.rooms[where]['name']}, {known.when(at)} ({p:.0%})" for (where, at), _, p in found[1:]]
    return {"words": " Or: ".join([words, *(["; ".join(others)] if others else [])]), "acts": acts, "ranked": ranked}


def _elicit(mind: Learners, known: Known, about: Answer) -> Answer:
    problem = believed(known, finder=mind.finder, elicitor=mind.elicitor)
    found = mind.elicitor.questions(known, problem, likely_places(problem))
    if not found:
        return {"words": "I know all that would change the schedule."}
    best = found[0]
    asked = [
        f"what is built in ({', '.join(said) or 'nothing'}, I assume)"
        if fact == "equipment"
        else f"how many it holds in {fact.removeprefix('capacity.')} layout ({said}, I assume)"
        for fact, said in best.facts.items()
    ]
    words = f"Please look up {known.rooms[best.room]['name']}: {' and '.join(asked)}. Enter what is otherwise."
    ranked = [{"room": each.room, "facts": each.facts, "worth": each.worth} for each in found[:5]]
    return {"words": words, "acts": [call("look", page="room", item=best.room)], "ranked": ranked}


def _batch(mind: Learners, known: Known, about: Answer) -> Answer:
    rules = mind.workflow.rules(known)
    if not rules:
        return {"words": f"Show me how first: write at least {ENOUGH} announcements by hand, then I can do the rest."}
    edits = mind.workflow.edits(known)
    ways = "; ".join(f"{field} as {way}" for field, way in rules.items())
    words = f"{len(edits)} fields of the site differ from the schedule. I write {ways}."
    return {"words": words, "acts": [call("edit_entry", **edit) for edit in edits]}


def _draft(mind: Learners, known: Known, about: Answer) -> Answer:
    drafted = mind.drafter.draft(known)
    text = "\n".join(f"- {item.words}" for item in drafted)
    every = sorted(items(known), key=lambda item: -mind.drafter.liking(item.kind))
    ranked = [{"kind": item.kind, "words": item.words} for item in every[:40]]
    return {"words": f"A draft of {len(drafted)} items:\n{text}", "acts": [call("brief", text=text)], "ranked": ranked}


READS: dict[str, Callable[[Learners, Known, Answer, Read], Answer]] = {"label": _label, "suggest": _suggest}
ANSWERS: dict[str, Callable[[Learners, Known, Answer], Answer]] = {
    "optimise": _optimise,
    "find_room": _find_room,
    "elicit": _elicit,
    "batch": _batch,
    "draft": _draft,
}
