"""Scores of a session: S1 of every judged trial, S2 of every decision, and the answers themselves."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from mensura.catalog.sensemaking.answers.json_file import answers_to_json
from mensura.catalog.sensemaking.answers.record import answers_from_record
from mensura.catalog.sensemaking.showing.percents import shares_of
from mensura.catalog.sensemaking.solving.distribution import whole_percents
from mensura.catalog.sensemaking.solving.skill import stage_s1, trial_s1, trial_s2
from mensura.dialogue import UNANSWERED, Items, Record, Score, Scores

JUDGED = range(1, 7)
"""Tasks whose judgements have a published normative answer; the seventh has none."""
CPA = Score("cpa", better="more", low=0, high=100, label="CPA")
"""How near a model comes to people, where files are scored against people's."""
SCORES = (
    Score("s1", better="more", low=0, high=100, label="S1"),
    Score("s2", better="more", low=0, high=100, label="S2"),
    *(Score(f"s1_task_{number}", better="more", low=0, high=100, label=f"S1 of Task {number}") for number in JUDGED),
)


def score(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Score a session against the normative answers (S1) and what came true (S2), both from 0 to 100.

    `s1` and `s2` have one value per trial; `s1_task_N` is the mean of a task. A judgement or decision that the subject
    left out counts 0, and so does a report not chosen, as no judgement can follow; what we lost counts for nobody.
    What a model needs to be assessed against people (`mensura score sensemaking`) stands in the details as `answers`.
    """
    given = record.given()
    left_out = {answer.key for answer in record.answers if record.outcome_of(answer) in UNANSWERED} - set(given)
    stages: dict[str, list[float]] = {}
    decisions: dict[str, float] = {}
    for key, truth in truths.items():
        number, place, what = [*key.split(".", 2), "", ""][:3]
        trial = f"{number}.{place}"
        if isinstance(truth, Mapping) and "normative" in truth and number != "7":
            stages.setdefault(trial, []).append(0.0 if key in left_out else _s1(given.get(key), truth["normative"]))
        elif what in ("choice", "allocation"):
            decisions[trial] = 0.0 if key in left_out else _s2(given.get(key), truth)
    for key in left_out:
        trial, _, what = key.rpartition(".")
        if what.startswith("layer") and not trial.startswith("practice"):
            stages.setdefault(trial, []).append(0.0)
    s1 = {trial: float(trial_s1(np.array(stages[trial]))) for trial in sorted(stages, key=_place)}
    decisions = {trial: decisions[trial] for trial in sorted(decisions, key=_place)}
    values: dict[str, Items | float] = {}
    if s1:
        values["s1"] = Items(list(s1.values()), list(s1))
    if decisions:
        values["s2"] = Items(list(decisions.values()), list(decisions))
    for number in sorted({trial.partition(".")[0] for trial in s1}):
        own = np.array([value for trial, value in s1.items() if trial.startswith(f"{number}.")])
        values[f"s1_task_{number}"] = float(own[np.isfinite(own)].mean()) if np.isfinite(own).any() else float("nan")
    return Scores(values, {"answers": answers_to_json(answers_from_record(record))})


def _place(trial: str) -> tuple[int, int]:
    """Where a trial stands, so that items come in the order of the exam however truths were kept."""
    number, _, place = trial.partition(".")
    return int(number), int(place)


def _s1(answer: Any, normative: list[float]) -> float:
    if not isinstance(answer, Mapping):
        return float("nan")
    return float(stage_s1([100 * value for value in shares_of(answer).values()], normative=normative))


def _s2(answer: Any, truth: str | None) -> float:
    if truth is None or answer is None:
        return float("nan")
    if isinstance(answer, str):
        return 100.0 * (answer == truth)
    shares = shares_of(answer)
    return float(trial_s2(whole_percents(list(shares.values())), truth=list(shares).index(truth)))
