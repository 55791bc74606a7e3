"""The test of understanding: runs are shown, then asked what they show that the subject understands."""

from collections.abc import Generator
from typing import Annotated, Any, Literal

import numpy as np

from mensura.catalog.task_environments.physics.batch import Batch
from mensura.catalog.task_environments.task.task import Task
from mensura.catalog.task_environments.understanding.examinee import examined
from mensura.catalog.task_environments.understanding.exhibits import exhibits
from mensura.catalog.task_environments.understanding.graph import NODES
from mensura.catalog.task_environments.understanding.ignorance import TOLERANCE, draw_goals
from mensura.catalog.task_environments.understanding.intervention import Setting, changed, changes_of
from mensura.catalog.task_environments.understanding.phenomenon import (
    MASS,
    PHENOMENA,
    POWER,
    SECONDS,
    STEP,
    TICK,
    TICKS,
    Phenomenon,
    draw_powers,
    draw_starts,
    play,
)
from mensura.catalog.task_environments.understanding.question import SPACES, ask_questions, rows_of, words_of
from mensura.catalog.task_environments.understanding.recreating import NAMES, recreated_miss
from mensura.catalog.task_environments.understanding.scoring import CELLS, SCORES, score
from mensura.catalog.task_environments.understanding.subjects import SUBJECTS
from mensura.dialogue import (
    Ask,
    Choice,
    Judged,
    Questions,
    Readings,
    Record,
    TableView,
    Text,
    Vector,
    test,
)
from mensura.errors import BadParameter

COLUMNS = ("time", "power", "place", "speed")
Name = Literal["friction", "slope", "drag", "fuel", "lock", "hidden", "kick"]


def refuse(*, phenomenon: str, strength: float | None, **counts: int) -> None:
    """Refuse a strength outside the range, and counts of nothing."""
    found = PHENOMENA[phenomenon]
    if strength is not None and not found.low <= strength <= found.high:
        raise BadParameter(f"The strength of {phenomenon} lies from {found.low:g} to {found.high:g}; got {strength:g}.")
    for name, count in counts.items():
        if count < (0 if name == "runs" else 1):
            raise BadParameter(f"--{name} is at least {0 if name == 'runs' else 1}; got {count}.")


def own_words(record: Record) -> str:
    """Return the explanation in the subject's own words, which a panel rates and no formula."""
    return next((str(one.value) for one in record.answers if one.key == "words" and one.status == "answered"), "")


@test(
    "task-understanding-v1",
    extra="task-environments",
    score=score,
    scores=SCORES,
    refuse=refuse,
    subjects={**SUBJECTS, **examined()},
    judged=Judged(own_words),
    exhibits=exhibits,
)
def understanding(
    rng: np.random.Generator,
    *,
    phenomenon: Annotated[
        Name,
        "What acts on the cart beside its motor: friction, slope, drag, fuel, lock, hidden or kick.",
    ] = "friction",
    strength: Annotated[
        float | None,
        "The number of the phenomenon, within its range; none: it is drawn for each session.",
    ] = None,
    runs: Annotated[int, "How many runs are shown before the questions, 0 or more."] = 6,
    questions: Annotated[int, "How many questions of each kind are asked, 1 or more."] = 3,
    goals: Annotated[
        int,
        "How many goals are set, 1 or more, in each of four cells: planned or steered, with and without the "
        "phenomenon.",
    ] = 2,
) -> Generator[Ask, Any, None]:
    """Understand what acts on a cart: predict, achieve goals, explain and recreate."""
    found = PHENOMENA[phenomenon]
    number = found.draw(rng) if strength is None else strength
    world = found.world(number)
    yield Ask(
        f"A cart of {MASS:g} kg has a motor of {POWER:g} W, forward and backward. Beside it something acts: "
        f"{phenomenon}. You see {runs} runs; then you are asked about it. Its number is {found.about}, from "
        f"{found.low:g} to {found.high:g}."
    )
    for starts, powers in zip(draw_starts(rng, runs), draw_powers(rng, runs), strict=True):
        yield Ask(_shown(world, starts, powers))
    for kind, space in SPACES.items():
        made, true = ask_questions(found, world, kind, rng, questions)
        for place in range(questions):
            one = made.row(place)
            # A number is shown and kept in the digits that matter.
            truth = int(true[place]) if kind == "related" else round(float(true[place]), 6)
            yield Ask([words_of(one), TableView(COLUMNS, rows_of(one))], space, f"{kind}{place}", truth=truth)
    for cell in CELLS:
        task = found.plain if cell.endswith("without") else world
        for place, (start, target) in enumerate(zip(*draw_goals(task, rng, goals), strict=True)):
            yield from _goal(cell, f"{cell}{place}", task, start, float(target))
    yield from _explain(found, number, rng)
    answer = yield Ask(
        "Recreate it: give its number, or a formula of the acceleration that it adds to that of the motor, in m/s², in "
        f"{', '.join(NAMES)} (+ - * / **, abs, cos, exp, log, sign, sin, sqrt). It is run on new starts: like those "
        "that you saw, moving backwards, and with a cart of twice the mass. The worst of the three counts.",
        Text(longest=200, lines=1),
        "recreate",
    )
    miss = None if answer is None else recreated_miss(found, number, answer, rng)
    yield Ask("That is all. Thank you.", key="recreated", truth={"miss": miss})


def _shown(world: Task, start: Any, powers: Any) -> TableView:
    seen = play(world, start, powers)
    watts = [*(float(power) for power in powers), "-"]
    rows = [
        [tick * TICK, watts[tick], round(float(seen.place[0, tick]), 3), round(float(seen.speed[0, tick]), 3)]
        for tick in range(TICKS + 1)
    ]
    return TableView(COLUMNS, rows)


def _goal(cell: str, key: str, task: Task, start: Any, target: float) -> Generator[Ask, Any, None]:
    """Ask for a plan that is carried out unchanged, or for the power at every tick."""
    planned = cell.startswith("planned")
    where = "" if cell.endswith("-with") else " This time the phenomenon is absent."
    words = f"Be within {TOLERANCE:g} m of the target after {SECONDS:g} s.{where}"
    readings = Readings([float(start[0]), float(start[1]), target], ("place", "speed", "target"))
    batch = Batch(task, [start], tick=TICK, step=STEP)
    if planned:
        words += f" Give the power of each of {TICKS} ticks of {TICK:g} s; nobody looks in between."
        plan = yield Ask([words, readings], Vector((-POWER,) * TICKS, (POWER,) * TICKS), key)
        plan = [0.0] * TICKS if plan is None else plan
        for power in plan:
            batch.tick([[power]])
    else:
        yield Ask(f"{words} You set the power of the next {TICK:g} s, {TICKS} times.", key=key)
        power = 0.0
        for _ in range(TICKS):
            answer = yield Ask(readings, Vector((-POWER,), (POWER,)), key)
            power = power if answer is None else answer[0]
            batch.tick([[power]])
            readings = Readings([float(batch.value[0, 0]), float(batch.velocity[0, 0]), target], readings.names)
    miss = abs(float(batch.value[0, 0]) - target)
    yield Ask("The time is over.", key=f"{key}-end", truth={"met": miss <= TOLERANCE, "miss": miss})


def _explain(found: Phenomenon, number: float, rng: np.random.Generator) -> Generator[Ask, Any, None]:
    yield Ask(
        f"What directly changes what in this world? Variables: {', '.join(NODES)}. "
        "Write every direct cause as `cause -> effect`, separated by commas.",
        Text(longest=1000),
        "graph",
    )
    start, powers = draw_starts(rng, 1), np.full((1, TICKS), 30.0)
    truth, blind = (
        {
            key: changed(Setting(found.world(number) if present else found.plain, start, powers), change)
            for key, (_, change) in changes_of(found, number, present=present).items()
        }
        for present in (True, False)
    )
    words = {key: text for key, (text, _) in changes_of(found, number, present=True).items()}
    space = Questions({key: (text, Choice(("more", "less", "same"))) for key, text in words.items()})
    lead = f"The cart starts at {start[0, 0]:g} m with {start[0, 1]:g} m/s and has 30 W all the time. Would it come "
    yield Ask(f"{lead}farther (more), less far (less) or as far (same) in {SECONDS:g} s, if", space, "interventions",
              truth=truth)  # fmt: skip
    # What the world without the phenomenon would answer is where the score begins.
    yield Ask("And now in your own words.", key="interventions-blind", truth=blind)
    yield Ask("What acts on the cart, and how?", Text(longest=2000), "words")
