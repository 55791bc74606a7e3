"""`make demo`: one question answered for real, every other test of the catalog beside it, and a report of both."""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

import click

from mensura.catalog.find import find_test, list_tests
from mensura.cli.progress import progress_bar
from mensura.console import next_step, say
from mensura.dialogue import Test
from mensura.errors import BadParameter, MensuraError, MissingExtra
from mensura.report import write_report
from mensura.report.runs import build_report
from mensura.running.run import RunOptions, run
from mensura.store import Store, open_store

SEED = 1
MOST_SUBJECTS = 3
QUICK = ("demo", "tiny")
EPISODES = 5
STORY = "coin-v1"
FORECASTERS = ("stated", "overconfident", "half", "chance")
TITLE = "Which forecaster should we listen to?"
QUESTION = (
    "Forty times, four forecasters are told how likely each of twenty coins is to fall heads. One says what it was "
    "told, one is too sure, one always says one half, one guesses. Is the difference real, or luck?"
)


def main() -> None:
    """Answer the question in a store of its own, look at every other test, write report.html and say what it says."""
    path = Path("report.html")
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder) / "demo.db") as store:
        say(QUESTION)
        runs = _taken(find_test(STORY), FORECASTERS, store, sessions=40)
        for test in map(find_test, list_tests()):
            if test.id == STORY:
                continue
            try:
                runs += _taken(test, ["chance", *list(test.subjects)[:MOST_SUBJECTS]], store, sessions=5)
            except (MissingExtra, BadParameter) as lacking:
                # Some tests need what a first look does not install.
                say(f"{test.id} is left out. {lacking}")
        report = build_report(runs, store=store, question=QUESTION, title=TITLE)
        write_report(report, path)
    for words in report.answer:
        click.echo(words)
    say(f"\nWrote {path.resolve()}: open it in a browser for the picture, the intervals and all other tests.")
    next_step(".venv/bin/mensura take coin --as terminal, or .venv/bin/mensura list")


def _taken(test: Test, subjects: Sequence[str], store: Store, *, sessions: int) -> list[str]:
    """Let subjects take one test, in its quick setting or with few episodes where it has any."""
    setting = next((name for name in QUICK if name in test.settings), None)
    parameters = {"episodes": EPISODES} if "episodes" in test.parameters else {}
    runs = []
    for subject in dict.fromkeys(subjects):
        say(f"{test.id} taken by {subject} ...")
        with progress_bar(sessions) as progress:
            options = RunOptions(progress=progress)
            result = run(
                test.id,
                subject,
                store=store,
                sessions=sessions,
                seed=SEED,
                parameters=parameters,
                setting=setting,
                options=options,
            )
        runs.append(result.head.id)
    return runs


if __name__ == "__main__":
    try:
        main()
    except MensuraError as error:
        sys.exit(f"mensura: {error}")
