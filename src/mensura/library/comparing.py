"""Comparing in a program or a notebook: whether two runs differ."""

from typing import TYPE_CHECKING

from mensura.library.given import StoreLike, opened
from mensura.library.runs import RunLike, Runs, given_ids
from mensura.running.results.compare import compare_runs

if TYPE_CHECKING:
    from mensura.running.results.compare import Comparison


def compare(
    first: RunLike,
    second: RunLike,
    *,
    store: StoreLike = None,
    generalise: str | None = None,
    reduce: str | None = None,
) -> "Comparison":
    """Compare two runs on every score that both have, item by item where they met the same items.

    Each is a `Runs` of one, as `runs["chance"]`, its result, or the id of a stored run ("last", "last~1").
    `generalise` names the population that the differences speak of, `reduce` what makes one number of all answers to an
    item of a bank (`mensura.stats.read_reducer`).

    >>> from tempfile import TemporaryDirectory
    >>> from mensura.library.runs import run
    >>> with TemporaryDirectory() as folder:
    ...     runs = run("coin", ["stated", "chance"], sessions=20, seed=1, store=f"{folder}/x.db")
    ...     found = compare(runs["stated"], runs["chance"])
    >>> found.findings["quadratic_score"].is_claim
    True
    """
    places = [one.store for one in (first, second) if isinstance(one, Runs)]
    ids = [given_ids(one.result if isinstance(one, Runs) else one)[0] for one in (first, second)]
    with opened(store if store is not None else next(iter(places), None)) as place:
        return compare_runs(ids[0], ids[1], store=place, generalise=generalise, reduce=reduce)
