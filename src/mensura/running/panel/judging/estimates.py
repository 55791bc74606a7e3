"""Estimates of judged runs: what people would say of all answers, from the judge and what they labelled."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isnan
from statistics import fmean
from typing import TYPE_CHECKING, Any

from mensura.running.panel.agreement import with_scores
from mensura.stats import JudgedScore, Scale, judged_score
from mensura.stats.wording import several
from mensura.survey.rubric import Rubric

if TYPE_CHECKING:
    from mensura.running.panel.results import FinalScore
    from mensura.store.people.panels import PanelHead, Rating

ORDERS = 2


@dataclass(frozen=True)
class JudgedRun:
    """The ratings of one run, or of the first of two, by a judge and by the people who checked it."""

    run: str
    """Its id, or what is compared."""
    label: str
    """The subject that answered in it, and what was judged."""
    score: JudgedScore
    by: str
    """Who judged."""
    truth_to: str | None
    """Where what is right went; None where the judge was not told."""
    drawn: int = 0
    """Items that people were to label."""
    inconsistent: int | None = None
    """Pairs of answers of which the judge says something else when their order is turned; None without pairs."""
    unjudged: int = 0
    """Artefacts that the judge gave no rating."""

    @property
    def sentence(self) -> str:
        """Return it as a sentence; never the judge's own mean."""
        said = [f"{self.label}: {self.score.sentence}"]
        if self.score.is_checked and self.score.labelled < self.drawn:
            said.append(f"{self.drawn - self.score.labelled} of {self.drawn} drawn items were not labelled")
        if self.inconsistent is not None:
            said.append(f"in {several(self.inconsistent, 'pair')} the judge changed its mind with the order")
        if self.unjudged:
            said.append(f"{several(self.unjudged, 'artefact')} not judged and left out")
        return "; ".join(said) + "."

    def as_json(self) -> dict[str, Any]:
        """Return it as JSON."""
        return {
            "run": self.run,
            "label": self.label,
            "by": self.by,
            "truth_to": self.truth_to,
            **self.score.as_json(),
            "drawn": self.drawn,
            "inconsistent": self.inconsistent,
            "unjudged": self.unjudged,
            "sentence": self.sentence,
        }


def judged_runs(
    head: "PanelHead", artefacts: "Sequence[FinalScore]", ratings: "Sequence[Rating]"
) -> tuple[JudgedRun, ...]:
    """Estimate every run of a panel that has a judge; none where it has none."""
    described = head.details.get("judge")
    if described is None:
        return ()
    rubric = Rubric.read(head.rubric)
    said = with_scores([one for one in ratings if one.kind == "additional"], rubric)
    judge = {code: value for (_, code, item), value in said.items() if item == "score" and not isnan(value)}
    about: Mapping[str, Mapping[str, Any]] = head.details["about"]
    names = {run: f"{who} ({run})" for run, who in described["runs"]}
    ways = {"by": described["by"], "truth_to": described.get("truth_to")}
    if described["pairs"]:
        found = _judged(artefacts, judge, about, rubric, pairs=True)
        return (JudgedRun(" and ".join(names), " preferred to ".join(names.values()), **found, **ways),)
    what = rubric.items[0].key if len(rubric.items) == 1 else "score"
    return tuple(
        JudgedRun(
            run,
            f"{name}, {what}",
            **_judged([one for one in artefacts if one.condition == run], judge, about, rubric),
            **ways,
        )
        for run, name in names.items()
    )


def _judged(
    artefacts: "Sequence[FinalScore]",
    judge: Mapping[str, float],
    about: Mapping[str, Mapping[str, Any]],
    rubric: Rubric,
    *,
    pairs: bool = False,
) -> dict[str, Any]:
    """Gather what was said by answer and by unit; of a pair it is how far the first run's answer is preferred."""
    by_answer: dict[str, list[float]] = {}
    units: dict[str, set[str]] = {}
    for one in artefacts:
        if one.code in judge:
            place = about[one.code]
            by_answer.setdefault(place["answer"], []).append(_towards_first(judge[one.code], place))
            units.setdefault(place["unit"], set()).add(place["answer"])
    whole = {answer: values for answer, values in by_answer.items() if len(values) == ORDERS or not pairs}
    means = {
        unit: fmean(fmean(whole[answer]) for answer in answers if answer in whole)
        for unit, answers in units.items()
        if any(answer in whole for answer in answers)
    }
    labelled = [
        (about[one.code], one)
        for one in artefacts
        if about[one.code].get("drawn") and not isnan(one.score) and about[one.code]["answer"] in whole
    ]
    checked = {place["unit"] for place, _ in labelled}
    found = judged_score(
        labels=[_towards_first(one.score, place) for place, one in labelled],
        judged=[fmean(whole[place["answer"]]) for place, _ in labelled],
        others=[mean for unit, mean in means.items() if unit not in checked],
        repeated=any(len(answers) > 1 for answers in units.values()),
        scale=Scale(binary=True) if not pairs and _is_binary(rubric, labelled) else Scale(0, 1),
    )
    return {
        "score": found,
        "drawn": sum(bool(about[one.code].get("drawn")) for one in artefacts),
        "inconsistent": sum(abs(values[0] - values[1]) > 1e-9 for values in whole.values()) if pairs else None,
        "unjudged": sum(one.code not in judge for one in artefacts),
    }


def _towards_first(value: float, place: Mapping[str, Any]) -> float:
    """Turn a rating of a pair into how far the first run is preferred; a single answer's stays as it is."""
    return value if place.get("turned") is not False else 1 - value


def _is_binary(rubric: Rubric, labelled: "Sequence[tuple[Any, FinalScore]]") -> bool:
    """Return whether each label is yes or no by one rater, and can be nothing else."""
    return len(rubric.items) == 1 and len(rubric.items[0].points) == 2 and all(one.raters == 1 for _, one in labelled)
