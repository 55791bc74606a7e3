"""Compare: whether two runs differ, item by item where they had the same items."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from mensura.dialogue import Items, Scores
from mensura.running.scoring import is_proportion, session_means
from mensura.stats import paired_difference, record_generator

if TYPE_CHECKING:
    from mensura.store import Store
    from mensura.store.head import RunHead


@dataclass(frozen=True)
class Comparison:
    """Two runs side by side: one finding per score that both have."""

    first: str
    second: str
    paired: bool
    findings: dict[str, Any]
    warnings: list[str] = field(default_factory=list)

    def as_json(self) -> dict[str, Any]:
        """Give the comparison as JSON."""
        return {
            "first": self.first,
            "second": self.second,
            "paired": self.paired,
            "warnings": self.warnings,
            "scores": {
                name: {"difference": finding.difference.as_json(), "p": finding.p, "sentence": finding.sentence}
                for name, finding in self.findings.items()
            },
        }


def compare_runs(first: str, second: str, *, store: "Store") -> Comparison:
    """Compare two runs on every score that both have.

    Runs of the same instance with the same seed met the same items, and are compared item by item; others are
    compared session by session, as independent samples.
    """
    heads = store.run(first), store.run(second)
    scores = [store.results(head.id) for head in heads]
    paired = heads[0].seed == heads[1].seed and heads[0].instance_hash == heads[1].instance_hash
    names = (_label(heads[0], heads[1]), _label(heads[1], heads[0]))
    shared = [name for name in _names(scores[0]) if name in _names(scores[1])]
    unbounded = [name for name in shared if any(_unbounded(results, name) for results in scores)]
    findings = {
        name: _paired(scores, name, names) if paired else _unpaired(scores, name, names)
        for name in shared
        if name not in unbounded
    }
    warnings = [f"{name} cannot be compared: some items scored without bound." for name in unbounded]
    return Comparison(heads[0].id, heads[1].id, paired, findings, _warnings(*heads) + warnings)


def _unbounded(results: dict[str, Scores], name: str) -> bool:
    return any(abs(value) == float("inf") for value in _by_item(results, name).values())


def _label(head: "RunHead", other: "RunHead") -> str:
    subjects = ", ".join(dict.fromkeys(head.cast.values()))
    theirs = ", ".join(dict.fromkeys(other.cast.values()))
    return subjects if subjects != theirs else f"{subjects} ({head.id})"


def _warnings(first: "RunHead", second: "RunHead") -> list[str]:
    warnings = []
    if first.test != second.test:
        warnings.append(f"The runs are of different tests: {first.test} and {second.test}.")
    elif first.instance_hash != second.instance_hash:
        warnings.append("The runs have other parameters or scoring; a difference may come from those.")
    if first.environment_hash != second.environment_hash:
        warnings.append("The runs were made with other packages.")
    return warnings


def _names(results: dict[str, Scores]) -> list[str]:
    return list(dict.fromkeys(name for scores in results.values() for name in scores.values))


def _paired(scores: list[dict[str, Scores]], name: str, names: tuple[str, str]) -> Any:
    """Pair items by session address and key; sessions are the units where there are several."""
    sessions = any(len(results) > 1 for results in scores)
    pairs = [_by_address(results, name) if sessions else _by_item(results, name) for results in scores]
    return paired_difference(
        first=pairs[0],
        second=pairs[1],
        names=names,
        rng=record_generator(*(list(values.values()) for values in pairs)),
        proportion=is_proportion(scores[0], name),
        unit="session" if sessions else "item",
    )


def _by_item(results: dict[str, Scores], name: str) -> dict[str, float]:
    items: dict[str, float] = {}
    for session, scores in results.items():
        address = session.rsplit("/", 1)[-1]
        value = scores.values.get(name)
        if isinstance(value, Items):
            keys = value.keys or [str(i) for i in range(len(value.values))]
            items |= {f"{address}/{key}": float(number) for key, number in zip(keys, value.values, strict=True)}
        elif value is not None:
            items[f"{address}/"] = float(value)
    return items


def _by_address(results: dict[str, Scores], name: str) -> dict[str, float]:
    return {session.rsplit("/", 1)[-1]: mean for session, mean in session_means(results, name).items()}


def _unpaired(scores: list[dict[str, Scores]], name: str, names: tuple[str, str]) -> Any:
    from mensura.stats.two_sample import two_sample_difference

    samples = [_by_address(results, name) for results in scores]
    if min(len(sample) for sample in samples) < 2:
        samples = [_by_item(results, name) for results in scores]
    first, second = (list(sample.values()) for sample in samples)
    return two_sample_difference(first=first, second=second, names=names)
