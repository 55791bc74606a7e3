"""Comparing: two samples of one score, paired by the content of what both met."""

from collections.abc import Collection, Mapping
from dataclasses import replace

from mensura.dialogue import Score, Scores
from mensura.running.results.estimating import Sample, scale_of, session_place
from mensura.stats import Observations, ScoreDifference, score_difference
from mensura.stats.observations import Factor
from mensura.stats.population import COURSES, PEOPLE, SESSIONS, factor_of, needs_items

LEAST_SHARED = 0.5
"""Share of the smaller side's units that both must have met: a few items that agree by chance make no pairs."""


def compare_samples(
    first: Sample,
    second: Sample,
    *,
    score: Score,
    names: tuple[str, str],
    shared: Collection[str] = (),
    generalise: str | None = None,
) -> ScoreDifference:
    """Return whether two samples of a score differ, for what they generalise to.

    Parameters
    ----------
    shared
        Labels of the sessions that administered the same to both.
    generalise
        The population to speak of; None: the one that both samples allow.
    """
    population = generalise or common_population(first, second)
    if needs_items(population) and not (first.has_items and second.has_items):
        population = common_population(first, second)
    # Other people took the other run, whatever their numbers.
    others = second.elsewhere() if first.circumstances.people else second
    sides = (first.known, others.known)
    scale = scale_of(score, by_item=first.has_items and second.has_items)
    paired = _are_pairs(sides[0], sides[1], population=population, shared=shared)
    if paired and population in (SESSIONS, COURSES):
        factor = factor_of(population)
        both = _in_both(sides[0], sides[1], factor, shared)
        sides = (sides[0].only(factor, sorted(both)), sides[1].only(factor, sorted(both)))
    apart = first.circumstances.apart and second.circumstances.apart
    found = score_difference(
        first=sides[0],
        second=sides[1],
        population=population,
        scale=scale,
        names=names,
        paired=paired,
        apart=apart,
        score=score,
    )
    mixed = population == PEOPLE and first.circumstances.people != second.circumstances.people
    return replace(found, unit="session") if mixed else found


def common_population(first: Sample, second: Sample) -> str:
    """Return what two samples can both speak of: that of the one with fewer sessions."""
    few = min((first, second), key=lambda sample: sample.known.count("sessions"))
    if first.has_items and second.has_items:
        return few.population
    where = few.circumstances
    if where.people:
        return PEOPLE
    return COURSES if where.learners else SESSIONS


def shared_sessions(
    first: Mapping[str, Scores], second: Mapping[str, Scores], *, same_seed: bool, same_terms: bool = False
) -> set[str]:
    """Name the sessions that administered the same in both runs, by their place.

    Items decide where their content is known. Without them, what a test asks may depend on the answers: the seed and
    what was shown before the first answer must then agree. A batch form shows nothing: the seed and the terms, which
    are the test with its parameters, must then agree.
    """
    theirs = {session.rpartition("/")[2]: scores for session, scores in second.items()}
    places: dict[str, bool] = {}
    for session, scores in first.items():
        other = theirs.get(session.rpartition("/")[2])
        same = other is not None and same_session(scores, other, same_seed=same_seed, same_terms=same_terms)
        place = session_place(session)
        places[place] = places.get(place, True) and same
    return {place for place, same in places.items() if same}


def same_session(first: Scores, second: Scores, *, same_seed: bool, same_terms: bool = False) -> bool:
    """Return whether two sessions administered the same, as `shared_sessions` decides it."""
    if first.instance == second.instance:
        return same_seed or _has_items(first)
    unseen = "" in (first.opening, second.opening)
    alike = same_terms if unseen else first.opening == second.opening
    return same_seed and alike and not (_has_items(first) and _has_items(second))


def _has_items(scores: Scores) -> bool:
    return any(getattr(value, "ids", ()) for value in scores.values.values())


def _are_pairs(first: Observations, second: Observations, *, population: str, shared: Collection[str]) -> bool:
    if population == PEOPLE:
        # Other people took the other run.
        return False
    if needs_items(population):
        common = set(first.names("items")) & set(second.names("items"))
        least = min(first.count("items"), second.count("items"))
    else:
        factor = factor_of(population)
        common = _in_both(first, second, factor, shared)
        least = min(first.count(factor), second.count(factor))
    return bool(common) and len(common) >= LEAST_SHARED * least


def _in_both(first: Observations, second: Observations, factor: Factor, shared: Collection[str]) -> set[str]:
    """Name the sessions, or the courses all of whose sessions, administered the same to both."""
    both = set(first.names(factor)) & set(second.names(factor))
    for side in (first, second):
        cells = side.cells(factor, "sessions")
        names, sessions = side.names(factor), side.names("sessions")
        both -= {
            names[unit]
            for unit, session in zip(cells.rows, cells.columns, strict=True)
            if sessions[session] not in shared
        }
    return both
