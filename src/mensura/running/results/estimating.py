"""Estimating: scores of sessions become estimates that name their population and account for every item."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.dialogue import UNANSWERED, Items, Score, Scores, Tally, merged, tally_of, tally_words, undeclared
from mensura.dialogue.record import ESTIMATES
from mensura.errors import BadParameter
from mensura.heap import give_back
from mensura.running.results.reducing import (
    MAJORITY,
    MEAN,
    counted_once,
    note_of_reducing,
    reduced,
    reduced_score,
    reducer_for,
)
from mensura.running.results.rows import Row, SampleRows
from mensura.stats import (
    Estimate,
    Observations,
    Reducer,
    Scale,
    default_population,
    estimate_score,
    read_population,
    read_reducer,
    sentence_of,
    without_interval,
)
from mensura.stats.estimate import read_estimate
from mensura.stats.judged import UNCHECKED
from mensura.stats.population import COURSES, PEOPLE, PEOPLE_AND_ITEMS, needs_items
from mensura.stats.wording import figure
from mensura.subjects.spec import HUMAN

if TYPE_CHECKING:
    from mensura.store.head import RunHead

OURS = ("lost", "broken")
"""How sessions ended whose missing part is our fault, the network's or the test's."""
UNANSWERED_RUN = "nothing was answered"
"""Why a score is unknown of a run whose sessions all broke off before anything was answered."""


@dataclass(frozen=True)
class Circumstances:
    """The facts that decide the population of a run's scores, besides the items themselves."""

    apart: bool = False
    """Whether each item was a separate dialogue."""
    people: bool = False
    learners: bool = False
    """Sessions are parts of courses."""
    visits: bool = False
    """People came several times: their sessions share the number of their course."""
    reduce: str = ""
    """The name of what makes one number of all answers to an item; empty: the mean."""

    @classmethod
    def of(cls, head: "RunHead") -> "Circumstances":
        """Read the circumstances of a stored run."""
        details = head.details
        people = HUMAN in head.cast.values()
        visits = int(details.get("visits", 1)) > 1
        learners = "phases" in details and not people
        return cls("items" in details, people, learners, visits, str(details.get("reduce", "")))


@dataclass(frozen=True)
class Estimated:
    """One score of a run: what it is declared to be, its estimate, and what became of everything it was asked for."""

    score: Score
    estimate: Estimate
    """Over what was asked less what we lost, unanswered items counting as declared: the headline."""
    answered: Estimate
    """Over what was answered only."""
    tally: Tally
    span: tuple[float, float] | None
    """The headline with lost items at their worst and at their best; None where none was lost or has bounds."""
    sentence: str
    """The population that the estimate generalises to."""
    pending: int = 0
    """Unfinished sessions of the run, which count nowhere yet."""
    excluded: str = ""
    """How many sessions count and why others were excluded, in words; empty where all count."""
    with_excluded: Estimate | None = None
    """The headline over all sessions, those that were excluded too; None where none was."""

    def as_json(self) -> dict[str, Any]:
        """Return the score in the shape that every reader of results gets."""
        return {
            **self.estimate.as_json(),
            "generalises": self.sentence,
            "better": self.score.better,
            "declared": self.score.as_json(),
            "outcomes": dict(self.tally),
            **({"pending": self.pending} if self.pending else {}),
            "answered": self.answered.as_json(),
            **({"with_lost": {"worst": self.span[0], "best": self.span[1]}} if self.span else {}),
            **(
                {"excluded": self.excluded, "with_excluded": self.with_excluded.as_json()} if self.with_excluded else {}
            ),
        }

    @property
    def emptied(self) -> "Estimated":
        """The same score where no session is left that counts."""
        return self._without("every session that has it was excluded")

    @property
    def unchecked(self) -> "Estimated":
        """The same score where a model gave it to others' work: the panel says what people make of it."""
        return self._without(UNCHECKED)

    @property
    def unanswered(self) -> "Estimated":
        """The same score where every session broke off before anything was answered."""
        return replace(self._without(UNANSWERED_RUN), tally=self.tally)

    def _without(self, reason: str) -> "Estimated":
        nothing = without_interval(float("nan"), n=0, reason=reason)
        return replace(self, estimate=nothing, answered=nothing, tally={}, span=None, sentence="")

    @property
    def account(self) -> str:
        """Return the outcomes of all questions in words; empty where all were answered."""
        waiting = [f"{self.pending} unfinished sessions are not in it"] if self.pending else []
        if self.with_excluded is not None:
            waiting.append(f"{self.excluded}; with them {_brief(self.with_excluded)}")
        if not set(self.tally) - {"answered"}:
            return "; ".join(filter(None, [tally_words(self.tally), *waiting])) if waiting else ""
        said = [tally_words(self.tally), *waiting]
        if any(outcome in self.tally for outcome in UNANSWERED):
            nothing = "answered" not in self.tally
            said.append(
                "nothing was answered, so nothing is known"
                if nothing
                else f"over what was answered {_brief(self.answered)}"
            )
        if self.span is not None:
            said.append(f"with what was lost {figure(self.span[0])} at worst and {figure(self.span[1])} at best")
        return "; ".join(said)


@dataclass
class Outline:
    """The facts about a score in all sessions that are needed before its numbers are gathered."""

    has_items: bool = True
    """Whether every session that has the score knows which items it had."""
    separate: bool = False
    """Whether some session has items that are separate units."""
    tally: Tally = field(default_factory=dict)
    sessions: int = 0
    """How many sessions have the score."""
    unanswered: bool = True
    """Whether every session that has the score broke off before anything was answered."""


@dataclass(frozen=True)
class Sample:
    """All numbers of one score in a run, with what they are numbers of."""

    rows: SampleRows
    has_items: bool
    circumstances: Circumstances
    grouped: bool = False
    """Some items share a group, which is then the unit."""
    repeated: int = 0
    """Answers from a cache that were left out."""
    reducer: Reducer | None = None
    """The function that makes one number of all answers to an item; None: their mean."""

    def observations(self, *, answered_only: bool = False, lost: float | None = None) -> Observations:
        """Return the numbers for statistics.

        Parameters
        ----------
        answered_only
            Leave out what was not answered.
        lost
            What an item counts that we lost; None: nothing, it is left out.
        """
        rows = self.rows.where(lambda row: row.outcome == "answered") if answered_only else self.rows
        if lost is not None:
            rows = SampleRows(replace(row, value=lost, answer="lost") if row.outcome == "lost" else row for row in rows)
        if self.reducer is not None:
            rows = SampleRows(reduced(rows, self.reducer))
        return Observations(
            rows.values,
            items=rows.items if self.has_items else None,
            sessions=rows.sessions,
            courses=rows.courses if self.circumstances.learners or self.circumstances.visits else None,
        )

    def elsewhere(self) -> "Sample":
        """Return the same numbers with sessions and courses that are nobody else's."""
        rows = (replace(row, session=f"{row.session}'", course=f"{row.course}'") for row in self.rows)
        return replace(self, rows=SampleRows(rows))

    def reduced_for(self, score: Score) -> "Sample":
        """Return the same numbers with what reduces this score inside of each item."""
        reducer = reducer_for(score, self.circumstances.reduce)
        if reducer is not None and reducer.rule == MAJORITY and self.rows.any_shared(lambda row: row.answer is None):
            raise BadParameter(
                "These scores do not say what was answered, which the majority needs: score the run again (mensura "
                "score RUN), then try again."
            )
        return self if reducer is None else replace(self, reducer=reducer)

    @property
    def each(self) -> Observations:
        """All numbers that count, answer by answer."""
        return self.known if self.reducer is None else replace(self, reducer=None).known

    @cached_property
    def known(self) -> Observations:
        """The numbers that count."""
        return self.observations()

    @property
    def population(self) -> str:
        """Return what the score generalises to unless the user says otherwise."""
        where = self.circumstances
        return default_population(self.known, apart=where.apart, people=where.people, learners=where.learners)


def estimated(
    results: Mapping[str, Scores],
    declared: Mapping[str, Score],
    *,
    circumstances: Circumstances = Circumstances(),
    generalise: str | None = None,
    outlines: Mapping[str, Outline] | None = None,
) -> dict[str, Estimated]:
    """Estimate every score of a run from the scores of its sessions.

    Parameters
    ----------
    results
        Session id → its scores.
    declared
        What is declared of the scores, by name.
    generalise
        The population to speak of; None: the one that the run's items, sessions and subjects suggest.
    outlines
        What is known of the scores in all sessions; None: it is looked for.
    """
    if outlines is None:
        outlines = {}
        for scores in results.values():
            outline(outlines, scores)
    found = {}
    samples = _samples(results, outlines, circumstances=circumstances)
    # The rows that were read are gone, and the estimates need the room.
    give_back()
    for name, sample in samples.items():
        score = declared.get(name) or undeclared(name)
        found[name] = _estimated(score, sample.reduced_for(score), outlines[name].tally, generalise)
        if outlines[name].unanswered and any(outcome in outlines[name].tally for outcome in UNANSWERED):
            found[name] = found[name].unanswered
        elif outlines[name].sessions == 1 and not sample.has_items:
            found[name] = _with_own(found[name], next(one for one in results.values() if name in one.values))
    return found


def outline(outlines: dict[str, Outline], scores: Scores) -> None:
    """Add what one session says of each of its scores."""
    for name, value in scores.values.items():
        known = outlines.setdefault(name, Outline())
        known.sessions += 1
        known.unanswered = known.unanswered and scores.is_silent
        known.has_items = known.has_items and _knows_items(value)
        known.separate = known.separate or getattr(value, "separate", False)
        known.tally = merged([known.tally, _tally(scores, name)])


def _with_own(found: Estimated, scores: Scores) -> Estimated:
    """Give a score of the only session the estimate that its own scoring made, where there is one."""
    own = scores.details.get(ESTIMATES, {}).get(found.score.name)
    if own is None or scores.status in OURS:
        return found
    estimate = read_estimate(own)
    return replace(found, estimate=estimate, answered=estimate, sentence="")


def score_names(results: Iterable[Scores]) -> list[str]:
    """List the scores that sessions have, in the order in which they come."""
    return list(dict.fromkeys(name for scores in results for name in scores.values))


def sample_of(results: Mapping[str, Scores], name: str, *, circumstances: Circumstances) -> Sample:
    """Gather all numbers of one score of a run.

    Items count one by one where every session knows which items it had; else each session counts once, by the mean of
    its items.
    """
    outlines: dict[str, Outline] = {}
    for scores in results.values():
        if name in scores.values:
            outline(outlines, replace(scores, values={name: scores.values[name]}))
    outlines.setdefault(name, Outline(has_items=False))
    return _samples(results, outlines, circumstances=circumstances)[name]


def _samples(
    results: Mapping[str, Scores], outlines: Mapping[str, Outline], *, circumstances: Circumstances
) -> dict[str, Sample]:
    """Gather the numbers of all scores in one pass over the sessions."""
    rows = {name: SampleRows() for name in outlines}
    grouped: set[str] = set()
    # Only the majority asks what was answered, of which there may be as many texts as items.
    marked = read_reducer(circumstances.reduce or MEAN).rule == MAJORITY
    for session, scores in results.items():
        place, course = session_place(session), course_of(session)
        for name in rows.keys() & scores.values.keys():
            value, has_items = scores.values[name], outlines[name].has_items
            if has_items and isinstance(value, Items) and value.separate:
                # Known by what was administered and their place in it, so that they pair only where that is the same.
                for at, number in enumerate(value.values):
                    rows[name].append(Row(float(number), "answered", f"{scores.instance}#{at}", place, course))
            elif has_items and isinstance(value, Items):
                grouped |= {name} if any(value.groups) else set()
                for row in _rows(value, place, course, marked=marked):
                    rows[name].append(row)
            else:
                rows[name].append(_whole(value, scores, place, course))
    found = {}
    for name, known in outlines.items():
        kept = counted_once(rows[name])
        where = replace(circumstances, apart=True) if known.separate else circumstances
        repeated = len(rows[name]) - len(kept)
        found[name] = Sample(kept, known.has_items, where, name in grouped, repeated=repeated)
    return found


def _rows(items: Items, session: str, course: str, *, marked: bool) -> Iterator[Row]:
    count = len(items.ids)
    groups, outcomes = items.groups or ("",) * count, items.outcomes or ("answered",) * count
    answers, cached = (items.answers if marked else ()) or (None,) * count, items.cached or (False,) * count
    parts = zip(items.values, outcomes, groups, items.ids, answers, cached, strict=True)
    for number, outcome, group, item, answer, again in parts:
        yield Row(float(number), outcome, group or item, session, course, item, answer, again)


def session_place(session: str) -> str:
    """Return where in its run a session stands, by its id; items of one round of a bank stand at one place.

    >>> session_place("coin-1f3a/0.0.3"), session_place("items-1f3a/0.0.3.5d1f")
    ('0.0.3', '0.0.3')
    """
    return ".".join(session.rsplit("/", 1)[-1].split(".")[:3])


def course_of(session: str) -> str:
    """Return the course that a session belongs to, by its id.

    >>> course_of("coin-1f3a/7.0.3")
    '7'
    """
    return session_place(session).partition(".")[0]


def check_population(words: str, *where: Circumstances) -> str:
    """Read a population that a user asked for, and refuse one that nobody in the runs belongs to."""
    population = read_population(words)
    if population in (PEOPLE, PEOPLE_AND_ITEMS) and not all(one.people for one in where):
        raise BadParameter("Nobody here is a person, so nothing generalises to people. Ask for sessions or items.")
    if population == COURSES and not all(one.learners or one.visits for one in where):
        raise BadParameter("These sessions are not courses of learners. Ask for sessions or items.")
    return population


def scale_of(score: Score, *, by_item: bool) -> Scale:
    """Return the scale of a declared score; the means of sessions lie between 0 and 1 even where items are 0 or 1."""
    return Scale(score.low, score.high, binary=score.proportion and by_item)


def _knows_items(value: Items | float) -> bool:
    return isinstance(value, Items) and (value.separate or len(value.ids) == len(value.values) > 0)


def _whole(value: Items | float, scores: Scores, session: str, course: str) -> Row:
    """Let a session count once; one number of a session that we lost is not its score."""
    if scores.status in OURS and not isinstance(value, Items):
        return Row(float("nan"), "lost", "", session, course)
    numbers = value.values[~np.isnan(value.values)] if isinstance(value, Items) else np.array([value], dtype=float)
    mean = float(numbers.mean()) if numbers.size else float("nan")
    return Row(mean, "answered", "", session, course)


def _tally(scores: Scores, name: str) -> Tally:
    value = scores.values[name]
    if isinstance(value, Items) and value.outcomes:
        return tally_of(value.outcomes)
    return scores.tally or {"lost" if scores.status in OURS else "answered": 1}


def _estimated(score: Score, sample: Sample, tally: Tally, generalise: str | None) -> Estimated:
    infinite = int(np.isinf(sample.rows.values).sum())
    if infinite:
        return _without_bound(score, sample, tally, infinite)
    population, unfit = generalise or sample.population, ""
    if needs_items(population) and not sample.has_items:
        unfit = f"It is one number per session and cannot speak of {population}."
        population = sample.population
    asked, score = score, reduced_score(score, sample.reducer)
    scale = scale_of(score, by_item=sample.has_items)
    estimate_of = partial(estimate_score, population=population, scale=scale, apart=sample.circumstances.apart)
    estimate = answered = estimate_of(sample.known)
    if any(outcome in tally for outcome in UNANSWERED):
        answered = estimate_of(sample.observations(answered_only=True))
        uncounted = sum(row.outcome in UNANSWERED and np.isnan(row.value) for row in sample.rows)
        if uncounted:
            words = f"{uncounted} unanswered items count for nothing, as none is declared: leaving items out may pay."
            estimate = replace(estimate, note=f"{estimate.note} {words}".strip())
    said = note_of_reducing(asked, sample.rows, name=sample.circumstances.reduce, repeated=sample.repeated)
    if unfit or said:
        estimate = replace(estimate, note=" ".join(filter(None, [unfit, said, estimate.note])))
    sentence = sentence_of(population, sample.each)
    if sample.reducer is not None:
        sentence = f"{sentence} Of each item counts {sample.reducer.words} ({sample.reducer.name})."
    if sample.grouped:
        sentence = sentence.replace(" items", " items or groups of items")
    ends = _ends(score) if sample.rows.any_shared(lambda row: row.outcome == "lost") else None
    span = None
    if ends is not None:
        worst, best = (estimate_of(sample.observations(lost=end)).value for end in ends)
        span = (worst, best)
    return Estimated(score, estimate, answered, tally, span, sentence)


def _without_bound(score: Score, sample: Sample, tally: Tally, infinite: int) -> Estimated:
    """A single infinite item makes the mean infinite, and that is said, not hidden."""
    reason = f"{infinite} of {len(sample.rows)} items scored without bound, as certainty does when it is wrong"
    sessions = len(sample.rows.sessions.names)
    estimate = without_interval(float(np.nanmean(sample.rows.values)), n=sessions, reason=reason)
    return Estimated(score, estimate, estimate, tally, None, "")


def _ends(score: Score) -> tuple[float, float] | None:
    """Return the worst and the best value that a score can take; None where it has no direction or lacks a bound."""
    if score.better is None or score.low is None or score.high is None:
        return None
    return (score.low, score.high) if score.better == "more" else (score.high, score.low)


def _brief(estimate: Estimate) -> str:
    if np.isnan(estimate.value):
        return "the score is unknown"
    return f"{estimate.rounded[0]}{f' {estimate.bracket}' if estimate.has_interval else ''}"
