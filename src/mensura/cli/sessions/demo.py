"""`make demo`: several subjects take every test of the catalog, for real, and a report is written."""

import sys
import tempfile
from pathlib import Path

from mensura.catalog.find import find_test, list_tests
from mensura.cli.printing import print_result
from mensura.cli.progress import progress_bar
from mensura.console import say
from mensura.dialogue import Test
from mensura.errors import MensuraError
from mensura.report import write_report
from mensura.report.content import build_report
from mensura.running.run import RunOptions, run
from mensura.store import Store, open_store

SEED = 1
MOST_SUBJECTS = 3


def main() -> None:
    """Run the comparison in a store of its own, print the tables, write report.html and say how to look at it."""
    path = Path("report.html")
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "demo.db") as store:
        runs = [run_id for name in list_tests() for run_id in _compare(find_test(name), store)]
        question = "How do a few simple subjects do on every test of the catalog?"
        write_report(build_report(runs, store=store, question=question, title="Mensura: a first look"), path)
    say(f"\nWrote {path.resolve()}: open it in a browser to see pictures, intervals and which differences are real.")
    say("Next: .venv/bin/mensura take coin --as terminal, or .venv/bin/mensura list")


def _compare(test: Test, store: Store) -> list[str]:
    """Let chance and some reference subjects take one test, in its quick setting where it has one."""
    setting = "demo" if "demo" in test.settings else None
    sessions = 5
    subjects = ["chance", *list(test.subjects)[:MOST_SUBJECTS]]
    runs = []
    for subject in dict.fromkeys(subjects):
        with progress_bar(sessions) as progress:
            options = RunOptions(progress=progress)
            result = run(test.id, subject, store=store, sessions=sessions, seed=SEED, setting=setting, options=options)
        print_result(result)
        runs.append(result.head.id)
    return runs


if __name__ == "__main__":
    try:
        main()
    except MensuraError as error:
        sys.exit(f"mensura: {error}")
