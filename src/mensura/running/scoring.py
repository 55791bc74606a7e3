"""Scoring: from a record and its truths to scores, and from the scores of a run to estimates."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from mensura.dialogue import Items, Record, Scores, Test, session_mean
from mensura.errors import BrokenTest, MensuraError
from mensura.stats import Estimate, summarise, without_interval

NATURAL = "natural-1"
"""Version of the natural scores, for tests that bring no scoring of their own."""


def scoring_version(test: Test) -> str:
    """Name the version of the scoring that a test uses."""
    return test.scoring if test.score is not None else NATURAL


def score_record(test: Test, record: Record, truths: Mapping[str, Any]) -> Scores:
    """Score one session by the test's own scoring, or by the natural scores of its spaces."""
    if test.score is None:
        return natural_scores(record, truths)
    try:
        scores = test.score(record, truths)
    except MensuraError:
        raise
    except Exception as error:
        raise BrokenTest(f"The scoring of {test.id} raised {type(error).__name__}: {error}") from error
    if isinstance(scores, Mapping):
        scores = Scores(dict(scores))
    if not isinstance(scores, Scores):
        raise BrokenTest(f"The scoring of {test.id} gave {type(scores).__name__}; it must give Scores or a dict.")
    return scores


def natural_scores(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Score whatever carries a truth by its kind of space, and add up rewards where there are any."""
    from mensura.scores.natural import natural

    values: dict[str, Items | float] = {}
    scored = [answer for answer in record.answers if answer.key in truths]
    for kind in dict.fromkeys(answer.kind for answer in scored):
        chosen = [answer for answer in scored if answer.kind == kind]
        # Only a density needs its space to be scored; other kinds leave the prompts unread.
        space = (record.content(chosen[0].number) or {}).get("space") if kind == "density" else None
        by_name = natural(kind, [a.value for a in chosen], [truths[a.key] for a in chosen], space=space)
        for name, numbers in by_name.items():
            items = Items(numbers, [a.key for a in chosen], proportion=name == "accuracy")
            values[name if name not in values else f"{kind}_{name}"] = items
    if any(answer.reward is not None for answer in record.answers):
        values["return"] = float(np.nansum(record.rewards()))
    return Scores(values)


def estimates(sessions: Iterable[Scores]) -> dict[str, Estimate]:
    """Estimate each score of a run from the scores of its sessions."""
    collected: dict[str, list[Any]] = {}
    proportions: set[str] = set()
    for scores in sessions:
        for name, value in scores.values.items():
            collected.setdefault(name, []).append(value.values if isinstance(value, Items) else value)
            if isinstance(value, Items) and value.proportion:
                proportions.add(name)
    return {name: _estimate(values, proportion=name in proportions) for name, values in collected.items()}


def _estimate(sessions: list[Any], *, proportion: bool) -> Estimate:
    """Estimate one score; a single infinite item makes the mean infinite, and that is said, not hidden."""
    items = np.concatenate([np.atleast_1d(values) for values in sessions])
    if not np.isinf(items).any():
        return summarise(sessions, proportion=proportion)
    count = int(np.isinf(items).sum())
    reason = f"{count} of {len(items)} items scored without bound, as certainty does when it is wrong"
    return without_interval(float(np.nanmean(items)), n=len(sessions), reason=reason)


def session_means(results: Mapping[str, Scores], name: str) -> dict[str, float]:
    """Give each session's mean of a score by session id; NaN where none of its items was scored."""
    return {session: session_mean(scores.values[name]) for session, scores in results.items() if name in scores.values}


def is_proportion(results: Mapping[str, Scores], name: str) -> bool:
    """Say whether a score is a share of items that are right or wrong."""
    values = (scores.values.get(name) for scores in results.values())
    return any(isinstance(value, Items) and value.proportion for value in values)


def merged_details(sessions: Sequence[Scores]) -> dict[str, Any]:
    """Give the facts beside the scores: those of the only session, or a list of each session's."""
    details = [scores.details for scores in sessions if scores.details]
    if not details:
        return {}
    return details[0] if len(details) == 1 else {"details": details}
