"""Compare: whether two runs differ, item by item where they met the same items."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from mensura.data_frame import Form, data_frame
from mensura.dialogue import Score, Scores, undeclared
from mensura.running.results.comparing import compare_samples, shared_sessions
from mensura.running.results.counting import counted
from mensura.running.results.endings import nothing_answered
from mensura.running.results.estimating import Circumstances, Sample, check_population, sample_of, score_names
from mensura.running.results.reducing import reduced_score, reducer_for, same_reducer, with_reducer
from mensura.running.scoring.declared import declared_of
from mensura.scores.natural import wider
from mensura.stats import ScoreDifference, sentence_of
from mensura.stats.population import needs_items
from mensura.store.head import same_seed, same_terms

if TYPE_CHECKING:
    from mensura.store import Store
    from mensura.store.head import RunHead


Results = tuple[Mapping[str, Scores], Mapping[str, Scores]]
"""Of two runs: session → its scores."""


@dataclass(frozen=True)
class Comparison:
    """Two runs side by side: one finding per score that both have."""

    first: str
    second: str
    findings: dict[str, ScoreDifference]
    declared: dict[str, Score] = field(default_factory=dict)
    generalises: dict[str, str] = field(default_factory=dict)
    """Score → what its comparison speaks of."""
    warnings: list[str] = field(default_factory=list)
    with_excluded: dict[str, ScoreDifference] = field(default_factory=dict)
    """The same findings with the sessions that were excluded; empty where none was."""

    @property
    def paired(self) -> bool:
        """Return whether both met the same items or sessions, in every comparison."""
        return bool(self.findings) and all(finding.paired for finding in self.findings.values())

    def to_frame(self, *, form: Form = "pandas") -> Any:
        """Return a row for each score: both sides, their difference with its interval, and whether it is a claim.

        Where sessions were excluded each score has a second row, with `excluded` "included", of all sessions.
        `form` is "pandas", "polars" or "arrow"; each needs its own package, and only that.
        """
        rows = [
            {
                "score": name,
                "excluded": "included" if found is self.with_excluded.get(name) else "left out",
                "first": found.first.value,
                "second": found.second.value,
                "difference": found.difference.value,
                "low": found.difference.low,
                "high": found.difference.high,
                "n": found.difference.n,
                "p": found.p,
                "paired": found.paired,
                "claim": found.is_claim,
                "population": found.difference.population,
                "method": found.difference.method,
            }
            for findings in (self.findings, self.with_excluded)
            for name, found in findings.items()
        ]
        return data_frame(rows, form)

    def chart(self) -> Any:
        """Return an altair chart of the differences with their intervals, a row for each score."""
        import altair

        from mensura.exhibit import COLOURS, INK

        rows = [{"score": name, **found.difference.as_json()} for name, found in self.findings.items()]
        base = altair.Chart(altair.InlineData(rows)).encode(y=altair.Y("score:N", title=None, sort=None))
        bars = base.mark_rule(size=3, color=COLOURS[0]).encode(
            x=altair.X("low:Q", title="difference"), x2=altair.X2("high:Q")
        )
        points = base.mark_point(filled=True, size=90, color=COLOURS[0]).encode(x=altair.X("value:Q"))
        none = (
            altair.Chart(altair.InlineData([{"none": 0}]))
            .mark_rule(color=INK, strokeDash=[4, 4])
            .encode(x=altair.X("none:Q"))
        )
        return none + bars + points

    def _repr_html_(self) -> str:
        """Show the verdict on each score in a notebook."""
        from html import escape

        said = [found.sentence for found in self.findings.values()]
        lines = [f"<li>{escape(sentence)}</li>" for sentence in [*said, *self.warnings]]
        return f"<p><b>{escape(self.first)}</b> against <b>{escape(self.second)}</b></p><ul>{''.join(lines)}</ul>"

    def as_json(self) -> dict[str, Any]:
        """Return the comparison as JSON."""
        return {
            "first": self.first,
            "second": self.second,
            "paired": self.paired,
            "warnings": self.warnings,
            "scores": {
                name: {
                    "difference": finding.difference.as_json(),
                    "first": finding.first.as_json(),
                    "second": finding.second.as_json(),
                    "p": None if np.isnan(finding.p) else finding.p,
                    "p_permutation": None if np.isnan(finding.p_permutation) else finding.p_permutation,
                    "paired": finding.paired,
                    "claim": finding.is_claim,
                    "population": finding.difference.population,
                    "generalises": self.generalises[name],
                    "better": self.declared[name].better,
                    "declared": self.declared[name].as_json(),
                    "sentence": finding.sentence,
                    **({"with_excluded": self.with_excluded[name].as_json()} if name in self.with_excluded else {}),
                }
                for name, finding in self.findings.items()
            },
        }


def compare_runs(
    first: str, second: str, *, store: "Store", generalise: str | None = None, reduce: str | None = None
) -> Comparison:
    """Compare two stored runs on every score that both have; `reduce` makes one number of all answers to an item."""
    one, other = (with_reducer(store.runs.find(run), reduce, generalise=generalise) for run in (first, second))
    heads = one, other
    first_side, second_side = (counted(head, store=store) for head in heads)
    found = compare_results(heads, (first_side.scores, second_side.scores), generalise=generalise)
    sides = first_side, second_side
    names = _label(one, other), _label(other, one)
    empty = [nothing_answered(who, [side.head], store=store) for who, side in zip(names, sides, strict=True)]
    found = replace(found, warnings=[*filter(None, empty), *found.warnings])
    out = [f"{side.head.id}: {side.words}." for side in sides if side.why]
    if not out:
        return found
    whole = compare_results(heads, (first_side.everything, second_side.everything), generalise=generalise)
    out += [
        f"{name} cannot be compared without the excluded sessions. With them: {one.sentence}"
        for name, one in whole.findings.items()
        if name not in found.findings
    ]
    return replace(found, warnings=[*out, *found.warnings], with_excluded=whole.findings)


def compare_results(
    heads: tuple["RunHead", "RunHead"],
    results: Results,
    *,
    generalise: str | None = None,
    names: tuple[str, str] | None = None,
) -> Comparison:
    """Compare the results of two runs, session → scores; `names` are what the runs are called in sentences.

    Items are paired by their content, whatever the seed or the order; sessions and courses are paired where they
    administered the same. What has no partner is left out and counted, and runs that met other items are compared as
    two samples.
    """
    names = names or (_label(heads[0], heads[1]), _label(heads[1], heads[0]))
    shared = shared_sessions(*results, same_seed=same_seed(*heads), same_terms=same_terms(*heads))
    reduced_by = same_reducer(*heads)
    declared = _declared_by_both(*(declared_of(head, side) for head, side in zip(heads, results, strict=True)))
    population = None if generalise is None else check_population(generalise, *map(Circumstances.of, heads))
    findings: dict[str, ScoreDifference] = {}
    generalises: dict[str, str] = {}
    warnings = _warnings(heads[0], heads[1], results)
    others = score_names(results[1].values())
    for name in [name for name in score_names(results[0].values()) if name in others]:
        score = declared.setdefault(name, undeclared(name))
        samples = [
            sample_of(side, name, circumstances=Circumstances.of(head)).reduced_for(score)
            for head, side in zip(heads, results, strict=True)
        ]
        score = declared[name] = reduced_score(score, reducer_for(score, reduced_by))
        if any(_unbounded(sample) for sample in samples):
            warnings.append(f"{name} cannot be compared: some items scored without bound.")
            continue
        found = compare_samples(samples[0], samples[1], score=score, names=names, shared=shared, generalise=population)
        findings[name] = found
        few = min(samples, key=lambda sample: sample.each.count("sessions")).each
        if found.paired and needs_items(found.difference.population):
            both = set(samples[0].known.names("items")) & set(samples[1].known.names("items"))
            few = few.only("items", sorted(both))
        generalises[name] = sentence_of(found.difference.population, few)
    return Comparison(heads[0].id, heads[1].id, findings, declared, generalises, warnings)


def _declared_by_both(first: Mapping[str, Score], second: Mapping[str, Score]) -> dict[str, Score]:
    """Join what two runs declare: a score that is right or wrong in one and a share in the other is a share."""
    return {**second, **{name: wider(one, second.get(name, one)) for name, one in first.items()}}


def _unbounded(sample: Sample) -> bool:
    return bool(np.isinf(sample.rows.values).any())


def _label(head: "RunHead", other: "RunHead") -> str:
    subjects = ", ".join(head.who)
    theirs = ", ".join(other.who)
    return subjects if subjects != theirs else f"{subjects} ({head.id})"


def _warnings(first: "RunHead", second: "RunHead", results: Results) -> list[str]:
    warnings = []
    scoring = [{scores.scoring for scores in side.values()} for side in results]
    if first.test != second.test:
        warnings.append(f"The runs are of different tests: {first.test} and {second.test}.")
    elif not same_terms(first, second):
        warnings.append("The runs have different parameters; a difference may come from those.")
    elif scoring[0] != scoring[1] and all(scoring):
        warnings.append("The runs were scored by different versions; a difference may come from those.")
    for head, side in zip((first, second), results, strict=True):
        lost = sum(scores.tally.get("lost", 0) for scores in side.values())
        if lost:
            warnings.append(f"{lost} asks of {head.id} were lost and are not compared: mensura resume {head.id}")
    if first.environment_hash != second.environment_hash:
        warnings.append("The runs were made with different packages.")
    return warnings
