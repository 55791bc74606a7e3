"""The tutorial: every control of the tasks to come is tried once, with nothing at stake, and each try is answered."""

from collections.abc import Generator, Sequence
from typing import Any

import numpy as np

from mensura.catalog.sensemaking.administration import Administration, flat
from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.place import Attack, GridPoint
from mensura.catalog.sensemaking.exam.probs import GROUPS
from mensura.catalog.sensemaking.exam.roads import Road, RoadNetwork
from mensura.catalog.sensemaking.showing import atlas
from mensura.catalog.sensemaking.showing.rules import handbook, rule
from mensura.catalog.sensemaking.solving.information import MENU
from mensura.catalog.sensemaking.solving.normative import CIRCLE, Walk, estimate_spreads
from mensura.catalog.sensemaking.solving.skill import stage_s1
from mensura.catalog.sensemaking.waves import NOTHING
from mensura.dialogue import Ask, Choice, Circle, Point

Practice = Generator[Ask, Any, list[Any]]
"""Asks of one exercise; gives what is told after it, above the next."""

RATIOS = {"A": 40.0, "B": 20.0, "C": 20.0, "D": 20.0}
PRIOR = {"A": 40.0, "B": 30.0, "C": 20.0, "D": 10.0}
SPREAD = ((38, 60), (47, 52), (52, 63), (44, 45), (55, 50), (35, 48), (48, 70), (60, 58), (41, 55))
ROAD = tuple(GridPoint(float(x), 30.0) for x in range(5, 61)) + tuple(GridPoint(60.0, float(y)) for y in range(31, 86))
ALONG = (20, 34, 41, 48, 52, 59, 66, 80)
"""Events on the practice road, by the number of its points."""
CREDITS = 2.0


def practice(given: Administration, numbers: Sequence[int]) -> Generator[Ask, Any, None]:
    """Try what the tasks to come will ask for."""
    exercises = [_percents]
    if 2 in numbers:
        exercises.append(_circle)
    if 3 in numbers:
        exercises.append(_centre)
    if min(numbers) <= 3:
        exercises.append(_choice)
    if max(numbers) >= 4:
        exercises.append(_allocation)
    exercises.append(_surprise)
    if 6 in numbers:
        exercises.append(_menu)
    if 7 in numbers:
        exercises.append(_purchase)
    yield Ask(
        f"## Practice\n\nYou try every control once, {len(exercises)} exercises in all. Nothing of it counts, and "
        "after each you are told how it was."
    )
    told: list[Any] = []
    for exercise in exercises:
        if told:
            yield Ask(told)
        told = yield from exercise(given)
    yield Ask([*told, "Practice is over. From here on it counts."])


def _percents(given: Administration) -> Practice:
    answer = yield Ask(
        "You give probabilities by dividing 100 % among alternatives: with the sliders, by dragging the bars, or by "
        "typing. Try it: group A is twice as likely as B, and B is as likely as C and D.",
        given.percents(GROUPS),
        key="practice.distribution",
    )
    return _compared(answer, RATIOS)


def _circle(given: Administration) -> Practice:
    words, group = given.words, "A"
    places = [GridPoint(float(x), float(y)) for x, y in SPREAD]
    (spread,) = estimate_spreads([Attack(group, at) for at in places], groups=[group], walk=None, probs=given.probs)
    assert spread.sigma is not None
    shown = atlas.events([Attack(group, at) for at in places])
    grid = given.exam.grid
    answer = yield Ask(
        [
            f"Draw a circle that holds two thirds of these {words.events}: press where its centre should be and drag "
            "outwards; drag its edge to resize it, or change the numbers.",
            given.atlas.map(shown, live="inside"),
        ],
        Circle((0.0, 0.0), (float(grid.width), float(grid.height)), largest=float(max(grid.width, grid.height))),
        key="practice.circle",
    )
    best = atlas.circle(spread.centre, CIRCLE * spread.sigma, "+", layer="a good circle")
    if answer is None:
        return [f"A good circle would be this one, round {_named(spread.centre)}.", *given.told([*shown, best])]
    x, y, radius = answer
    inside = sum(np.hypot(at.x - x, at.y - y) <= radius for at in places)
    own = atlas.circle((x, y), radius, "?", layer="your circle")
    miles = grid.miles_per_unit * float(np.hypot(x - spread.centre.x, y - spread.centre.y))
    return [
        f"Your circle holds {inside} of {len(places)} {words.events}; two thirds are {2 * len(places) // 3}. Its "
        f"centre is {miles:.1f} miles from that of a good one, and its radius "
        f"{radius / (CIRCLE * spread.sigma):.2f} times as long.",
        *given.told([*shown, best, own]),
    ]


def _centre(given: Administration) -> Practice:
    words, group = given.words, "A"
    network = RoadNetwork((Road("1", ROAD),))
    places = [ROAD[number] for number in ALONG]
    attacks = [Attack(group, at) for at in places]
    walk = Walk(network, given.exam.grid.miles_per_unit)
    (spread,) = estimate_spreads(attacks, groups=[group], walk=walk, probs=given.probs)
    shown = [*atlas.roads(network), *atlas.events(attacks)]
    grid = given.exam.grid
    answer = yield Ask(
        [
            f"The group moves along this road. Mark its centre on the road, the place its {words.events} are best "
            "explained from; a mark beside the road moves onto it.",
            given.atlas.map(shown, live="along"),
        ],
        Point((0.0, 0.0), (float(grid.width), float(grid.height))),
        key="practice.centre",
    )
    best = atlas.marked(spread.centre, "+", layer="a good centre")
    if answer is None:
        return [f"A good centre would be at {_named(spread.centre)}.", *given.told([*shown, best])]
    own = network.nearest(GridPoint(float(answer[0]), float(answer[1])))
    miles = grid.miles_per_unit * float(network.distances([spread.centre], [own])[0, 0])
    return [
        f"Your centre is {miles:.1f} miles along the road from a good one, which is at {_named(spread.centre)}.",
        *given.told([*shown, best, atlas.marked(own, "?", layer="your centre")]),
    ]


def _choice(given: Administration) -> Practice:
    answer = yield Ask(
        [
            atlas.Bars({"Your judgement": {"A": 70.0, "B": 30.0}}),
            f"In some tasks you put all of your {given.words.resources} on one group. Choose one.",
        ],
        Choice(GROUPS[:2]),
        key="practice.choice",
    )
    won = "" if answer is None else f" You would score {100 * (answer == 'B'):d} of 100."
    return [f"This time it was group **B**, against the odds.{won} Over many trials the likelier group scores more."]


def _allocation(given: Administration) -> Practice:
    answer = yield Ask(
        [
            atlas.Bars({"Your judgement": PRIOR}),
            f"In other tasks you divide your {given.words.resources}: you score the percent you put on what comes "
            "true.",
        ],
        given.allocation(GROUPS),
        key="practice.allocation",
    )
    won = "" if answer is None else f" You would score {float(answer['A']):.0f} of 100."
    return [f"It was group **A**.{won}"]


def _surprise(given: Administration) -> Practice:
    yield Ask("How surprised would you be if it had been D?", atlas.surprise(), key="practice.surprise")
    return ["Thank you. There is no right answer to this one: you will be asked after every trial."]


def _menu(given: Administration) -> Practice:
    yield Ask(handbook(given.words, given.probs))
    chosen = yield Ask(
        [
            given.handbook,
            atlas.Bars({"Before": PRIOR}),
            "In Task 6 you choose which report to receive. SIGINT is about the group you name. Choose one.",
        ],
        Choice(tuple(map(str, given.menu(MENU)))),
        key="practice.layer",
    )
    layer = MENU[0] if chosen is None else Layer.parse(chosen)
    likelihood, said = _report(given, layer)
    answer = yield Ask(
        flat([said, atlas.Bars({"Before": PRIOR, "The report alone": likelihood}), "How likely is each group now?"]),
        given.percents(GROUPS, before=PRIOR),
        key="practice.update",
    )
    weight = np.array(list(PRIOR.values())) * np.array(list(likelihood.values()))
    best = atlas.shares(GROUPS, weight)
    return ["Each percent before times that of the report, made to sum to 100:", *_compared(answer, best)]


def _purchase(given: Administration) -> Practice:
    prices = {layer: given.probs.costs[layer.kind] for layer in MENU if layer.kind in given.probs.costs}
    offered = given.menu([layer for layer, cost in prices.items() if cost <= CREDITS])
    listed = ", ".join(f"{layer} {prices[layer]:g}" for layer in offered)
    bought = yield Ask(
        f"In Task 7 reports cost credits, which good predictions earn. You have {CREDITS:.2f} credits. Buy a "
        f"report about what happened, or nothing? ({listed})",
        Choice((NOTHING, *map(str, offered))),
        key="practice.buy",
    )
    if bought in (None, NOTHING):
        return [f"You keep your {CREDITS:.2f} credits for later."]
    layer = Layer.parse(bought)
    likelihood, said = _report(given, layer)
    left = CREDITS - prices[layer]
    return [f"{said} You have {left:.2f} credits left.", atlas.Bars({"The report alone": likelihood})]


def _report(given: Administration, layer: Layer) -> tuple[dict[str, float], str]:
    """What a layer reports in practice: always the first thing it can."""
    feature = given.probs.outcomes(layer)[0]
    likelihood = atlas.shares(GROUPS, given.probs.likelihood(layer, feature, groups=GROUPS))
    return likelihood, rule(layer, feature, given.words, given.probs)


def _compared(answer: Any, best: dict[str, float]) -> list[Any]:
    """A practice judgement beside the best one, with its likeness as S1 has it."""
    if answer is None:
        return [atlas.Bars({"A right answer": best})]
    own = {name: 100 * float(answer[name]) for name in best}
    alike = float(stage_s1(list(own.values()), normative=list(best.values())))
    return [
        f"Your answer is {alike:.0f} of 100 like the right one.",
        atlas.Bars({"Yours": own, "A right answer": best}),
    ]


def _named(at: GridPoint) -> str:
    return f"({at.x:.0f}, {at.y:.0f})"
