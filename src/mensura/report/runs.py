"""The report of stored runs: who scores how well, and which differences are real."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import combinations
from math import isnan
from typing import TYPE_CHECKING

from mensura.dialogue import Score, Scores, Test
from mensura.dialogue.canonical import canonical
from mensura.exhibit import Exhibit
from mensura.exhibit.score_table import ScoreRow, ScoreTable, scores_exhibit
from mensura.report.account import costs, losses
from mensura.report.answer import answer, headline, overview
from mensura.report.content import COMPARED, COST, LOSSES, Report, Section
from mensura.running.reference import installed_test, reproducing
from mensura.running.results.compare import compare_results
from mensura.running.results.counting import counted
from mensura.running.results.exhibits import run_group, shown_by
from mensura.running.results.naming import labels_of
from mensura.running.results.summary import RunResult, summarise_run
from mensura.running.scoring.scoring import session_means
from mensura.running.study.registration.register import registration_of, study_runs
from mensura.stats import ScoreDifference, holm
from mensura.stats.wording import ahead
from mensura.store.head import RunHead
from mensura.store.sealed.proof import audit_run

if TYPE_CHECKING:
    from mensura.store import Store

MOST_PAIRS = 45
MOST_FAILURES = 50
FAILED = "Sessions that failed, with their last words"
SOURCES = [
    "Run",
    "Subject",
    "Isolation",
    "Condition",
    "Sessions",
    "Parameters",
    "Seed",
    "Instance",
    "Environment",
    "Chain",
]


@dataclass(frozen=True)
class Compared:
    """Two runs compared on one score, with the p-value adjusted for the number of comparisons of the test."""

    score: Score
    finding: ScoreDifference
    adjusted_p: float
    stands: bool
    family: str
    """The promise of the adjustment for all of them together, in words."""

    @property
    def row(self) -> tuple[str, str, str, float, bool]:
        """The comparison as a row of a table."""
        found = self.finding
        return self.score.title, found.sentence, found.difference.method, self.adjusted_p, self.stands


@dataclass(frozen=True)
class Scope:
    """The population of a report, where that is not everything that its runs support.

    Parameters
    ----------
    compare
        Whether runs are compared and exhibited; a study's plan says itself what is.
    left_out
        Sessions that a plan does not count, besides those that were excluded by decision, each with why.
    lead
        The score of the picture.
    generalise
        The population that scores and comparisons speak of; None: what the runs suggest.
    reduce
        What makes one number of all answers to an item; None: what the runs were begun with.
    """

    compare: bool = True
    left_out: Mapping[str, str] = field(default_factory=dict)
    lead: str = ""
    generalise: str | None = None
    reduce: str | None = None


def build_report(
    runs: Sequence[str], *, store: "Store", question: str = "", title: str = "", scope: Scope = Scope()
) -> Report:
    """Gather everything that stored runs support: scores with intervals, comparisons, failures, provenance."""
    heads = list({head.id: head for head in map(store.runs.find, runs)}.values())
    sessions = {head.id: counted(head, store=store, left_out=scope.left_out) for head in heads}
    stored = {run: counting.scores for run, counting in sessions.items()}
    excluded = {session: why for counting in sessions.values() for session, why in counting.why.items()}
    results = [
        summarise_run(head, store=store, counting=sessions[head.id], generalise=scope.generalise, reduce=scope.reduce)
        for head in heads
    ]
    tests = list(dict.fromkeys(result.head.test for result in results))
    taken = [
        SameTest([r for r in results if r.head.test == test], stored, store, scope.compare, scope.generalise)
        for test in tests
    ]
    # The report of a study says it of the whole study.
    strange, said = (_altered(heads, store), _standing(heads, store)) if scope.compare else ([], [])
    main = headline(taken[0].tables, scope.lead) if taken else None
    failed = [words for result in results for words in result.last_words]
    sections = [one.section() for one in taken]
    sections += [Section("Excluded", points={"": _excluded(excluded)})] if excluded else []
    sections += [Section(FAILED, points={"": [_brief(words) for words in failed[:MOST_FAILURES]]})] if failed else []
    return Report(
        title=title or f"Scores on {', '.join(tests)}",
        question=question or "Who scores how well, and which differences are real?",
        answer=[*strange, *said, *(one.unanswered for one in results if one.unanswered), *answer(taken)],
        figure=main.figures[0] if main and main.figures else None,
        beside={LOSSES: losses(taken, excluded=len(excluded)), COST: costs(results, store=store)},
        overview=overview(taken) if len(taken) > 1 else None,
        sections=sections,
        altered=strange,
        simulated=any(result.head.details.get("simulated") for result in results),
    )


def _altered(heads: Sequence[RunHead], store: "Store") -> list[str]:
    """Return what was altered in runs, and in others of their studies."""
    names = [head.id for head in heads] + [one.id for name in _studies(heads) for one in study_runs(name, store=store)]
    proofs = (audit_run(store, name, prompts=False) for name in dict.fromkeys(names))
    return [proof.warning for proof in proofs if not proof.whole]


def _standing(heads: Sequence[RunHead], store: "Store") -> list[str]:
    """Return how the plans of the studies that runs belong to stand."""
    said = []
    for study in _studies(heads):
        found = registration_of(study, store=store)
        told = [found.sentence, *(one.sentence for one in found.amendments)] if found else []
        said.append(f"From the study {study}, whose plan is not what is reported here. {' '.join(told)}")
    return said


def _studies(heads: Sequence[RunHead]) -> list[str]:
    return list(dict.fromkeys(str(head.details["study"]) for head in heads if "study" in head.details))


@dataclass(frozen=True)
class SameTest:
    """The runs of one test: their scores, and what they show against each other."""

    results: list[RunResult]
    stored: Mapping[str, Mapping[str, Scores]]
    """Run → session → its scores, of the sessions that count."""
    store: "Store"
    compare: bool = True
    generalise: str | None = None

    @property
    def test(self) -> str:
        """The test's id."""
        return self.results[0].head.test

    @cached_property
    def labels(self) -> dict[str, str]:
        """Run → what it is called here."""
        return {result.head.id: label_of(result, self.results) for result in self.results}

    @cached_property
    def definition(self) -> Test | None:
        """The test; None where an imported run is read and its test is not installed."""
        return installed_test(self.results[0].head)

    @cached_property
    def tables(self) -> list[ScoreTable]:
        """One table for each score."""
        return [self._table(name) for name in dict.fromkeys(name for one in self.results for name in one.estimated)]

    def _table(self, name: str) -> ScoreTable:
        having = [result for result in self.results if name in result.estimated]
        rows = []
        for result in having:
            found = result.estimated[name]
            means = session_means(self.stored[result.head.id], name).values()
            single = [mean for mean in means if not isnan(mean)]
            label = self.labels[result.head.id]
            rows.append(ScoreRow(label, found.estimate, single, found.account or "all answered", found.sentence))
        return ScoreTable(having[0].estimated[name].score, rows)

    @cached_property
    def compared(self) -> list[Compared]:
        """Every pair on every score, adjusted for their number."""
        if not self.compare:
            return []
        found = []
        for first, second in list(combinations([one.head for one in self.results], 2))[:MOST_PAIRS]:
            one = compare_results(
                (first, second),
                (self.stored[first.id], self.stored[second.id]),
                generalise=self.generalise,
                names=(self.labels[first.id], self.labels[second.id]),
            )
            found += [(one.declared[name], finding) for name, finding in one.findings.items()]
        if not found:
            return []
        adjusted = holm([finding.p for _, finding in found])
        return [
            Compared(score, finding, float(p), bool(kept) and finding.is_claim, adjusted.sentence)
            for (score, finding), p, kept in zip(found, adjusted.adjusted, adjusted.kept, strict=True)
        ]

    def section(self) -> Section:
        """Write the runs up."""
        exhibits = [scores_exhibit(self.tables)] if self.tables else []
        return Section(
            title=self.test,
            brief=answer([self])[0],
            about=self.definition.about if self.definition else "",
            points={"What you can conclude": self._may(), "What you cannot conclude": self._may_not()},
            exhibits=[*exhibits, *self._differences(), *self._own()],
            sources=self._sources(),
            commands=[reproducing(result.head, sum(result.counts.values())) for result in self.results],
        )

    def _own(self) -> list[Exhibit]:
        """Make what the test's own literature shows of the runs."""
        if not self.compare or self.definition is None:
            return []
        groups = [
            run_group(
                self.labels[one.head.id],
                [one.head],
                scores=self.stored[one.head.id],
                estimated=one.estimated,
                store=self.store,
            )
            for one in self.results
        ]
        return shown_by(self.definition, groups)

    def _differences(self) -> list[Exhibit]:
        """Show the comparisons that say something, and count the others."""
        if not self.compared:
            return []
        telling = [one for one in self.compared if one.finding.is_claim or one.finding.small]
        silent = len(self.compared) - len(telling)
        words = [self.compared[0].family]
        if silent:
            words.append(f"{silent} of {len(self.compared)} comparisons do not show who is ahead, and are not listed.")
        return [Exhibit("Is the difference real?", "\n".join(words), COMPARED, [one.row for one in telling])]

    def _may(self) -> list[str]:
        standing: dict[tuple[tuple[str, str], bool, str], list[Compared]] = {}
        for one in self.compared:
            if one.stands:
                above = one.finding.difference.value > 0
                standing.setdefault((one.finding.names, above, one.score.direction), []).append(one)
        if standing:
            return [
                f"{ahead(names, 1 if above else -1, scores=[one.score for one in found])}."
                for (names, above, _), found in standing.items()
            ]
        if self.compared:
            return [
                "There is too little data to say that any two subjects differ, once the number of comparisons is "
                "allowed for. This does not show that they are equal."
            ]
        return ["How well each subject scores, within the intervals of the table."]

    def _may_not(self) -> list[str]:
        said = []
        answered = [one for one in self.results if not one.unanswered]
        failed = {label: n for one in answered if (n := _failed(one)) and (label := self.labels[one.head.id])}
        if failed:
            listed = ", ".join(f"{count} of {label}" for label, count in failed.items())
            said.append(
                f"Sessions that did not finish ({listed}) count with what they earned unless a plan excludes them: "
                "what a subject left unanswered counts as its score declares, what was lost through no fault of its "
                "own counts for nothing."
            )
        said += _differ(self.results)
        estimates = [estimate for result in self.results for estimate in result.scores.values()]
        if len({result.head.instance_hash for result in self.results}) > 1:
            said.append("Not all runs met the same items (see the hashes of their content).")
        if any(estimate.n < 5 for estimate in estimates):
            said.append("Some scores rest on fewer than five units: their intervals are wide, and rightly so.")
        if any(isnan(estimate.low) for estimate in estimates):
            said.append("Where no interval is shown, the error is unknown, not zero.")
        return [*said, "This covers only the tests, parameters and subjects named here."]

    def _sources(self) -> Exhibit:
        rows = [
            (
                result.head.id,
                self.labels[result.head.id],
                result.isolation or None,
                result.head.condition or None,
                "; ".join(filter(None, [_ended(result), result.excluded_words])),
                ", ".join(f"{name} = {value}" for name, value in result.head.parameters.items()),
                f"public: {result.head.seed}" if result.head.seed_public else "secret",
                result.head.instance_hash,
                result.head.environment_hash,
                result.chain or None,
            )
            for result in self.results
        ]
        return Exhibit("Who took what", "", SOURCES, rows)


def label_of(result: RunResult, among: Sequence[RunResult]) -> str:
    """Name a run by what tells it apart from others (`labels_of`)."""
    place = next(place for place, other in enumerate(among) if other.head.id == result.head.id)
    return labels_of([other.head for other in among])[place]


def _differ(results: list[RunResult]) -> list[str]:
    """Return in what runs differ besides who took the test."""
    names = sorted({name for result in results for name in result.head.parameters})
    values = {name: {canonical(result.head.parameters.get(name)) for result in results} for name in names}
    differing = ", ".join(name.replace("_", " ") for name in names if len(values[name]) > 1)
    if differing:
        return [
            f"The runs differ in {differing}: a difference of scores may be due to that as much as to the subjects."
        ]
    versions = {version for result in results for version in result.scoring}
    return (
        ["Not all runs were scored by the same version: a difference may be due to that."] if len(versions) > 1 else []
    )


def _ended(result: RunResult) -> str:
    return ", ".join(f"{n} {status.replace('_', ' ')}" for status, n in result.counts.items() if n)


def _excluded(why: Mapping[str, str]) -> list[str]:
    """List what was excluded by its reason, with the sessions of each."""
    reasons = dict.fromkeys(why.values())
    return [f"{reason}: {', '.join(name for name, one in why.items() if one == reason)}" for reason in reasons]


def _brief(words: str) -> str:
    return " ".join(words.split())[:400]


def _failed(result: RunResult) -> int:
    return sum(count for status, count in result.counts.items() if status not in ("finished", "open"))
