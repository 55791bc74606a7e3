"""With an assistant: its proposals are asked for, looked at and accepted."""

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Any

from mensura.catalog.crisis.act import Act, call, same
from mensura.catalog.crisis.subjects import by_hand

if TYPE_CHECKING:
    from mensura.catalog.crisis.subjects.worker import Worker

Worked = Generator[Act, Any, bool]
EXAMPLES = 3
"""Announcements that someone changes by hand before they ask again whether the assistant can do the rest."""
AGAIN = 1500
"""Seconds after which a changed situation is worth another plan."""
LAST = 0.12
"""The share of the time at the end in which a schedule that stands is left alone."""


def suggest(worker: "Worker", message: str, wanted: Sequence[Act]) -> Generator[Act, Any, None]:
    """Let the assistant fill in the forms for a message; accept what one wants done, and do the rest by hand."""
    proposal = yield from ask(worker, call("suggest", message=message))
    accepted: list[Act] = []
    if proposal is not None:
        parts = [number for number, act in enumerate(proposal["acts"], 1) if _accepts(worker, act, wanted)]
        if parts:
            accepted = [proposal["acts"][number - 1] for number in parts]
            yield from accept(worker, proposal, parts)
    for act in wanted:
        if not any(same(act, done) for done in accepted):
            yield from worker.do(act)


def _accepts(worker: "Worker", act: Act, wanted: Sequence[Act]) -> bool:
    """Accept what one would have done oneself; a wrong form slips through with the chance 0.3 (1 − skill)."""
    if any(same(act, mine) for mine in wanted):
        return True
    return act["call"] != "reply" and bool(worker.rng.random() < 0.3 * (1 - worker.traits.skill))


def ask(worker: "Worker", act: Act) -> Generator[Act, Any, dict[str, Any] | None]:
    """Ask the assistant; returns its proposal where it has something to do."""
    said = yield from worker.do(act)
    proposal: dict[str, Any] | None = said["data"].get("proposal")
    return proposal if said["ok"] and proposal and proposal["acts"] else None


def accept(
    worker: "Worker", proposal: dict[str, Any], parts: Sequence[int] = ()
) -> Generator[Act, Any, dict[str, Any]]:
    """Accept a proposal, whole or in part."""
    arguments = {"proposal": proposal["id"]}
    if parts and len(parts) < len(proposal["acts"]):
        arguments["parts"] = " ".join(map(str, parts))
    return (yield from worker.do(call("accept", **arguments)))


def replan(worker: "Worker") -> Worked:
    """Let the assistant plan, see to the events that it leaves out, and then to what it would like to know."""
    settled = worker.desk.left < LAST * worker.total and not worker.screen.driven_out
    if worker.dirty and worker.desk.now - worker.optimised >= AGAIN and not settled:
        yield from optimise(worker)
        return True
    if not settled and (yield from _answered(worker)):
        return True
    for event in worker.screen.driven_out:
        if event not in worker.given_up:
            worker.given_up.add(event)
            yield from find_room(worker, event)
            return True
    if worker.questions > 0 and not settled and not worker.screen.driven_out:
        worker.questions -= 1
        yield from elicit(worker)
        return True
    return False


def elicit(worker: "Worker") -> Generator[Act, Any, None]:
    """Look up the facts that the assistant asks for, and enter those that its tables have wrong."""
    said = yield from worker.do(call("elicit"))
    ranked = (said["data"].get("proposal") or {}).get("ranked", ())
    if not said["ok"] or not ranked:
        worker.questions = 0
        return
    room, facts = ranked[0]["room"], ranked[0]["facts"]
    yield from by_hand.look_up(worker, room)
    memory, screen = worker.memory, worker.screen
    for fact, assumed in facts.items():
        if fact == "equipment":
            true: Any = sorted(memory.built_in(screen, room))
            wrong = true != sorted(assumed or ())
            value = ", ".join(true) or "none"
        else:
            true = memory.seats(screen, room, fact.removeprefix("capacity."))
            wrong, value = true != assumed, str(true)
        if wrong:
            yield from worker.do(call("set_room_fact", room=room, fact=fact, value=value))
            worker.dirty = True


def optimise(worker: "Worker") -> Generator[Act, Any, None]:
    """Let the assistant plan, and accept the plan."""
    worker.dirty = False
    worker.optimised = worker.desk.now
    proposal = yield from ask(worker, call("optimise"))
    if proposal is not None:
        yield from accept(worker, proposal)
        worker.given_up.clear()


def _answered(worker: "Worker") -> Worked:
    """When owners have answered since the last plan, let the assistant plan with that."""
    answered = sum(bump["answer"] is not None for bump in worker.screen.raw["bumps"])
    waiting = any(bump["answer"] is None for bump in worker.screen.raw["bumps"])
    if answered > worker.answers and not waiting:
        worker.answers = answered
        yield from optimise(worker)
        return True
    return False


def find_room(worker: "Worker", event: str) -> Generator[Act, Any, None]:
    """Let the assistant find a room for an event; by hand where it finds none."""
    proposal = yield from ask(worker, call("find_room", event=event))
    if proposal is not None:
        yield from accept(worker, proposal)
    else:
        yield from by_hand.place(worker, event)


def publish(worker: "Worker") -> Worked:
    """Let the assistant change the site for all events that moved; what it leaves is done by hand."""
    wrong = [event for event in worker.screen.moved() if by_hand.wrong_fields(worker, event)]
    if not wrong:
        return False
    if worker.batched < 0 or worker.batched - len(wrong) >= EXAMPLES:
        worker.batched = len(wrong)
        proposal = yield from ask(worker, call("batch"))
        if proposal is not None:
            worker.batched = -1
            yield from accept(worker, proposal)
            return True
    return (yield from by_hand.publish(worker))
