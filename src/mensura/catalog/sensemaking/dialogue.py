"""The sensemaking test: AHA, seven tasks of making sense of events on a map."""

from collections.abc import Generator, Iterator, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking import scene
from mensura.catalog.sensemaking.administration import Administration, flat, open_exam, read_tasks
from mensura.catalog.sensemaking.exam import (
    Attack,
    FusionTask,
    FusionTrial,
    Layer,
    LearningTask,
    ScopingTask,
    ScopingTrial,
    WaveTask,
    WaveTrial,
)
from mensura.catalog.sensemaking.scoring import score
from mensura.catalog.sensemaking.settings import SETTINGS
from mensura.catalog.sensemaking.solving.normative import CIRCLE, Solution, normative_stages
from mensura.catalog.sensemaking.subjects import SUBJECTS
from mensura.catalog.sensemaking.wording import handbook, instructions, rule
from mensura.dialogue import Ask, Break, Choice, Circle, Feature, Likert, Outcome, Point, test

Asks = Generator[Ask | Break, Any, None]
NOTHING, KEEP, CHANGE = "nothing", "keep", "change"


@test("sensemaking-v1", score=score, subjects=SUBJECTS, settings=SETTINGS)
def sensemaking(
    rng: np.random.Generator,
    *,
    exam: str = "",
    tasks: str = "1234567",
    order: str = "standard",
    wording: str = "neutral",
    tutorial: bool = False,
    breaks: bool = True,
    pictures: bool = False,
    normalisation: str = "",
) -> Generator[Ask | Break, Any, Outcome]:
    """Say who is behind events on a map, or where the next will be, from samples and from reports with known rules."""
    given = Administration(
        open_exam(exam, rng, order=order), wording=wording, order=order, pictures=pictures, normalisation=normalisation
    )
    if tutorial:
        yield from _practice(given)
    for number in read_tasks(tasks, given.exam):
        task = given.exam.tasks[number]
        if breaks and task.frame.pause is not None:
            yield Break(task.frame.pause.text)
        yield Ask(instructions(number, given.words, trials=len(task.trials), probs=given.probs))
        if number >= 4:
            yield Ask(handbook(given.words, given.probs))
        for place in range(1, len(task.trials) + 1):
            yield from _trial(given, number, place)
        yield Ask(given.task_scores(number))
    return Outcome(given.last_words())


def _trial(given: Administration, number: int, place: int) -> Asks:
    task = given.exam.tasks[number]
    if isinstance(task, LearningTask):
        yield from _learning(given, task, place)
    elif isinstance(task, ScopingTask):
        yield from _scoping(given, task.trials[place - 1], place)
    elif isinstance(task, FusionTask):
        yield from _fusion(given, number, task.trials[place - 1], place)
    else:
        yield from _wave(given, task, task.trials[place - 1], place)


def _practice(given: Administration) -> Asks:
    """Try the controls once, with nothing at stake."""
    words = given.words
    yield Ask(
        "## Before you begin\n\nYou will give probabilities by dividing 100 % among alternatives. Try it: group A is "
        "twice as likely as B, and B is as likely as C and D."
    )
    example = {"A": 40.0, "B": 20.0, "C": 20.0, "D": 20.0}
    yield Ask("Your practice answer for A, B, C and D.", given.percents("ABCD"), key="practice.distribution")
    yield Ask(["One right answer was this.", scene.bars({"Practice": example})])
    yield Ask(f"Now divide your {words.resources}.", given.allocation("ABCD"), key="practice.allocation")
    yield Ask("How surprised would you be if it were D?", _surprise(), key="practice.surprise")


def _learning(given: Administration, task: LearningTask, place: int) -> Asks:
    number, words = task.number, given.words
    block = task.trials[place - 1]
    solution = given.solved[number][place - 1]
    seen = _seen(task, place)
    features = [*given.scene.roads(task.roads), *scene.events(seen, new=len(block.attacks))]
    sample = given.shown(features, f"{len(seen)} {words.events} so far, {len(block.attacks)} of them new.")
    for index, group in enumerate(task.groups if number in (2, 3) else ()):
        yield from _draw(given, number, place, group, sample, solution, index)
    asked = given.shown([*features, scene.probe(block.probe)], f"A new {words.event} at the question mark.")
    belief = yield from given.judge(
        [asked, f"How likely is each group to be behind it? ({', '.join(task.groups)})"],
        options=task.groups,
        key=f"{number}.{place}.0",
        normative=solution.stages[0],
    )
    choice = yield Ask(
        [scene.bars({"Your judgement": belief}), f"Choose one group to put your {words.resources} on."],
        Choice(task.groups),
        key=f"{number}.{place}.choice",
        truth=block.truth,
    )
    shares = {group: 100.0 * (group == choice) for group in task.groups}
    yield from _feedback(given, number, place, shares, block.truth, what="group")


def _draw(
    given: Administration,
    number: int,
    place: int,
    group: str,
    sample: list[Any],
    solution: Solution,
    index: int,
) -> Asks:
    """One circle (Task 2) or one centre on a road (Task 3) for a group."""
    grid = given.exam.grid
    low, high = (0.0, 0.0), (float(grid.width), float(grid.height))
    spread = None if solution.spreads is None else solution.spreads[index]
    truth: dict[str, float] | None = None
    if spread is not None:
        truth = {"x": spread.centre.x, "y": spread.centre.y}
        if spread.sigma is not None:
            truth["radius"] = CIRCLE * spread.sigma
    if number == 2:
        ask = f"Draw a circle that holds two thirds of the {given.words.events} of group {group}."
        yield Ask(
            flat([sample, ask]),
            Circle(low, high, largest=float(max(high))),
            key=f"2.{place}.circle.{group}",
            truth=truth,
        )
    else:
        ask = f"Mark the centre of group {group} on a road."
        yield Ask(flat([sample, ask]), Point(low, high), key=f"3.{place}.centre.{group}", truth=truth)


def _scoping(given: Administration, trial: ScopingTrial, place: int) -> Asks:
    words = given.words
    names = tuple(site.name for site in trial.sites)
    stages = given.solved[4][place - 1].stages
    features = [*given.scene.roads(trial.roads), *scene.centres([trial.centre]), *scene.sites(trial.sites)]
    belief = yield from given.judge(
        [
            given.shown(features, f"The centre of group {trial.group} (HUMINT) and four possible sites."),
            scene.site_table(trial.sites, region=False),
            f"How likely is each site for the next {words.event} of group {trial.group}, by distance along the roads?",
        ],
        options=names,
        key=f"4.{place}.0",
        normative=stages[0],
    )
    for stage, layer in enumerate(trial.layers, start=1):
        likelihood = given.probs.site_likelihood([site.region for site in trial.sites], group=trial.group)
        belief = yield from given.judge(
            [
                given.shown([*given.scene.regions(trial.regions), *features], f"The groups' regions ({layer})."),
                scene.site_table(trial.sites, region=True),
                f"Inside its own region group {trial.group} is twice as likely as outside.",
                scene.bars({"Before": belief, "The report alone": _shares(names, likelihood)}),
                "How likely is each site now?",
            ],
            options=names,
            key=f"4.{place}.{stage}",
            normative=stages[stage],
        )
    yield from _decide(given, 4, place, belief, trial.truth, what="site")


def _fusion(given: Administration, number: int, trial: FusionTrial, place: int) -> Asks:
    words = given.words
    features = [*given.scene.roads(trial.roads), *scene.centres(trial.centres), scene.probe(trial.site.place)]
    shown = given.humint(trial)
    belief = dict(zip(trial.groups, shown.tolist(), strict=True))
    received: list[Layer] = []
    told = given.shown(features, f"An {words.event} at the question mark, and the groups' centres (HUMINT).")
    for stage in range(1, 1 + (len(trial.layers) if trial.choices is None else trial.choices)):
        layer: Layer | None
        if trial.choices is None:
            layer = trial.layers[stage - 1]
        else:
            layer = yield from _choose(given, number, place, stage, trial, belief, received, told)
        if layer is None:
            break
        received.append(layer)
        feature = trial.feature(layer)
        drawn = [*given.scene.regions(trial.regions), *features] if layer.kind == "SOCINT" else features
        likelihood = given.probs.normalised(layer, feature, groups=trial.groups)
        belief = yield from given.judge(
            [
                given.shown(drawn, f"An {words.event} at the question mark, and the groups' centres (HUMINT)."),
                rule(layer, feature, words),
                scene.bars({"Before": belief, "The report alone": _shares(trial.groups, likelihood)}),
                "How likely is each group now?",
            ],
            options=trial.groups,
            key=f"{number}.{place}.{stage}",
            normative=normative_stages(given.exam, trial, received, probs=given.probs)[stage],
        )
    yield from _decide(given, number, place, belief, trial.truth, what="group")


def _choose(
    given: Administration,
    number: int,
    place: int,
    stage: int,
    trial: FusionTrial,
    belief: Mapping[str, float],
    received: list[Layer],
    told: list[Any],
) -> Generator[Ask, Any, Layer | None]:
    menu = given.menu([layer for layer in trial.layers if layer.kind not in {each.kind for each in received}])
    chosen = yield Ask(
        flat(
            [
                told,
                scene.bars({"Before": belief}),
                f"Which report do you want next? (choice {stage} of {trial.choices})",
            ]
        ),
        Choice(tuple(map(str, menu))),
        key=f"{number}.{place}.layer{stage}",
    )
    return None if chosen is None else Layer.parse(chosen)


def _decide(
    given: Administration, number: int, place: int, belief: Mapping[str, float], truth: str | None, *, what: str
) -> Asks:
    options = tuple(belief)
    shares = yield Ask(
        [scene.bars({"Your judgement": belief}), f"Divide your {given.words.resources} among the {what}s."],
        given.allocation(options),
        key=f"{number}.{place}.allocation",
        truth=truth,
    )
    yield from _feedback(given, number, place, shares, truth, what=what)


def _feedback(
    given: Administration, number: int, place: int, shares: Mapping[str, float] | None, truth: str | None, *, what: str
) -> Asks:
    s2 = given.allocated(number, place, shares, truth)
    if truth is not None:
        earned = "" if s2 is None else f" You score {s2:.0f} of 100."
        yield Ask(
            f"It was {what} **{truth}**.{earned}",
            key=f"{number}.{place}.truth",
            reward=None if s2 is None else s2 / 100,
        )
        yield Ask("How surprised are you?", _surprise(), key=f"{number}.{place}.surprise")


def _wave(given: Administration, task: WaveTask, trial: WaveTrial, place: int) -> Asks:
    """One trial of Task 7 in the order of A.3: groups if wanted, sites, resources, feedback, purchases."""
    state, words = given.wave_state(task), given.words
    groups, names = state.belief.groups, tuple(site.name for site in trial.sites)
    features = [
        *given.scene.regions(task.regions),
        *given.scene.roads(task.roads),
        *scene.centres(trial.centres),
        *(Feature("point", [at], f"{words.event} {k}", "events", "#777777") for k, at in state.visible()),
        *scene.sites(trial.sites),
    ]
    head = flat([*state.news, given.shown(features, f"Four possible sites. You have {state.credits:.2f} credits.")])
    now = scene.bars({"Your last report": state.reported})
    keep = [*head, now, "Keep this report or change it?"]
    wanted = yield Ask(keep, Choice((KEEP, CHANGE)), key=f"7.{place}.keep")
    if wanted == CHANGE:
        state.reported = yield from given.judge(
            [now, "How likely is each group now?"],
            options=groups,
            key=f"7.{place}.groups",
            normative=state.belief.percents_now,
        )
    belief = yield from given.judge(
        [
            given.shown(features, "Four possible sites."),
            scene.site_table(trial.sites, region=True),
            f"How likely is each site for the next {words.event}?",
        ],
        options=names,
        key=f"7.{place}.sites",
        normative=state.belief.site_percents(trial),
    )
    shares = yield Ask(
        [scene.bars({"Your judgement": belief}), f"Divide your {words.resources} among the sites."],
        given.allocation(names),
        key=f"7.{place}.allocation",
        truth=trial.truth_site,
    )
    s2 = given.allocated(7, place, shares, trial.truth_site)
    yield from _wave_end(given, task, trial, place, s2)


def _wave_end(given: Administration, task: WaveTask, trial: WaveTrial, place: int, s2: float | None) -> Asks:
    state = given.wave_state(task)
    if trial.truth_site is None:
        return
    state.happened(trial, s2)
    who = f" It was group **{trial.truth_group}**." if trial.group_shown else ""
    earned = "" if s2 is None else f" You earn {s2 / 100:.2f} credits."
    told = f"It happened at site **{trial.truth_site}**.{who}{earned}"
    yield Ask(told, key=f"7.{place}.truth", reward=None if s2 is None else s2 / 100)
    offered = dict(zip(trial.layers, trial.costs, strict=True))
    for purchase in range(1, len(offered) + 1):
        affordable = given.menu([layer for layer, cost in offered.items() if cost <= state.credits])
        if not affordable:
            break
        prices = ", ".join(f"{layer} {offered[layer]:g}" for layer in affordable)
        bought = yield Ask(
            [*state.news, f"You have {state.credits:.2f} credits. Buy a report about what happened? ({prices})"],
            Choice((NOTHING, *map(str, affordable))),
            key=f"7.{place}.buy{purchase}",
        )
        if bought in (None, NOTHING):
            break
        layer = Layer.parse(bought)
        state.bought(trial, layer, cost=offered.pop(layer), words=given.words)
        alone = scene.bars({"The report alone": _shares(state.belief.groups, state.last)})
        yield Ask([state.news[-1], alone], key=f"7.{place}.report{purchase}")
    state.next_trial()


def _seen(task: LearningTask, place: int) -> list[Attack]:
    """All events shown before a judgement, earlier judged ones with the group revealed since."""
    return list(_sample(task, place))


def _sample(task: LearningTask, place: int) -> Iterator[Attack]:
    for block in task.trials[:place]:
        yield from block.attacks
        if block is not task.trials[place - 1] and block.truth is not None:
            yield Attack(block.truth, block.probe)


def _shares(names: tuple[str, ...], weights: NDArray[np.float64]) -> dict[str, float]:
    return dict(zip(names, (100 * weights / weights.sum()).tolist(), strict=True))


def _surprise() -> Likert:
    return Likert(7, "not surprised at all", "extremely surprised")
