"""Mensura: anyone or anything takes a test, and the record becomes a score one can trust.

The contract is in `mensura.dialogue`; what is exported here is what most programs need.
"""

from importlib import import_module
from typing import Any

from mensura.dialogue import Ask, Bank, Break, Item, Items, Outcome, Round, Save, Score, Scores, test

# Loaded when first used, so that `import mensura` stays quick.
LAZY = {
    "bank": "mensura.catalog.bank.dialogue",
    "check_test": "mensura.running.check",
    "compare_runs": "mensura.running.results.compare",
    "find_test": "mensura.catalog.find",
    "list_tests": "mensura.catalog.find",
    "open_store": "mensura.store",
    "run": "mensura.running.run",
    "run_courses": "mensura.running.course",
    "take": "mensura.running.take",
}

__all__ = [
    "Ask",
    "Bank",
    "Break",
    "Item",
    "Items",
    "Outcome",
    "Round",
    "Save",
    "Score",
    "Scores",
    "bank",
    "check_test",
    "compare_runs",
    "find_test",
    "list_tests",
    "open_store",
    "run",
    "run_courses",
    "take",
    "test",
]


def __getattr__(name: str) -> Any:
    if name in LAZY:
        return getattr(import_module(LAZY[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
