"""Comparing in a program or a notebook: whether two runs differ."""

from typing import TYPE_CHECKING

from mensura.errors import BadParameter
from mensura.library.given import StoreLike, opened
from mensura.library.runs import Runs
from mensura.running.results.compare import compare_runs

if TYPE_CHECKING:
    from mensura.running.results.compare import Comparison


def compare(
    first: str | Runs, second: str | Runs, *, store: StoreLike = None, generalise: str | None = None
) -> "Comparison":
    """Compare two runs on every score that both have, item by item where they met the same items.

    Each is a `Runs` of one, as `runs["chance"]`, or the id of a stored run ("last", "last~1"). `generalise` names the
    population that the differences speak of.

    >>> from tempfile import TemporaryDirectory
    >>> from mensura.library.runs import run
    >>> with TemporaryDirectory() as folder:
    ...     runs = run("coin", ["stated", "chance"], sessions=20, seed=1, store=f"{folder}/x.db")
    ...     found = compare(runs["stated"], runs["chance"])
    >>> found.findings["quadratic_score"].is_claim
    True
    """
    places = [one.store for one in (first, second) if isinstance(one, Runs)]
    ids = [one.result.head.id if isinstance(one, Runs) else one for one in (first, second)]
    if wrong := [one for one in ids if not isinstance(one, str)]:
        raise BadParameter(f"A run is named by its id, or given as one of Runs; got {wrong[0]!r}.")
    with opened(store if store is not None else next(iter(places), None)) as place:
        return compare_runs(ids[0], ids[1], store=place, generalise=generalise)
