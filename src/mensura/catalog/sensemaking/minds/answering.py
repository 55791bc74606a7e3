"""A mind takes a whole exam at once, without the dialogue: its answers to every stage of every trial."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from mensura.catalog.sensemaking.answers.answer import Answers, Drawn, Response, TrialAnswer
from mensura.catalog.sensemaking.exam.layer import Layer
from mensura.catalog.sensemaking.exam.model import Exam, FusionTask, FusionTrial, LearningTask, ScopingTask, WaveTask
from mensura.catalog.sensemaking.exam.place import Dispersion
from mensura.catalog.sensemaking.exam.probs import Probs
from mensura.catalog.sensemaking.minds.mind import ReferenceMind
from mensura.catalog.sensemaking.solving.normative import CIRCLE, exact_humint, humint_shown, solve
from mensura.catalog.sensemaking.solving.waves import WaveBelief


def answer_exam(
    exam: Exam,
    mind: ReferenceMind,
    *,
    rng: np.random.Generator,
    subject: str | None = None,
    tasks: Sequence[int] | None = None,
) -> Answers:
    """Let a mind answer every trial of every task, or of some.

    The mind sees what a subject sees: samples, distances along roads, reports and their likelihoods. Truth reaches it
    only as feedback.
    """
    mind.begin(rng)
    mind.probs = exam.probs
    solved = solve(exam)
    answered: dict[int, dict[int, TrialAnswer]] = {}
    for number, task in exam.tasks.items():
        if tasks is not None and number not in tasks:
            continue
        if isinstance(task, LearningTask):
            answered[number] = {
                place: _learning(mind, place, task, solution.stages[0] / 100, solution.spreads)
                for place, solution in enumerate(solved[number], start=1)
                if np.isfinite(solution.stages).all()
            }
        elif isinstance(task, ScopingTask):
            answered[number] = {
                place: _scoping(mind, place, task, solution.stages / 100, exam.probs)
                for place, solution in enumerate(solved[number], start=1)
            }
        elif isinstance(task, FusionTask):
            answered[number] = {
                place: _fusion(mind, place, exam, trial) for place, trial in enumerate(task.trials, start=1)
            }
        else:
            answered[number] = _waves(mind, exam, task)
    return Answers(subject or mind.name, answered, parameters=mind.declared())


def _learning(
    mind: ReferenceMind,
    place: int,
    task: LearningTask,
    normative: NDArray[np.float64],
    spreads: tuple[Dispersion, ...] | None,
) -> TrialAnswer:
    belief = mind.judge(normative)
    truth = task.trials[place - 1].truth
    picked = mind.pick(belief)
    return TrialAnswer(
        trial=place,
        stages=(_report(belief),),
        allocation=_report((np.arange(len(belief)) == picked).astype(float)),
        drawn=() if task.number == 1 or spreads is None else tuple(_drawn(spread) for spread in spreads),
        surprise=None if truth is None else mind.surprise(belief, task.groups.index(truth)),
    )


def _drawn(spread: Dispersion) -> Drawn:
    return Drawn(spread.group, spread.centre, None if spread.sigma is None else CIRCLE * spread.sigma)


def _scoping(
    mind: ReferenceMind, place: int, task: ScopingTask, normative: NDArray[np.float64], probs: Probs
) -> TrialAnswer:
    trial = task.trials[place - 1]
    belief = mind.judge_sites(normative[0])
    stages = [belief]
    for _ in trial.layers:
        likelihood = probs.site_likelihood([site.region for site in trial.sites], group=trial.group)
        belief = mind.update(belief, likelihood / likelihood.sum())
        stages.append(belief)
    names = [site.name for site in trial.sites]
    return TrialAnswer(
        trial=place,
        stages=tuple(map(_report, stages)),
        allocation=_report(mind.allocate(belief)),
        layers=trial.layers,
        surprise=None if trial.truth is None else mind.surprise(belief, names.index(trial.truth)),
    )


def _fusion(mind: ReferenceMind, place: int, exam: Exam, trial: FusionTrial) -> TrialAnswer:
    shown = humint_shown(exam, trial) / 100
    belief = mind.start(shown, exact_humint(exam, trial))
    stages, received = [shown], []
    menu = list(trial.layers)
    for stage in range(len(trial.layers) if trial.choices is None else trial.choices):
        layer = trial.layers[stage] if trial.choices is None else mind.choose(belief, menu, groups=trial.groups)
        menu = [other for other in menu if other.kind != layer.kind]
        belief = mind.update(belief, exam.probs.normalised(layer, trial.feature(layer), groups=trial.groups))
        received.append(layer)
        stages.append(belief)
    return TrialAnswer(
        trial=place,
        stages=tuple(map(_report, stages)),
        allocation=_report(mind.allocate(belief)),
        layers=tuple(received),
        surprise=None if trial.truth is None else mind.surprise(belief, trial.groups.index(trial.truth)),
    )


def _waves(mind: ReferenceMind, exam: Exam, task: WaveTask) -> dict[int, TrialAnswer]:
    """Task 7: the filter carries belief from trial to trial; the mind says what it reports of it."""
    if any(trial.truth_site is None for trial in task.trials):
        return {}
    belief = WaveBelief(exam)
    credits = task.credits
    answers = {}
    for place, trial in enumerate(task.trials, start=1):
        assert trial.truth_site is not None
        groups = mind.judge(belief.percents_now / 100)
        sites = mind.say(groups @ belief.sites_given_group(trial))
        shares = mind.allocate(sites)
        names = [site.name for site in trial.sites]
        credits += float(shares[names.index(trial.truth_site)]) * task.credits_for_correct
        belief.see_attack(trial, trial.truth_site)
        if trial.group_shown and trial.truth_group is not None:
            belief.see_group(trial.truth_group)
        offered = dict(zip(trial.layers, trial.costs, strict=True))
        bought: list[Layer] = mind.buy(belief.percents_now / 100, offered, credits=credits, groups=belief.groups)
        for layer in bought:
            credits -= offered[layer]
            belief.see_layer(trial, layer, site=trial.truth_site)
        answers[place] = TrialAnswer(
            trial=place, stages=(_report(groups), _report(sites)), allocation=_report(shares), layers=tuple(bought)
        )
        belief.next_trial()
    return answers


def _report(shares: NDArray[np.float64]) -> Response:
    return Response(tuple((100 * shares).tolist()))
