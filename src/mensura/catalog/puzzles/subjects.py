"""Reference subjects of the puzzles, each loaded when it is asked for."""

from collections.abc import Callable, Iterator
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

PACKAGE = "mensura.catalog.puzzles.solvers"
PLACES = {
    "series": "series:Series",
    "letters": "letters:Letters",
    "copycat": "copycat:Copycat",
    "evans": "evans:Evans",
    "raven": "raven:Raven",
    "features": "features:Features",
    "rotation": "rotation:RotationSolver",
    "grid-search": "grid_search:GridSearch",
    "lexicon": "lexicon:LexiconSolver",
    "vectors": "vectors:VectorSolver",
    "synthesis": "synthesis:Synthesis",
    "apprentice": "apprentice:Apprentice",
}
"""Name → module and class in `solvers`."""


def solver_class(name: str) -> Any:
    """Return the class of a solver by its name."""
    module, _, attribute = PLACES[name].partition(":")
    return getattr(import_module(f"{PACKAGE}.{module}"), attribute)


def make_solver(name: str, **options: Any) -> Any:
    """Make a solver by its name."""
    return solver_class(name)(**options)


def _present() -> Iterator[str]:
    for name, place in PLACES.items():
        if find_spec(f"{PACKAGE}.{place.partition(':')[0]}") is not None:
            yield name


SUBJECTS: dict[str, Callable[..., Any]] = {name: partial(make_solver, name) for name in _present()}
