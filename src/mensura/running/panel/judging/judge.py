"""Judge: let a model rate every answer of a run, and draw the answers that people label to check it."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import numpy as np

from mensura.catalog.find import find_test
from mensura.dialogue import Address, Limits, Seed, generator
from mensura.errors import BadParameter
from mensura.running.executors import executor
from mensura.running.panel.artefact import Artefact, names_behind
from mensura.running.panel.judging.answers import answers_of, artefact_of, pair_of, paired_answers
from mensura.running.panel.opening import Opened, open_panel
from mensura.running.panel.raters.assignment import assign
from mensura.running.panel.raters.rate import rate
from mensura.running.panel.raters.rater import Rater
from mensura.running.panel.raters.seat import TEST
from mensura.running.run import RunOptions
from mensura.subjects import SubjectSpec
from mensura.subjects.model.cost.spending import Spending
from mensura.subjects.model.reaching.probe import reach

if TYPE_CHECKING:
    from mensura.store import Store

JUDGE = "judge"
RIGHT: dict[str, Any] = {"items": [{"key": "right", "text": "Is the answer right?", "scale": ["no", "yes"]}]}
BETTER: dict[str, Any] = {
    "items": [{"key": "better", "text": "Which answer is better?", "scale": ["the first", "neither", "the second"]}]
}
LABELS = 50


@dataclass(frozen=True)
class JudgePlan:
    """A plan of what is judged, by whom and how.

    Parameters
    ----------
    by
        The judge: any subject, by name or spec, or a function.
    rubric
        What it and people rate; None: whether an answer is right, or which of two is better.
    truth
        Whether the judge, and the people who check it, see what is right. The record says to whom it went.
    pairs
        Whether answers of two runs to one question are compared, each pair in both orders.
    labels
        How many items of each run are drawn for people to label.
    mask
        Words to mask in answers, besides the names of the models that gave them.
    concurrency
        How many artefacts are judged at once.
    """

    by: str | SubjectSpec | Callable[..., Any]
    rubric: Mapping[str, Any] | None = None
    truth: bool = False
    pairs: bool = False
    labels: int = LABELS
    mask: tuple[str, ...] = ()
    concurrency: int | None = None

    @property
    def rater(self) -> Rater:
        """The judge as a rater."""
        return Rater(JUDGE, self.by, "model")

    @property
    def provider(self) -> str:
        """Where what the judge is shown goes: an endpoint, or the subject itself."""
        name, _, _ = self.rater.subject_name.partition("#")
        _, at, place = name.partition("@http")
        if not at:
            return name
        found = urlsplit(f"http{place}")
        # A name and password in the address are nobody's business.
        return found._replace(netloc=found.netloc.rpartition("@")[2]).geturl()


@dataclass(frozen=True)
class JudgePanel:
    """A panel that a judge has rated in, and how many answers people are to label."""

    opened: Opened
    plan: JudgePlan
    judged: int
    drawn: int
    raters: tuple[str, ...] = ()

    @property
    def sentence(self) -> str:
        """Return what was done in plain words."""
        told = f" What is right went to {self.plan.provider}." if self.plan.truth else ""
        who = f" for {', '.join(self.raters)}" if self.raters else " for people"
        return (
            f"{self.plan.rater.subject_name} judged {self.judged} of {len(self.opened.codes)} artefacts.{told} "
            f"{self.drawn} were drawn at random{who} to label; until they have, there is no estimate."
        )


def judge_runs(
    name: str,
    runs: Sequence[str],
    *,
    plan: JudgePlan,
    store: "Store",
    raters: Sequence[Rater] = (),
    overlap: int = 1,
    seed: int | None = None,
) -> JudgePanel:
    """Open a panel over the answers of runs, draw the sample that people label, and let the judge rate all of them.

    Parameters
    ----------
    name
        Name of the panel.
    runs
        The runs whose answers are judged; with `pairs` just two.
    plan
        Who judges, by which rubric, and what it is told.
    raters, overlap
        Who labels the sample, and how many label each answer of it; people may be named later (`label`).
    seed
        Makes the sample repeatable; without it a secret one is drawn.
    """
    if plan.labels < 2:
        raise BadParameter(f"At least two items of each run are drawn for people to label; got {plan.labels}.")
    heads = [store.runs.find(run) for run in runs]
    reach(plan.rater.spec.contacts(find_test(TEST), limits=Limits(), spending=Spending()))
    if plan.pairs and len(heads) != 2:
        raise BadParameter(f"Answers of two runs are compared in pairs; got {len(heads)}.")
    chosen = Seed.choose(seed)
    rng = generator(chosen.value, Address(), stream="labels")
    names = [head.id for head in heads]
    groups = [_pairs(names, plan, store)] if plan.pairs else [_singles(one, plan, store) for one in names]
    artefacts = [one for group in groups for one in drawn(group, labels=plan.labels, rng=rng)]
    opened = open_panel(
        name,
        artefacts,
        rubric=plan.rubric or (BETTER if plan.pairs else RIGHT),
        store=store,
        mask=[*plan.mask, *_model_names(heads), *names_behind([one.source for one in artefacts], store=store)],
        seed=chosen.value,
        judge=_described(plan, [(head.id, ", ".join(head.who)) for head in heads]),
    )
    assign(name, [*raters, plan.rater], overlap=overlap, lanes=plan.concurrency or 1, store=store)
    given = plan.rater.spec.given
    options = RunOptions(executor(concurrency=plan.concurrency))
    rate(name, store=store, subjects=None if given is None else {JUDGE: given}, only=JUDGE, options=options)
    judged = len({one.code for one in store.panels.ratings(name, kinds=["additional"]) if one.item})
    wanted = sum(bool((one.about or {}).get("drawn")) for one in artefacts)
    return JudgePanel(opened, plan, judged, wanted, tuple(one.name for one in raters))


def drawn(artefacts: Sequence[Artefact], *, labels: int, rng: np.random.Generator) -> list[Artefact]:
    """Mark the artefacts that people label: one artefact from each of a number of units, drawn at random."""
    by_unit: dict[str, list[int]] = {}
    for place, one in enumerate(artefacts):
        by_unit.setdefault((one.about or {})["unit"], []).append(place)
    units = sorted(by_unit)
    chosen = {
        by_unit[units[unit]][int(rng.integers(len(by_unit[units[unit]])))]
        for unit in rng.permutation(len(units))[:labels]
    }
    return [
        replace(one, about={**(one.about or {}), "drawn": True}) if place in chosen else one
        for place, one in enumerate(artefacts)
    ]


def _singles(run: str, plan: JudgePlan, store: "Store") -> list[Artefact]:
    # The condition is the run's id: no answer can hold it, while the name of a subject may be an ordinary word.
    return [artefact_of(one, condition=run) for one in answers_of(run, store=store, truth=plan.truth)]


def _pairs(runs: Sequence[str], plan: JudgePlan, store: "Store") -> list[Artefact]:
    pairs = paired_answers(runs[0], runs[1], store=store, truth=plan.truth)
    return [
        pair_of(*pair, condition=f"{runs[turned]} first", turned=bool(turned)) for pair in pairs for turned in (0, 1)
    ]


def _described(plan: JudgePlan, runs: Sequence[tuple[str, str]]) -> dict[str, Any]:
    said = {"by": plan.rater.subject_name, "runs": runs, "pairs": plan.pairs, "labels": plan.labels}
    return {**said, **({"truth_to": plan.provider} if plan.truth else {})}


def _model_names(heads: Sequence[Any]) -> list[str]:
    """Return the names of the language models that answered: some of them name themselves."""
    named = [name for head in heads for name in head.cast.values() if "llm:" in name]
    return [part for name in named for part in {name, name.partition("llm:")[2].partition("@")[0].partition("#")[0]}]
