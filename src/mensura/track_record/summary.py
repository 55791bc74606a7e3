"""Summary: what a decision maker should know first, in a few sentences with their numbers."""

from collections.abc import Sequence
from math import isfinite

import numpy as np

from mensura.scores.alternatives import Floats
from mensura.scores.rule import Rule
from mensura.stats import Estimate, paired_difference
from mensura.stats.wording import several
from mensura.track_record.calibration.diagnosis import Diagnosis
from mensura.track_record.calibration.sheet import Indices
from mensura.track_record.calibration.verdict import Bias
from mensura.track_record.files.scoring import Scored
from mensura.track_record.together.together import Together

FEWEST = 10
BIASES: dict[Bias, str] = {
    "overvalues": "Shown to overvalue what they know",
    "undervalues": "Shown to undervalue what they know",
    "no relation": "No relation to what happens is shown for",
    "inverted": "Shown to say the opposite of what happens",
}


def in_short(scored: Scored) -> list[str]:
    """Return who is shown to be best, whether also on equal terms, who is biased, and what pools give."""
    said = [_best(scored.diagnoses, scored.options.rule)]
    if scored.together is not None:
        said += _together(scored.together)
    said += _biases(scored.diagnoses)
    suggested = [name for name, found in scored.persistence.items() if found.suggestion is not None]
    if suggested:
        said.append(f"Bias persists from period to period for {_names(suggested)}: a correction is suggested below.")
    return [words for words in said if words]


def _best(diagnoses: Sequence[Diagnosis], rule: Rule) -> str:
    known = [one for one in diagnoses if isfinite(one.score.value)]
    if not known:
        return "Everyone gave probability zero to something that happened: no mean score is finite. Use a floor."
    if len(diagnoses) == 1:
        return f"{known[0].name} scores {_numbers(known[0].score)} on {several(known[0].n, 'question')}."
    better = sum(one.score.has_interval and one.score.low > 0 for one in known)
    words = f"{better} of {len(diagnoses)} forecasters are shown to do better than ignorance."
    best, *rest = sorted(known, key=lambda one: -one.score.value)
    mine = best.question_scores(rule)
    if not all(_shown_better(mine, other.question_scores(rule)) for other in rest):
        return f"Nobody is shown to be best. {words}"
    return f"{best.name} is best: {_numbers(best.score)} on {several(best.n, 'question')}. {words}"


def _shown_better(one: tuple[Indices, Floats], other: tuple[Indices, Floats]) -> bool:
    """Return whether one scores more on the questions that both answered, and more than chance would make it."""
    (first, mine), (second, theirs) = one, other
    _, here, there = np.intersect1d(first, second, assume_unique=True, return_indices=True)
    if len(here) < FEWEST:
        return False
    gap = paired_difference(first=mine[here], second=theirs[there]).difference
    return gap.has_interval and gap.low > 0


def _together(together: Together) -> list[str]:
    first, *rest = [standing for standing in together.comparison.standings if standing.questions]
    said = []
    second = next((one for one in rest if one.group == first.group), None)
    if second is not None:
        gap = together.comparison.difference(first.name, second.name)
        if gap.has_interval and gap.low > 0 and gap.n >= FEWEST:
            words = f"{first.name} comes first, and is better than {second.name} ({_numbers(gap)} per question)"
        else:
            words = "the first is not shown to be better than the second"
        said.append(f"On equal terms {words}.")
    if together.pools:
        pool, mean = together.pools[0], next(one for one in together.pools if one.method == "mean")
        if pool.method == "mean":
            said.append(f"The plain mean of all does as well as any other pool: {mean.score.value:.3g} per question.")
        elif pool.against_mean.has_interval:
            gain = pool.against_mean
            shown = "beats" if gain.low > 0 else "is not shown to beat"
            words = f"Of the pools '{pool.method}' does best and {shown} the plain mean"
            said.append(f"{words} ({_numbers(gain)} per question).")
    return said


def _numbers(estimate: Estimate) -> str:
    ends = f", {estimate.ends}" if estimate.has_interval else ""
    return f"{estimate.rounded[0]}{ends}".replace("-", "−")


def _biases(diagnoses: Sequence[Diagnosis]) -> list[str]:
    said = []
    for bias, words in BIASES.items():
        names = [one.name for one in diagnoses if one.verdict.bias == bias]
        if names:
            said.append(f"{words}: {_names(names)}.")
    judged = [one for one in diagnoses if one.verdict.bias != "unknown"]
    if judged and not said:
        said.append("Nobody is shown to over- or undervalue what they know.")
    few = len(diagnoses) - len(judged)
    if few:
        said.append(f"Of {several(few, 'forecaster')} nothing can be said of bias yet.")
    return said


def _names(names: Sequence[str]) -> str:
    shown = ", ".join(names[:8])
    return f"{shown} and {len(names) - 8} more" if len(names) > 8 else shown
