"""Content: what a report says, before it is laid out as a page, as Markdown or on paper."""

import time
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from math import isnan
from typing import TYPE_CHECKING

from mensura.dialogue import Score, Scores
from mensura.dialogue.canonical import canonical
from mensura.errors import MensuraError
from mensura.exhibit import Exhibit
from mensura.running.reference import definition_of
from mensura.running.results.compare import compare_runs
from mensura.running.results.exhibits import run_group, shown_by
from mensura.running.results.summary import RunResult, summarise_run
from mensura.running.scoring.scoring import session_means
from mensura.stats import Estimate, holm
from mensura.stats.wording import attributed

if TYPE_CHECKING:
    from mensura.store import RunHead, Store

MOST_PAIRS = 45
Stored = Mapping[str, Mapping[str, Scores]]
"""Run → session → its scores, of the sessions that count."""


@dataclass(frozen=True)
class ScoreRow:
    """One subject's estimate of one score."""

    label: str
    run: str
    estimate: Estimate
    per_session: list[float]
    account: str = ""
    """What became of what was asked, where not all of it was answered."""
    generalises: str = ""


@dataclass(frozen=True)
class ScoreTable:
    """One score of one test, for all who took it."""

    score: Score
    rows: list[ScoreRow]

    @property
    def name(self) -> str:
        """The name of the score."""
        return self.score.name

    @property
    def beneath(self) -> list[str]:
        """What must be said beneath the table: what rows generalise to, and the notes of their estimates."""
        populations = {row.label: row.generalises for row in self.rows}
        return [*attributed(populations), *attributed({row.label: row.estimate.note for row in self.rows})]


@dataclass(frozen=True)
class Difference:
    """Two runs compared on one score, with the p-value adjusted for the number of comparisons in the report."""

    score: str
    sentence: str
    adjusted_p: float
    stands: bool
    verdict: str = ""
    """Of a hypothesis: supported, contradicted, undecided or not tested."""

    @property
    def answer(self) -> str:
        """What a table says of it."""
        return self.verdict or ("yes" if self.stands else "no")


@dataclass(frozen=True)
class Section:
    """One test: who took it under which condition, the scores, and which differences are real."""

    test: str
    about: str
    runs: list[RunResult]
    scores: list[ScoreTable]
    differences: list[Difference]
    family: str
    """What the adjustment for many comparisons promises, in words; empty where nothing was compared."""
    may: list[str]
    may_not: list[str]


@dataclass(frozen=True)
class Report:
    """What a report says."""

    title: str
    question: str
    sections: list[Section]
    failures: list[str]
    exclusions: list[str] = field(default_factory=list)
    written: float = 0.0
    simulated: bool = False
    plan: list[str] = field(default_factory=list)
    """Of a study: what was written down before the data."""
    planned: list[Difference] = field(default_factory=list)
    exploratory: list[Difference] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    exhibits: list[Exhibit] = field(default_factory=list)
    """What the tests' own literature would show of it."""


def build_report(
    runs: Sequence[str],
    *,
    store: "Store",
    question: str = "",
    title: str = "",
    exclusions: Sequence[str] = (),
    compare: bool = True,
    left_out: Collection[str] = (),
    generalise: str | None = None,
) -> Report:
    """Gather everything that stored runs support: scores with intervals, comparisons, failures, provenance.

    With `compare` off nothing is compared here, because a study's plan says what is; `left_out` are sessions that its
    plan does not count; `generalise` is the population that scores and comparisons speak of.
    """
    heads = list({head.id: head for head in map(store.run, runs)}.values())
    stored = {
        head.id: {session: scores for session, scores in store.results(head.id).items() if session not in left_out}
        for head in heads
    }
    results = [summarise_run(head, store=store, scores=stored[head.id], generalise=generalise) for head in heads]
    tests = list(dict.fromkeys(result.head.test for result in results))
    made = _Maker(stored, store, compare, generalise)
    sections = [made.section(test, [r for r in results if r.head.test == test]) for test in tests]
    failures = [words for result in results for words in result.last_words]
    shown = [exhibit for test in tests for exhibit in made.exhibits([r for r in results if r.head.test == test])]
    return Report(
        title=title or f"Scores on {', '.join(tests)}",
        question=question or "Who scores how well, and which differences are real?",
        sections=sections,
        failures=failures,
        exclusions=list(exclusions),
        written=time.time(),
        simulated=any(result.head.details.get("simulated") for result in results),
        exhibits=shown if compare else [],
    )


def label_of(result: RunResult, among: Sequence[RunResult]) -> str:
    """Name a run by its cell in a study, else by its subject, and by its condition and id where that is not enough."""

    def subject(one: RunResult) -> str:
        return " against ".join(one.head.who)

    cells = [str(other.head.details.get("cell", "")) for other in among]
    if all(cells) and len(set(cells)) == len(cells):
        return str(result.head.details["cell"])
    label = subject(result)
    alike = [other for other in among if subject(other) == label]
    if len(alike) > 1 and result.head.condition:
        label = f"{label}, {result.head.condition}"
        alike = [other for other in alike if other.head.condition == result.head.condition]
    return label if len(alike) == 1 else f"{label} ({result.head.id})"


@dataclass(frozen=True)
class _Maker:
    """Makes the sections of a report from stored scores."""

    stored: Stored
    store: "Store"
    compare: bool
    generalise: str | None

    def section(self, test: str, results: list[RunResult]) -> Section:
        """Gather what the runs of one test support."""
        names = list(dict.fromkeys(name for result in results for name in result.estimated))
        tables = [self._table(name, results) for name in names]
        differences, family = self._differences(results) if self.compare else ([], "")
        about = _about(results[0].head)
        return Section(test, about, results, tables, differences, family, _may(differences), _may_not(results))

    def exhibits(self, results: list[RunResult]) -> list[Exhibit]:
        """Make what the test's own literature shows of the runs."""
        try:
            test = definition_of(results[0].head)
        except MensuraError:
            return []
        groups = [
            run_group(
                label_of(result, results),
                [result.head],
                scores=self.stored[result.head.id],
                estimated=result.estimated,
                store=self.store,
            )
            for result in results
        ]
        return shown_by(test, groups)

    def _table(self, name: str, among: list[RunResult]) -> ScoreTable:
        having = [result for result in among if name in result.estimated]
        rows = []
        for result in having:
            found = result.estimated[name]
            single = _known(session_means(self.stored[result.head.id], name))
            label = label_of(result, among)
            rows.append(ScoreRow(label, result.head.id, found.estimate, single, found.account, found.sentence))
        return ScoreTable(having[0].estimated[name].score, rows)

    def _differences(self, results: list[RunResult]) -> tuple[list[Difference], str]:
        pairs = list(combinations(results, 2))[:MOST_PAIRS]
        found = []
        for first, second in pairs:
            comparison = compare_runs(first.head.id, second.head.id, store=self.store, generalise=self.generalise)
            found += [(comparison.declared[name], finding) for name, finding in comparison.findings.items()]
        if not found:
            return [], ""
        adjusted = holm([finding.p for _, finding in found])
        differences = [
            Difference(f"{score.title} ({score.direction})", finding.sentence, p, kept)
            for (score, finding), p, kept in zip(found, adjusted.adjusted, adjusted.kept, strict=True)
        ]
        return differences, adjusted.sentence


def _about(head: "RunHead") -> str:
    try:
        return definition_of(head).about
    except MensuraError:
        # The report of an imported run is written where its test need not be installed.
        return ""


def _known(means: Mapping[str, float]) -> list[float]:
    return [mean for mean in means.values() if not isnan(mean)]


def _may(differences: list[Difference]) -> list[str]:
    standing = [difference for difference in differences if difference.stands]
    if standing:
        return [f"On {difference.score}: {difference.sentence}" for difference in standing]
    if differences:
        return [
            "There is too little data to say that any two subjects differ, once the number of comparisons is allowed "
            "for. That is not evidence that they are equal: each comparison says how much data would be needed."
        ]
    return ["How well each subject scores, within the intervals of the tables."]


def _may_not(results: list[RunResult]) -> list[str]:
    said = []
    failed = {result.head.id: _failed(result) for result in results if _failed(result)}
    if failed:
        listed = ", ".join(f"{count} in {run}" for run, count in failed.items())
        said.append(
            f"Sessions that did not finish ({listed}) count with what they earned unless a plan leaves them out: what "
            "a subject left unanswered counts as its score declares, what was lost by no fault of its own for nobody."
        )
    if differ := _differ(results):
        said.append(differ)
    if len({result.head.instance_hash for result in results}) > 1:
        said.append("Not all runs met the same items (see the hashes of their content).")
    if any(estimate.n < 5 for result in results for estimate in result.scores.values()):
        said.append("Some scores rest on fewer than five units: their intervals are wide, and rightly so.")
    if any(isnan(estimate.low) for result in results for estimate in result.scores.values()):
        said.append("Where no interval is shown, the error is unknown, not zero.")
    said.append("Nothing is said about tests, parameters or subjects other than those named here.")
    return said


def _differ(results: list[RunResult]) -> str:
    """Say in what runs differ besides who took the test."""
    names = sorted({name for result in results for name in result.head.parameters})
    values = {name: {canonical(result.head.parameters.get(name)) for result in results} for name in names}
    differing = [name.replace("_", " ") for name in names if len(values[name]) > 1]
    if not differing:
        versions = {version for result in results for version in result.scoring}
        return "Not all runs were scored by one version: a difference may come of that." if len(versions) > 1 else ""
    return (
        f"The runs differ in {', '.join(differing)}: a difference of scores may come of that as much as of who took it."
    )


def _failed(result: RunResult) -> int:
    return sum(count for status, count in result.counts.items() if status not in ("finished", "open"))
