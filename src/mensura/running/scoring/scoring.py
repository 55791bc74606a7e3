"""Scoring: from a record and its truths to the scores of a session, with what became of everything that was asked."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from mensura.dialogue import UNANSWERED, Answer, Items, Record, Score, Scores, Test, session_mean, undeclared
from mensura.dialogue.canonical import short_hash
from mensura.dialogue.record import BESIDE, EACH, ESTIMATES, INSTANCES, POOLED
from mensura.dialogue.spaces.text import folded
from mensura.errors import BrokenTest, MensuraError, raised
from mensura.running.scoring.ability import add_ability
from mensura.running.scoring.content import content_hash, item_groups, item_ids, item_names, opening_hash
from mensura.running.scoring.pooling import pooled_counts

Parts = dict[str, list[tuple[Sequence[float], list[str]]]]
"""Score → values with the keys they are of."""
NATURAL = "natural-2"
"""Version of the natural scores, for tests that bring no scoring."""
SCORED = ("finished", "crashed", "timed_out", "invalid", "expired", "broken", "lost")
"""How a session may have ended that keeps what it earned; someone who withdrew takes their answers along."""


def scoring_version(test: Test) -> str:
    """Name the version of the scoring that a test uses."""
    return test.scoring if test.score is not None else NATURAL


def score_record(test: Test, record: Record, truths: Mapping[str, Any]) -> Scores:
    """Score one session by the test's own scoring, or by the natural scores of its spaces.

    Items that the subject left unanswered count what the score declares for them; those that we lost count for nobody.
    Of a session that broke off before anything was answered no score is known.

    Raises
    ------
    BrokenTest
        If the scoring fails, or gives a score outside its declared bounds.
    """
    scores = natural_scores(record, truths) if test.score is None else _own_scores(test, record, truths)
    declared = {**test.declared_scores(record.parameters), **scores.declared}
    outcomes, names = _outcomes(record), item_names(record, truths, test=test)
    for name, value in scores.values.items():
        score = declared.get(name) or undeclared(name)
        if isinstance(value, Items):
            _account(value, score, record, truths, outcomes, names, test=test)
        _check_bounds(value, score, test)
    if test.score is None:
        add_ability(scores, record, test=test)
    scores.status = record.status
    scores.tally = record.tally()
    scores.opening = opening_hash(record)
    scores.instance = content_hash(record, names, scores.opening, test=test, scoring=scoring_version(test))
    return scores.as_unknown if record.is_unanswered(played=test.played) else scores


def natural_scores(record: Record, truths: Mapping[str, Any]) -> Scores:
    """Score whatever carries a truth by its kind of space, and add up rewards where there are any."""
    from mensura.scores.grades.grade import is_graded
    from mensura.scores.natural import natural, natural_of, wider

    parts: Parts = {}
    declared: dict[str, Score] = {}
    every = [answer for answer in record.answers if answer.key in truths and record.outcome_of(answer)]
    scored = [answer for answer in every if not is_graded(truths[answer.key])]
    for kind in dict.fromkeys(answer.kind for answer in scored):
        chosen = [answer for answer in scored if answer.kind == kind]
        own = natural_of(kind)
        if own is None:
            continue
        # Other kinds leave the prompts unread: all their spaces have the same bounds.
        read = chosen if own.reads else []
        spaces = [(record.content(answer.number) or {}).get("space") for answer in read]
        known = [truths[answer.key] for answer in chosen]
        for name, numbers in natural(kind, [a.value for a in chosen], known, spaces=spaces).items():
            # Kinds that share a score share it whether they are asked together or apart.
            parts.setdefault(name, []).append((numbers.tolist(), [answer.key for answer in chosen]))
            score = own.declare(name, spaces, known)
            declared[name] = wider(declared[name], score) if name in declared else score
    for answer in every:
        if is_graded(truths[answer.key]):
            _add_grades(answer, truths, parts, declared)
    values: dict[str, Items | float] = {
        name: Items([n for numbers, _ in found for n in numbers], [key for _, keys in found for key in keys])
        for name, found in parts.items()
    }
    if any(answer.reward is not None for answer in record.answers):
        values["return"] = float(np.nansum(record.rewards()))
        declared["return"] = Score("return", better="more")
    return Scores(values, declared=declared)


def _add_grades(answer: Answer, truths: Mapping[str, Any], parts: Parts, declared: dict[str, Score]) -> None:
    """Add what the grader that an item names makes of its answer."""
    from mensura.scores.grades.code import verdict_key
    from mensura.scores.grades.grade import SCORES, grades

    found = grades(answer.value, truths[answer.key], verdict=truths.get(verdict_key(answer.key)))
    for name, value in found.items():
        parts.setdefault(name, []).append(([value], [answer.key]))
        declared.setdefault(name, SCORES[name])


def session_means(results: Mapping[str, Scores], name: str) -> dict[str, float]:
    """Return each session's mean of a score by session id; NaN where none of its items was scored."""
    return {session: session_mean(scores.values[name]) for session, scores in results.items() if name in scores.values}


def _own_scores(test: Test, record: Record, truths: Mapping[str, Any]) -> Scores:
    try:
        scores = test.score(record, truths)  # type: ignore[misc]
    except MensuraError:
        raise
    except Exception as error:
        raise BrokenTest(f"The scoring of {test.id} {raised(error)}") from error
    if isinstance(scores, Mapping):
        scores = Scores(dict(scores))
    if not isinstance(scores, Scores):
        raise BrokenTest(f"The scoring of {test.id} gave {type(scores).__name__}; it must give Scores or a dict.")
    for name, value in scores.values.items():
        if not isinstance(name, str) or not isinstance(value, Items | int | float | np.generic):
            shown = f"{value!r:.60} for {name}"
            raise BrokenTest(f"The scoring of {test.id} gave {shown}; a score is a number, NaN if unknown, or Items.")
    return scores


def _outcomes(record: Record) -> dict[str, str]:
    """Return what became of each key: answered if any of its asks was, else what became of the last."""
    outcomes: dict[str, str] = {}
    for answer in record.answers:
        outcome = record.outcome_of(answer)
        if outcome and outcomes.get(answer.key) != "answered":
            outcomes[answer.key] = outcome
    return outcomes


def _account(
    items: Items,
    score: Score,
    record: Record,
    truths: Mapping[str, Any],
    outcomes: Mapping[str, str],
    names: Mapping[str, str],
    *,
    test: Test,
) -> None:
    """Fill in which items these are, what became of each, and what the unanswered ones count."""
    values = items.values = np.array(items.values, dtype=float).ravel()
    if not items.keys:
        return
    if len(items.keys) != len(values):
        counts = f"{len(values)} values and {len(items.keys)} keys"
        raise BrokenTest(f"The scoring of {test.id} gave {counts}; give one key for each value, or none.")
    _add_left_out(items, record, truths, outcomes)
    values = items.values
    items.ids = tuple(item_ids(items.keys, names))
    items.groups = tuple(item_groups(test, items.keys)) if items.ids else ()
    own = items.outcomes if len(items.outcomes) == len(values) else None
    found = []
    for place, key in enumerate(items.keys):
        unknown = np.isnan(values[place])
        # What was never asked, because the session broke off before, is what became of the session.
        outcome = own[place] if own else outcomes.get(key) or (record.unfinished if unknown else "answered")
        if unknown and outcome in UNANSWERED and score.if_unanswered is not None:
            values[place] = score.if_unanswered
        elif unknown and outcome == "answered":
            outcome = "unresolved"
        found.append(outcome)
    items.outcomes = tuple(found)
    _mark_answers(items, record)


def _mark_answers(items: Items, record: Record) -> None:
    """Mark the answers to each item that is a separate dialogue, and those that came from a cache."""
    last = {answer.key: answer for answer in record.answers}
    asked = [last.get(key) for key in items.keys]
    items.cached = tuple(bool(answer and (answer.notes or {}).get("cached") is True) for answer in asked)
    if record.item:
        items.answers = tuple("" if answer is None else _mark(answer) for answer in asked)


def _mark(answer: Answer) -> str:
    if answer.status != "answered":
        return ""
    # Texts that differ only in case and spaces are scored alike.
    return short_hash(folded(str(answer.value)) if answer.kind == "text" else answer.value)[:8]


def _add_left_out(items: Items, record: Record, truths: Mapping[str, Any], outcomes: Mapping[str, str]) -> None:
    """Add what was asked in the same kind of space and not answered, where a scoring left it out."""
    if items.outcomes or any(key not in truths for key in items.keys):
        return
    known, kinds = set(items.keys), {answer.key: answer.kind for answer in record.answers}
    alike = {kinds.get(key) for key in known}
    missing = [
        key
        for key, outcome in outcomes.items()
        if outcome != "answered" and key in truths and key not in known and kinds[key] in alike
    ]
    if missing:
        items.keys = (*items.keys, *missing)
        items.values = np.concatenate([items.values, np.full(len(missing), np.nan)])


def _check_bounds(value: Items | float, score: Score, test: Test) -> None:
    numbers = value.values if isinstance(value, Items) else np.array([value], dtype=float)
    known = numbers[~np.isnan(numbers)]
    if not known.size:
        return
    wrong = [float(end) for end in (known.min(), known.max()) if not score.admits(float(end))]
    if score.proportion and not wrong and isinstance(value, Items):
        wrong = known[(known != 0.0) & (known != 1.0)].tolist()
    if wrong:
        raise BrokenTest(f"The scoring of {test.id} gave {wrong[0]:g} for {score.name}, declared {score.range}.")


def merged_details(sessions: Any) -> dict[str, Any]:
    """Return the facts beside the scores: those of the only session, or of several each one's and counts over all."""
    facts = [
        {name: fact for name, fact in one.details.items() if name not in (ESTIMATES, BESIDE, POOLED)}
        for one in sessions
    ]
    instances = [instance for fact in facts for instance in fact.pop(INSTANCES, [])]
    each = [fact.pop(EACH) for fact in facts if EACH in fact]
    details = [fact for fact in facts if fact]
    listed = {**({INSTANCES: instances} if instances else {}), **({"by_session": each} if each else {})}
    if not details:
        return listed
    return {**details[0], **listed} if len(details) == 1 else {"details": details, **pooled_counts(details), **listed}
