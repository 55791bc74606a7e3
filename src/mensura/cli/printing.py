"""How results are printed: tables for people on stderr or stdout, JSON for machines on stdout."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import click

from mensura.console import print_json, printable, say
from mensura.dialogue import Score, undeclared
from mensura.exhibit import Exhibit, FileScores
from mensura.report.account import spent_words
from mensura.running.results.summary import RunResult
from mensura.stats import Estimate
from mensura.stats.wording import attributed, several

MOST_ENDS = 5
"""Ways in which sessions ended that are shown; the rest is counted."""
COLUMNS = ("value", "95 % interval", "n", "better", "generalises to", "method")


def print_result(result: RunResult, *, as_json: bool = False) -> None:
    """Print the scores of a run as a table with intervals, n and method, or as JSON, and say what went wrong."""
    if as_json:
        print_json(result.as_json())
    else:
        _print_table(result)
        _print_accounts(result)
    head = result.head
    counts = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in result.counts.items() if count)
    out = f"; {result.excluded_words}" if result.excluded else ""
    say(f"Sessions: {counts or 'none'}{out}. Seed {'public' if head.seed_public else 'secret'}.")
    for words in _bank_words(head.details.get("bank", {})):
        say(words)
    if result.isolation:
        say(f"Isolation: {result.isolation}.")
    say(f"Instance {head.instance_hash}, environment {head.environment_hash}.")
    if result.chain:
        say(f"Chain {result.chain}.")
    if result.spent:
        say(f"{spent_words(result.spent)}.")
    if result.asked_again:
        say(f"At most {several(result.asked_again, 'request')} paid twice: on their way when the run was stopped.")
    if result.stopped:
        say(result.stopped)
    if result.counts.get("finished") and not result.scores:
        say("Nothing was scored: no ask carried a truth or a reward, or the scoring gave no scores.")
    ends = _alike(result.last_words)
    for words in [*ends[:MOST_ENDS], *result.declined]:
        say(f"  {_first_and_last(words)}")
    if len(ends) > MOST_ENDS:
        say(f"  Sessions ended in {len(ends) - MOST_ENDS} more ways: mensura serve shows each.")


def _alike(last_words: Iterable[str]) -> list[str]:
    """Say once what several sessions ended with.

    >>> _alike(["a/1: No key.", "a/2: Late.", "a/3: No key."])
    ['a/1 and 1 more: No key.', 'a/2: Late.']
    """
    found: dict[str, list[str]] = {}
    for line in last_words:
        session, _, words = line.partition(": ")
        found.setdefault(words, []).append(session)
    more = {words: f" and {len(all_of) - 1} more" if len(all_of) > 1 else "" for words, all_of in found.items()}
    return [f"{all_of[0]}{more[words]}: {words}" for words, all_of in found.items()]


def print_exhibits(exhibits: Iterable[Exhibit]) -> None:
    """Print tables and what they say; of a picture the sentence that stands for it."""
    for exhibit in exhibits:
        click.echo(f"\n{printable(exhibit.title)}")
        if exhibit.rows:
            _print_rows(exhibit.columns, exhibit.lines)
        pictured = [figure.words for figure in exhibit.figures if not exhibit.rows]
        for words in filter(None, [exhibit.words, *pictured, *exhibit.notes]):
            click.echo(printable(words))


def print_file_scores(found: FileScores, *, as_json: bool) -> None:
    """Print what a scorer of files found: the answer, a table of scores, its exhibits; remarks on stderr."""
    if as_json:
        print_json(found.as_json())
    else:
        click.echo(printable(found.answer))
        declared = {score.name: score for score in found.declared}
        estimates = {
            (group.name, declared.get(name) or undeclared(name)): estimate
            for group in found.groups
            for name, estimate in group.estimates.items()
        }
        if estimates:
            rows = [[who, score.title, *_cells(score, estimate)] for (who, score), estimate in estimates.items()]
            _print_rows(("who", "score", *COLUMNS), rows)
        for words in attributed({f"{who}, {one.title}": [made.note] for (who, one), made in estimates.items()}):
            say(words)
        print_exhibits(found.exhibits)
    for remark in found.remarks:
        say(remark)


def estimate_cells(estimate: Estimate) -> list[str]:
    """Write an estimate as three cells: value, interval and n."""
    interval = f"{estimate.low:.4g} to {estimate.high:.4g}" if estimate.has_interval else "unknown"
    return [f"{estimate.value:.4g}" if estimate.value == estimate.value else "unknown", interval, str(estimate.n)]


def _print_rows(columns: Sequence[str], rows: Iterable[Sequence[str]], title: str | None = None) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(title=title, title_justify="left", box=None, pad_edge=False)
    for column in columns:
        table.add_column(Text(column), justify="right" if column == "value" else "left")
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    Console(file=sys.stdout, width=None if sys.stdout.isatty() else 140).print(table)


def _print_table(result: RunResult) -> None:
    rows = [[name, *_cells(found.score, found.estimate)] for name, found in result.estimated.items()]
    if rows:
        _print_rows(
            ("score", *COLUMNS), rows, f"{result.head.test} taken by {', '.join(result.head.who)} ({result.head.id})"
        )


def _cells(score: Score, estimate: Estimate) -> list[str]:
    return [*estimate_cells(estimate), _better(score), estimate.population, estimate.method]


def _better(score: Score) -> str:
    if score.best is not None:
        return f"at {score.best:g}"
    return {"more": "larger", "less": "smaller"}.get(score.better or "", "neither")


def _print_accounts(result: RunResult) -> None:
    """Say what the scores generalise to, what was not answered, and what must be said beside an interval."""
    for words in attributed({name: [found.account] for name, found in result.estimated.items()}):
        say(f"Asked: {words}.")
    for sentence in dict.fromkeys(found.sentence for found in result.estimated.values() if found.sentence):
        say(sentence)
    for words in attributed({name: [found.estimate.note] for name, found in result.estimated.items()}):
        say(f"Note: {words}")
    if len(result.scoring) > 1:
        say(f"Note: sessions were scored by different versions: {', '.join(result.scoring)}.")
    elif result.scoring and result.scoring[0] != result.head.details.get("scoring", result.scoring[0]):
        say(f"Note: taken under scoring {result.head.details['scoring']}, scored by {result.scoring[0]}.")


def _bank_words(bank: Mapping[str, Any]) -> Iterator[str]:
    """Say how many items were asked without an answer to score them by, and how many rows are not items."""
    if unscored := bank.get("unscored"):
        yield f"Items without an answer: {unscored}; they were asked and not scored."
    if left_out := bank.get("left_out"):
        yield f"Rows that are left out: {left_out}; `mensura check` says of the first why."


def _first_and_last(words: str) -> str:
    """Show how last words begin and how they end: the end of a traceback, and its last place, say most."""
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    shown = lines[0][:200] if lines else ""
    place = [line.partition(", in ")[0] for line in lines[:-1] if line.startswith('File "')][-1:]
    return shown if len(lines) < 2 else " ... ".join([shown, *place, lines[-1][:200]])
