"""The sensemaking test: AHA, seven tasks of making sense of events on a map."""

from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import Annotated, Any

import numpy as np

from mensura.catalog.sensemaking.administration import Administration, flat, open_exam, read_tasks
from mensura.catalog.sensemaking.chance import chance_levels
from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.model import FusionTask, FusionTrial, LearningTask, ScopingTask, ScopingTrial
from mensura.catalog.sensemaking.exam.place import Attack, GridPoint
from mensura.catalog.sensemaking.exhibits import exhibits
from mensura.catalog.sensemaking.practice import practice
from mensura.catalog.sensemaking.scoring import SCORES, score
from mensura.catalog.sensemaking.settings import SETTINGS
from mensura.catalog.sensemaking.showing import atlas
from mensura.catalog.sensemaking.showing.rules import curve, handbook, region_rule, rule
from mensura.catalog.sensemaking.solving.normative import CIRCLE, NormativeAnswer, normative_stages
from mensura.catalog.sensemaking.subjects import SUBJECTS
from mensura.catalog.sensemaking.waves import wave_trial
from mensura.dialogue import Ask, Break, Choice, Circle, Feature, Outcome, Point, test

Asks = Generator[Ask | Break, Any, None]


@test(
    "sensemaking-v1",
    score=score,
    scores=SCORES,
    scoring="3",
    memory=0,
    subjects=SUBJECTS,
    settings=SETTINGS,
    chance=chance_levels,
    exhibits=exhibits,
)
def sensemaking(
    rng: np.random.Generator,
    *,
    exam: Annotated[
        str,
        "The folder or file of an exam (`mensura generate sensemaking` writes one); none: each session makes a new "
        "one.",
    ] = "",
    tasks: Annotated[str, "Which of the seven tasks are taken, by number, as in 456."] = "1234567",
    trials: Annotated[int, "How many trials of each task are taken, 1 or more; 0: all of them."] = 0,
    order: Annotated[
        str,
        "In which order the menu of reports stands: standard or reverse; none: as the exam says.",
    ] = "",
    wording: Annotated[
        str,
        "Which words describe the events: neutral, or original (those of the exam of 2014).",
    ] = "neutral",
    tutorial: Annotated[bool, "Whether the controls of the tasks are practised first."] = False,
    breaks: Annotated[bool, "Whether there are breaks between tasks, where the exam has them."] = True,
    pictures: Annotated[bool, "Whether maps are shown as pictures too, for models that see."] = False,
    normalisation: Annotated[
        str,
        "How pages make percents add up to 100: after-and-confirm, after, manual, instant or off; none: as the exam "
        "says, otherwise after-and-confirm.",
    ] = "",
) -> Generator[Ask | Break, Any, Outcome]:
    """Say who is behind events on a map, or where the next will be, from samples and from reports with known rules."""
    given = Administration(
        open_exam(exam, rng, order=order),
        wording=wording,
        order=order,
        pictures=pictures,
        normalisation=normalisation,
        most=trials,
    )
    numbers = read_tasks(tasks, given.exam.tasks)
    if tutorial:
        yield from practice(given, numbers)
    for number in numbers:
        task = given.exam.tasks[number]
        if breaks and task.frame.pause is not None:
            yield Break(task.frame.pause.text)
        yield Ask(given.instructions(number))
        if number >= 4:
            yield Ask([handbook(given.words, given.probs), curve(given.probs)])
        for place in range(1, given.trials(number) + 1):
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
        yield from wave_trial(given, task, place)


def _learning(given: Administration, task: LearningTask, place: int) -> Asks:
    number, words = task.number, given.words
    block = task.trials[place - 1]
    solution = given.solved[number][place - 1]
    seen = list(_seen(task, place))
    features = [*given.atlas.roads(task.roads), *atlas.events(seen, new=len(block.attacks))]
    said = f"{len(seen)} {words.events} so far, {len(block.attacks)} of them new."
    drawn: list[Feature] = []
    for index, group in enumerate(task.groups if number in (2, 3) else ()):
        sample = given.shown([*features, *drawn], said)
        drawn += yield from _draw(given, number, place, group, sample, solution, index)
    asked = given.shown([*features, *drawn, atlas.probe(block.probe)], f"A new {words.event} at the question mark.")
    belief = yield from given.judge(
        [asked, f"How likely is each group to be behind it? ({', '.join(task.groups)})"],
        options=task.groups,
        key=f"{number}.{place}.0",
        normative=solution.stages[0],
    )
    choice = yield Ask(
        [
            *given.told([*features, *drawn, atlas.probe(block.probe)]),
            atlas.Bars({"Your judgement": belief}),
            f"Choose one group to put your {words.resources} on.",
        ],
        Choice(task.groups),
        key=f"{number}.{place}.choice",
        truth=block.truth,
    )
    shares = {group: 100.0 * (group == choice) for group in task.groups}
    seen_now = [*features, *_truth(block.probe, block.truth)]
    yield from _feedback(given, number, place, shares, block.truth, what="group", features=seen_now)


def _draw(
    given: Administration, number: int, place: int, group: str, sample: list[Any], solution: NormativeAnswer, index: int
) -> Generator[Ask, Any, list[Feature]]:
    """One circle (Task 2) or one centre on a road (Task 3) for a group; gives what was drawn, to stay on the map."""
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
        found = yield Ask(
            flat([sample, ask]),
            Circle(low, high, largest=float(max(high))),
            key=f"2.{place}.circle.{group}",
            truth=truth,
        )
        return [] if found is None else [atlas.circle((found[0], found[1]), found[2], group)]
    ask = f"Mark the centre of group {group} on a road."
    found = yield Ask(flat([sample, ask]), Point(low, high), key=f"3.{place}.centre.{group}", truth=truth)
    return [] if found is None else [atlas.marked((found[0], found[1]), group)]


def _scoping(given: Administration, trial: ScopingTrial, place: int) -> Asks:
    words = given.words
    names = tuple(site.name for site in trial.sites)
    stages = given.solved[4][place - 1].stages
    features = [*given.atlas.roads(trial.roads), *atlas.centres([trial.centre]), *atlas.sites(trial.sites)]
    belief = yield from given.judge(
        [
            given.shown(features, f"The centre of group {trial.group} (HUMINT) and four possible sites."),
            atlas.site_table(trial.sites, region=False),
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
                f"The groups' regions ({layer}).",
                *given.told([*given.atlas.regions(trial.regions), *features]),
                atlas.site_table(trial.sites, region=True),
                region_rule(trial.group, given.probs),
                atlas.Bars({"Before": belief, "The report alone": atlas.shares(names, likelihood)}),
                "How likely is each site now?",
            ],
            options=names,
            key=f"4.{place}.{stage}",
            normative=stages[stage],
        )
    came = next((site.place for site in trial.sites if site.name == trial.truth), None)
    ground = [*given.atlas.regions(trial.regions), *features]
    after = [*ground, *([] if came is None else _truth(came, trial.truth))]
    yield from _decide(given, 4, place, belief, trial.truth, what="site", maps=(ground, after))


def _fusion(given: Administration, number: int, trial: FusionTrial, place: int) -> Asks:
    words = given.words
    features = [*given.atlas.roads(trial.roads), *atlas.centres(trial.centres), atlas.probe(trial.site.place)]
    shown = given.humint(trial)
    belief = dict(zip(trial.groups, shown.tolist(), strict=True))
    received: list[Layer] = []
    said = f"An {words.event} at the question mark, and the groups' centres (HUMINT)."
    for stage in range(1, 1 + (len(trial.layers) if trial.choices is None else trial.choices)):
        layer: Layer | None
        if trial.choices is None:
            layer = trial.layers[stage - 1]
        else:
            told = given.shown(features, said) if stage == 1 else [said, *given.told(features)]
            layer = yield from _choose(given, number, place, stage, trial, belief, received, told)
        if layer is None:
            continue
        received.append(layer)
        feature = trial.feature(layer)
        drawn = [*given.atlas.regions(trial.regions), *features] if layer.kind == "SOCINT" else features
        likelihood = given.probs.normalised(layer, feature, groups=trial.groups)
        # The map is said once a trial: HUMINT's percents and the reports hold all that a judgement needs.
        once = stage == 1 and trial.choices is None
        belief = yield from given.judge(
            [
                given.shown(drawn, said) if once else [said, *given.told(drawn)],
                rule(layer, feature, words, given.probs, groups=trial.groups),
                atlas.Bars({"Before": belief, "The report alone": atlas.shares(trial.groups, likelihood)}),
                "How likely is each group now?",
            ],
            options=trial.groups,
            key=f"{number}.{place}.{len(received)}",
            normative=normative_stages(given.exam, trial, received)[-1],
        )
    after = [*features[:-1], *_truth(trial.site.place, trial.truth)]
    yield from _decide(given, number, place, belief, trial.truth, what="group", maps=(features, after))


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
                given.handbook,
                told,
                atlas.Bars({"Before": belief}),
                f"Which report do you want next? (choice {stage} of {trial.choices})",
            ]
        ),
        Choice(tuple(map(str, menu))),
        key=f"{number}.{place}.layer{stage}",
    )
    return None if chosen is None else Layer.parse(chosen)


def _decide(
    given: Administration,
    number: int,
    place: int,
    belief: Mapping[str, float],
    truth: str | None,
    *,
    what: str,
    maps: tuple[Sequence[Feature], Sequence[Feature]],
) -> Asks:
    """Ask for the resources, with the map as it is; then tell what came true, with the map as it is then."""
    options = tuple(belief)
    shares = yield Ask(
        [
            *given.told(maps[0]),
            atlas.Bars({"Your judgement": belief}),
            f"Divide your {given.words.resources} among the {what}s; you score the percent on the right one.",
        ],
        given.allocation(options),
        key=f"{number}.{place}.allocation",
        truth=truth,
    )
    yield from _feedback(given, number, place, shares, truth, what=what, features=maps[1])


def _feedback(
    given: Administration,
    number: int,
    place: int,
    shares: Mapping[str, float] | None,
    truth: str | None,
    *,
    what: str,
    features: Sequence[Feature],
) -> Asks:
    """Tell what came true, on the map too, and what the decision earned; then ask for surprise."""
    s2 = given.allocated(number, place, shares, truth)
    if truth is not None:
        earned = "" if s2 is None else f" You score {s2:.0f} of 100."
        yield Ask(
            [f"It was {what} **{truth}**.{earned}", *given.told(features)],
            key=f"{number}.{place}.truth",
            reward=None if s2 is None else s2 / 100,
        )
        yield Ask("How surprised are you?", atlas.surprise(), key=f"{number}.{place}.surprise")


def _truth(at: GridPoint, name: str | None) -> list[Feature]:
    return [] if name is None else [atlas.revealed(at, name)]


def _seen(task: LearningTask, place: int) -> Iterator[Attack]:
    """All events shown before a judgement, earlier judged ones with the group revealed since."""
    for block in task.trials[:place]:
        yield from block.attacks
        if block is not task.trials[place - 1] and block.truth is not None:
            yield Attack(block.truth, block.probe)
