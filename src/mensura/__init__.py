"""Mensura: anyone or anything takes a test, and the record becomes a score one can trust.

    import mensura as m
    runs = m.run("coin", ["chance", my_function], sessions=50)
    runs.to_frame(), runs.chart(), runs.report("report.html"), m.compare(runs[0], runs[1])

The contract of tests is in `mensura.dialogue`; all of it that authors need is exported here too.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from mensura.dialogue import (
    Action,
    Allocation,
    Ask,
    Bank,
    Break,
    Call,
    Chart,
    Choice,
    Circle,
    Density,
    Distribution,
    File,
    Grid,
    Item,
    Items,
    Likert,
    Limits,
    Map,
    Number,
    Outcome,
    Point,
    Probability,
    Readings,
    Record,
    Round,
    Save,
    Score,
    Scores,
    Sees,
    Space,
    Table,
    TableView,
    Test,
    Text,
    Timing,
    Tool,
    Vector,
    test,
)
from mensura.library.gymnasium_envs import offer_tests

if TYPE_CHECKING:
    from mensura.catalog.bank.dialogue import bank
    from mensura.catalog.find import find_test, list_tests
    from mensura.exhibit import Exhibit, Figure
    from mensura.library.calibrating import calibrate
    from mensura.library.comparing import compare
    from mensura.library.items import items
    from mensura.library.runs import Runs, find_runs, run
    from mensura.library.taking import take
    from mensura.running.check import check_test
    from mensura.running.course import run_courses
    from mensura.running.environment.environment import as_env, as_parallel_env
    from mensura.running.run import RunOptions
    from mensura.stats import Estimate
    from mensura.store import open_store
    from mensura.subjects import SubjectSpec

# Loaded when first used, so that `import mensura` stays quick.
LAZY = {
    "Estimate": "mensura.stats",
    "Exhibit": "mensura.exhibit",
    "Figure": "mensura.exhibit",
    "RunOptions": "mensura.running.run",
    "Runs": "mensura.library.runs",
    "SubjectSpec": "mensura.subjects",
    "as_env": "mensura.running.environment.environment",
    "as_parallel_env": "mensura.running.environment.environment",
    "bank": "mensura.catalog.bank.dialogue",
    "calibrate": "mensura.library.calibrating",
    "check_test": "mensura.running.check",
    "compare": "mensura.library.comparing",
    "find_runs": "mensura.library.runs",
    "find_test": "mensura.catalog.find",
    "items": "mensura.library.items",
    "list_tests": "mensura.catalog.find",
    "open_store": "mensura.store",
    "run": "mensura.library.runs",
    "run_courses": "mensura.running.course",
    "take": "mensura.library.taking",
}

__all__ = [
    "Action",
    "Allocation",
    "Ask",
    "Bank",
    "Break",
    "Call",
    "Chart",
    "Choice",
    "Circle",
    "Density",
    "Distribution",
    "Estimate",
    "Exhibit",
    "Figure",
    "File",
    "Grid",
    "Item",
    "Items",
    "Likert",
    "Limits",
    "Map",
    "Number",
    "Outcome",
    "Point",
    "Probability",
    "Readings",
    "Record",
    "Round",
    "RunOptions",
    "Runs",
    "Save",
    "Score",
    "Scores",
    "Sees",
    "Space",
    "SubjectSpec",
    "Table",
    "TableView",
    "Test",
    "Text",
    "Timing",
    "Tool",
    "Vector",
    "as_env",
    "as_parallel_env",
    "bank",
    "calibrate",
    "check_test",
    "compare",
    "find_runs",
    "find_test",
    "items",
    "list_tests",
    "open_store",
    "run",
    "run_courses",
    "take",
    "test",
]


def __getattr__(name: str) -> Any:
    if name == "__version__":
        from importlib.metadata import version

        return version("mensura")
    if name in LAZY:
        return getattr(import_module(LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return __all__


offer_tests()
