"""Task 7 as it is taken: one map, waves of events, and reports that are bought when they are wanted (Appendix A)."""

from collections.abc import Generator
from typing import Any

from mensura.catalog.sensemaking.administration import Administration, WaveState, flat
from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.model import WaveTask, WaveTrial
from mensura.catalog.sensemaking.showing import atlas
from mensura.dialogue import Ask, Choice, Feature

NOTHING, KEEP, CHANGE = "nothing", "keep", "change"


def wave_trial(given: Administration, task: WaveTask, place: int) -> Generator[Ask, Any, None]:
    """One trial in the order of A.3: groups if wanted, sites, resources, feedback, purchases."""
    trial = task.trials[place - 1]
    state, words = given.wave_state(task), given.words
    groups, names = state.belief.groups, tuple(site.name for site in trial.sites)
    features = [*_ground(given, task, trial, state), *atlas.sites(trial.sites)]
    head = flat([*state.news, given.shown(features, f"Four possible sites. You have {state.credits:.2f} credits.")])
    now = atlas.Bars({"Your last report": state.reported})
    keep = [*head, now, "Keep this report or change it?"]
    wanted = yield Ask(keep, Choice((KEEP, CHANGE)), key=f"7.{place}.keep")
    if wanted == CHANGE:
        changed = [*head, now, "How likely is each group now?"]
        state.reported = yield from given.judge(
            changed, options=groups, key=f"7.{place}.groups", normative=state.belief.percents_now
        )
    belief = yield from given.judge(
        [
            given.shown(features, "Four possible sites."),
            atlas.site_table(trial.sites, region=True),
            atlas.Bars({"Your report of the groups": state.reported}),
            f"How likely is each site for the next {words.event}?",
        ],
        options=names,
        key=f"7.{place}.sites",
        normative=state.belief.site_percents(trial),
    )
    shares = yield Ask(
        [
            *given.told(features),
            atlas.Bars({"Your judgement": belief}),
            f"Divide your {words.resources} among the sites; you earn by the percent on the right one.",
        ],
        given.allocation(names),
        key=f"7.{place}.allocation",
        truth=trial.truth_site,
    )
    s2 = given.allocated(7, place, shares, trial.truth_site)
    yield from _afterwards(given, task, place, s2)


def _afterwards(given: Administration, task: WaveTask, place: int, s2: float | None) -> Generator[Ask, Any, None]:
    """Tell where it happened, and who it was where that is revealed; then offer reports for credits."""
    trial = task.trials[place - 1]
    state = given.wave_state(task)
    if trial.truth_site is None:
        return
    state.happened(trial, s2)
    who = f" It was group **{trial.truth_group}**." if trial.group_shown else ""
    earned = "" if s2 is None else f" You earn {state.earned(s2):.2f} credits."
    told = f"It happened at site **{trial.truth_site}**.{who}{earned}"
    happened = given.told(_ground(given, task, trial, state))
    # Where reports can be bought the map stands beside the offer.
    alone = [] if any(cost <= state.credits for cost in trial.costs) else happened
    yield Ask([told, *alone], key=f"7.{place}.truth", reward=None if s2 is None else state.earned(s2))
    offered = dict(zip(trial.layers, trial.costs, strict=True))
    for purchase in range(1, len(offered) + 1):
        affordable = given.menu([layer for layer, cost in offered.items() if cost <= state.credits])
        if not affordable:
            break
        prices = ", ".join(f"{layer} {offered[layer]:g}" for layer in affordable)
        bought = yield Ask(
            [
                given.handbook,
                *state.news,
                *happened,
                atlas.Bars({"Your last report": state.reported}),
                f"You have {state.credits:.2f} credits. Buy a report about what happened? ({prices})",
            ],
            Choice((NOTHING, *map(str, affordable))),
            key=f"7.{place}.buy{purchase}",
        )
        if bought in (None, NOTHING):
            break
        layer = Layer.parse(bought)
        state.bought(trial, layer, cost=offered[layer], words=given.words)
        # Of each kind one report a trial, as in Task 6: nobody in the published data has two.
        offered = {other: cost for other, cost in offered.items() if other.kind != layer.kind}
        said = atlas.shares(state.belief.groups, state.last)
        beside = atlas.Bars({"Your last report": state.reported, "The report alone": said})
        yield Ask([state.news[-1], beside], key=f"7.{place}.report{purchase}")
    state.next_trial()


def _ground(given: Administration, task: WaveTask, trial: WaveTrial, state: WaveState) -> list[Feature]:
    """What stays on the map from trial to trial, and the last five events."""
    return [
        *given.atlas.regions(task.regions),
        *given.atlas.roads(task.roads),
        *atlas.centres(trial.centres),
        *(Feature("point", [at], f"{given.words.event} {k}", "events", "#777777") for k, at in state.visible()),
    ]
