"""How results are printed: tables for people on stderr or stdout, JSON for machines on stdout."""

import sys

from mensura.console import print_json, say
from mensura.running.results.summary import RunResult
from mensura.stats.wording import attributed


def print_result(result: RunResult, *, as_json: bool = False) -> None:
    """Print the scores of a run as a table with intervals, n and method, or as JSON, and say what went wrong."""
    if as_json:
        print_json(result.as_json())
    else:
        _print_table(result)
        _print_accounts(result)
    head = result.head
    counts = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in result.counts.items() if count)
    say(f"Sessions: {counts or 'none'}. Seed {'public' if head.seed_public else 'secret'}.")
    if result.isolation:
        say(f"Isolation: {result.isolation}.")
    say(f"Instance {head.instance_hash}, environment {head.environment_hash}.")
    if result.chain:
        say(f"Chain {result.chain}.")
    if result.spent:
        known = {name: "unknown" if sum_ is None else f"{sum_:g}" for name, sum_ in result.spent.items()}
        say(f"Spent: {', '.join(f'{name} {sum_}' for name, sum_ in known.items())}.".replace("_", " "))
    if result.counts.get("finished") and not result.scores:
        say("Nothing was scored: no ask carried a truth or a reward, or the scoring gave no scores.")
    for words in result.last_words[:5]:
        say(f"  {_first_and_last(words)}")


def _print_table(result: RunResult) -> None:
    from rich.console import Console
    from rich.table import Table

    head = result.head
    who = ", ".join(head.who)
    table = Table(title=f"{head.test} taken by {who} ({head.id})", title_justify="left", box=None, pad_edge=False)
    for column in ("score", "value", "95 % interval", "n", "better", "generalises to", "method"):
        table.add_column(column, justify="right" if column == "value" else "left")
    for name, found in result.estimated.items():
        data = found.estimate.as_json()
        interval = "unknown" if data["low"] is None else f"{data['low']:.4g} to {data['high']:.4g}"
        value = "unknown" if data["value"] is None else f"{data['value']:.4g}"
        better = {"more": "larger", "less": "smaller"}.get(found.score.better or "", "neither")
        better = f"at {found.score.best:g}" if found.score.best is not None else better
        table.add_row(name, value, interval, str(data["n"]), better, data["population"], data["method"])
    if result.scores:
        Console(file=sys.stdout, width=None if sys.stdout.isatty() else 140).print(table)


def _print_accounts(result: RunResult) -> None:
    """Say what the scores generalise to, what was not answered, and what must be said beside an interval."""
    for words in attributed({name: found.account for name, found in result.estimated.items()}):
        say(f"Asked: {words}.")
    for sentence in dict.fromkeys(found.sentence for found in result.estimated.values() if found.sentence):
        say(sentence)
    for words in attributed({name: found.estimate.note for name, found in result.estimated.items()}):
        say(f"Note: {words}")
    if len(result.scoring) > 1:
        say(f"Note: sessions were scored by different versions: {', '.join(result.scoring)}.")
    elif result.scoring and result.scoring[0] != result.head.details.get("scoring", result.scoring[0]):
        say(f"Note: taken under scoring {result.head.details['scoring']}, scored by {result.scoring[0]}.")


def _first_and_last(words: str) -> str:
    """Show how last words begin and how they end: the end of a traceback says most."""
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    shown = lines[0][:200] if lines else ""
    return shown if len(lines) < 2 else f"{shown} ... {lines[-1][:200]}"
