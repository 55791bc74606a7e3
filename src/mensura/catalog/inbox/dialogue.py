"""The inbox test: file mail that arrives in time, each message before it is due."""

from collections.abc import Generator, Mapping
from functools import lru_cache
from typing import Annotated, Any

import numpy as np

from mensura.catalog.inbox.mail import FOLDERS, RULES, Mail, check_mail, draw_mail
from mensura.catalog.inbox.scoring import score, scores
from mensura.catalog.inbox.settings import SETTINGS
from mensura.catalog.inbox.subjects import SUBJECTS
from mensura.dialogue import Ask, Between, Break, Call, Choice, Clock, Mailbox, Outcome, Save, Timing, Tool, test

Dialogue = Generator[Ask | Save | Break, Any, Outcome]


def price(answer: Any) -> int:
    """Return what an act costs a program: filing takes two ticks, anything else one."""
    return 2 if isinstance(answer, Mapping) and answer.get("call") == "file" else 1


# A chance subject draws the folder evenly and without reading, so one filed message in four is right.
CHANCE = {"accuracy": 1 / len(FOLDERS)}


def refuse(*, messages: int, phase_ticks: int, patience: int, **others: Any) -> None:
    """Refuse mail that does not fit into its phase."""
    check_mail(messages=messages, phase_ticks=phase_ticks, patience=patience)


@test(
    "inbox-v1",
    score=score,
    scores=scores,
    subjects=SUBJECTS,
    settings=SETTINGS,
    chance=CHANCE,
    refuse=refuse,
    timing=Timing(people="shown", tick_seconds=1.0, cost=price),
)
def inbox(
    rng: np.random.Generator,
    *,
    clock: Clock,
    saved: dict[str, int] | None = None,
    phases: Annotated[int, "How many phases the work has, 1 or more; there is a break in the middle.", Between(1)] = 2,
    messages: Annotated[int, "How many messages arrive in each phase, 1 or more.", Between(1)] = 8,
    phase_ticks: Annotated[
        int,
        "How many ticks a phase lasts, at least `messages` plus `patience`. A tick is a second for people; a "
        "program's act takes one or two.",
    ] = 120,
    patience: Annotated[int, "How many ticks after its arrival a message must be filed, 1 or more.", Between(1)] = 30,
) -> Dialogue:
    """File mail that arrives while you work, each message before it is due."""
    first = 0 if saved is None else saved["phase"]
    if saved is None:
        yield Ask(RULES)
    for phase in range(first, phases):
        if phase == phases // 2 and phase > 0:
            yield Break("Half of it is done. No mail arrives until you go on.")
        mail = draw_mail(rng, phase=phase, messages=messages, phase_ticks=phase_ticks, patience=patience)
        yield from _phase(clock, mail, end=(phase + 1) * phase_ticks)
        yield Save({"phase": phase + 1})
    return Outcome("That was all the mail.")


def _phase(clock: Clock, mail: list[Mail], *, end: int) -> Generator[Ask, Any, None]:
    """Let the mail of one phase arrive and be filed; only time, never an answer, brings mail or takes it away."""
    coming, waiting = list(mail), dict[str, Mail]()
    while True:
        while coming and coming[0].message.tick <= clock.now:
            new = coming.pop(0)
            waiting[new.message.id] = new
            truth = {"folder": new.folder, "arrived": new.message.tick, "due": new.due}
            yield Ask(f"New mail: {new.message.id}, due at {new.due}.", key=new.message.id, truth=truth)
        waiting = {name: kept for name, kept in waiting.items() if kept.due > clock.now}
        if clock.now >= end:
            return
        until = min([end, *(kept.due for kept in waiting.values()), *(new.message.tick for new in coming[:1])])
        folders = {name: kept.folder for name, kept in waiting.items()}
        act = yield Ask(_view(clock.now, waiting), tools(tuple(waiting)), key="act", until=until, aside=folders)
        if act is not None and act["call"] == "file":
            del waiting[act["arguments"]["message"]]


def _view(now: int, waiting: Mapping[str, Mail]) -> Mailbox:
    due = ", ".join(f"{name} at {mail.due}" for name, mail in waiting.items())
    title = f"It is {now}. " + (f"Due: {due}." if due else "Nothing waits to be filed.")
    return Mailbox([mail.message for mail in waiting.values()], title=title)


@lru_cache(maxsize=256)
def tools(waiting: tuple[str, ...]) -> Call:
    """Return what can be done while these messages wait."""
    offered = {"wait": Tool("Do nothing for a moment.")}
    if waiting:
        arguments = {"message": Choice(waiting), "folder": Choice(FOLDERS)}
        offered = {"file": Tool("Put a message into a folder.", arguments), **offered}
    return Call(offered)
