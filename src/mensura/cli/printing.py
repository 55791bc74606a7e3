"""How results are printed: tables for people on stderr or stdout, JSON for machines on stdout."""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from shutil import which
from typing import TYPE_CHECKING, Any

import click

from mensura.console import print_json, printable, say
from mensura.dialogue import Score, tally_words, undeclared
from mensura.stats.wording import attributed, several
from mensura.subjects.sandbox.confinement import NOT_ISOLATED

if TYPE_CHECKING:
    from mensura.exhibit import Exhibit, FileScores
    from mensura.running.results.summary import RunResult
    from mensura.stats import Estimate
    from mensura.store.head import RunHead

MOST_ENDS = 5
"""Ways in which sessions ended that are shown; the rest is counted."""
MOST_NAMES = 5
COLUMNS = ("value", "95 % interval", "n", "better", "generalises to", "method")


def print_result(result: "RunResult", *, as_json: bool = False) -> None:
    """Print what a run found, or its JSON: the scores, what they speak of, and what would change a conclusion.

    Everything else that is known of the run is printed by `mensura show`.
    """
    for words in unsandboxed(result.head):
        say(words)
    if as_json:
        print_json(result.as_json())
    else:
        click.echo(printable(_title(result)))
        if known := [one for one in result.estimated.items() if one[1].estimate.value == one[1].estimate.value]:
            rows = [[name, *estimate_cells(one.estimate), _better(one.score)] for name, one in known]
            _print_rows(("score", *COLUMNS[:4]), rows)
        for sentence in dict.fromkeys(found.sentence for _, found in known if found.sentence):
            click.echo(printable(sentence))
    # What each score would be with the sessions that were excluded may change a conclusion.
    asked = _asked_each(result) if result.excluded else _asked_together(result)
    for words in _warnings(result, asked=asked):
        say(words)


def print_details(result: "RunResult", exhibits: Iterable["Exhibit"]) -> None:
    """Print everything that is known of a run: its scores with their methods, its exhibits, how it was taken."""
    head = result.head
    click.echo(printable(_title(result)))
    if result.estimated:
        rows = [[name, *_cells(found.score, found.estimate)] for name, found in result.estimated.items()]
        _print_rows(("score", *COLUMNS), rows)
    for sentence in dict.fromkeys(found.sentence for found in result.estimated.values() if found.sentence):
        click.echo(printable(sentence))
    for words in [*unsandboxed(head), *_warnings(result, asked=_asked_each(result))]:
        click.echo(printable(words))
    print_exhibits(exhibits)
    click.echo("\nHow it was taken")
    for name, words in _circumstances(result):
        click.echo(printable(f"{name:12} {words}"))


def _title(result: "RunResult") -> str:
    head, total = result.head, sum(result.counts.values())
    under = f" in the setting {head.condition}" if head.condition else ""
    return f"{head.test} taken by {', '.join(head.who)}{under}: {several(total, 'session')} ({head.id})"


def _warnings(result: "RunResult", *, asked: Iterable[str]) -> Iterator[str]:
    """Yield what would change a conclusion: what did not finish, was not answered, scored or is hardly known."""
    from mensura.running.results.endings import first_and_last

    if result.unanswered:
        yield result.unanswered
    if result.counts.get("finished", 0) < sum(result.counts.values()) or result.excluded:
        counts = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in result.counts.items() if count)
        yield f"Sessions: {counts}{f'; {result.excluded_words}' if result.excluded else ''}."
    yield from _bank_words(result.head.details.get("bank", {}))
    yield from (f"Asked: {words}." for words in asked)
    yield from _hardly_known(result)
    if len(result.scoring) > 1:
        yield f"Note: sessions were scored by different versions: {', '.join(result.scoring)}."
    elif result.scoring and result.scoring[0] != result.head.details.get("scoring", result.scoring[0]):
        yield f"Note: taken under scoring {result.head.details['scoring']}, scored by {result.scoring[0]}."
    if result.asked_again:
        yield f"At most {several(result.asked_again, 'request')} paid twice: on their way when the run was stopped."
    if result.stopped:
        yield result.stopped
    if result.counts.get("finished") and not result.scores:
        yield "Nothing was scored: no ask carried a truth or a reward, or the scoring gave no scores."
    ends = _alike(result.last_words)
    yield from (f"  {first_and_last(words)}" for words in [*ends[:MOST_ENDS], *result.declined])
    if len(ends) > MOST_ENDS:
        yield f"  Sessions ended in {len(ends) - MOST_ENDS} more ways: mensura serve shows each."


def _asked_each(result: "RunResult") -> list[str]:
    """Return what became of what each score asked; nothing where all of it was answered."""
    return attributed({name: [found.account] for name, found in result.estimated.items()})


def _asked_together(result: "RunResult") -> Iterator[str]:
    """Yield the same in one line for all scores with the same counts: what they differ in, `mensura show` prints."""
    groups: dict[str, dict[str, list[str]]] = {}
    for name, found in result.estimated.items():
        if found.account:
            groups.setdefault(tally_words(found.tally), {})[name] = found.account.split("; ")
    for accounts in groups.values():
        first, *others = accounts.values()
        words = "; ".join(part for part in first if all(part in other for other in others))
        every = len(accounts) == len(result.estimated)
        names = ", ".join(accounts) if len(accounts) <= MOST_NAMES else f"{len(accounts)} scores"
        yield words if every else f"{names}: {words}"


def _hardly_known(result: "RunResult") -> Iterator[str]:
    """Yield which scores are unknown or have no interval, and why; and what must be said beside an interval."""
    notes = {}
    for name, found in result.estimated.items():
        estimate = found.estimate
        reason = estimate.method.removeprefix("none: ") if estimate.method.startswith("none: ") else ""
        if estimate.value != estimate.value:
            if result.unanswered:
                continue
            yield f"No {name}{f': {reason}' if reason else ''}."
        else:
            notes[name] = [estimate.note or (f"No interval: {reason}." if reason else "")]
    yield from (f"Note: {words}" for words in attributed(notes))


def _circumstances(result: "RunResult") -> Iterator[tuple[str, str]]:
    """Yield how a run was taken, and what proves its record, each with its name."""
    from mensura.report.account import spent_words

    head = result.head
    yield "Run", f"{head.id}, begun {datetime.fromtimestamp(head.created):%Y-%m-%d %H:%M}"
    if head.parameters:
        yield "Parameters", ", ".join(f"{name}={value}" for name, value in head.parameters.items())
    counts = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in result.counts.items() if count)
    yield "Sessions", counts or "none"
    yield "Seed", "public" if head.seed_public else "secret"
    if result.isolation:
        yield "Isolation", result.isolation
    if result.spent:
        yield "Spent", spent_words(result.spent).removeprefix("Spent: ")
    yield "Stored", {"full": "everything", "summary": "answers", "none": "scores only"}.get(head.trace, head.trace)
    yield "Instance", head.instance_hash
    yield "Environment", head.environment_hash
    if result.scoring:
        yield "Scoring", ", ".join(result.scoring)
    if result.chain:
        yield "Chain", f"{result.chain} (mensura audit {head.id} checks it)"


def unsandboxed(head: "RunHead") -> Iterator[str]:
    """Yield that a program or file of the user ran without a sandbox, and how to have one; nothing where none did.

    Subjects that are built in, people and servers need no such line.
    """
    isolation = head.details.get("isolation", {})
    if not any(_not_isolated(one) for one in isolation.values()):
        return
    who = ", ".join(dict.fromkeys(head.cast.get(role, role) for role, one in isolation.items() if _not_isolated(one)))
    what = f"Not isolated: {who} ran without a sandbox and could read the files of this user, truths included."
    if head.details.get("confinement", {}).get("sandbox") == "off":
        yield f"{what} Leave out --sandbox=off to isolate it."
    elif which("bwrap") is None:
        yield f"{what} To isolate it (Linux only): apt install bubblewrap"
    else:
        yield f"{what} bubblewrap is installed but could not start: it needs user namespaces."


def _not_isolated(one: Mapping[str, Any]) -> bool:
    return one.get("kind") == NOT_ISOLATED or any(map(_not_isolated, one.get("members", {}).values()))


def _alike(last_words: Iterable[str]) -> list[str]:
    """Print once what several sessions ended with.

    >>> _alike(["a/1: No key.", "a/2: Late.", "a/3: No key."])
    ['a/1 and 1 more: No key.', 'a/2: Late.']
    """
    found: dict[str, list[str]] = {}
    for line in last_words:
        session, _, words = line.partition(": ")
        found.setdefault(words, []).append(session)
    more = {words: f" and {len(all_of) - 1} more" if len(all_of) > 1 else "" for words, all_of in found.items()}
    return [f"{all_of[0]}{more[words]}: {words}" for words, all_of in found.items()]


def print_exhibits(exhibits: Iterable["Exhibit"]) -> None:
    """Print tables and what they say; of a picture the sentence that stands for it."""
    for exhibit in exhibits:
        click.echo(f"\n{printable(exhibit.title)}")
        if exhibit.rows:
            _print_rows(exhibit.columns, exhibit.lines)
        pictured = [figure.words for figure in exhibit.figures if not exhibit.rows]
        for words in filter(None, [exhibit.words, *pictured, *exhibit.notes]):
            click.echo(printable(words))


def print_file_scores(found: "FileScores", *, as_json: bool) -> None:
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


def estimate_cells(estimate: "Estimate") -> list[str]:
    """Write an estimate as three cells: value, interval and n."""
    return [estimate.rounded[0], estimate.ends, str(estimate.n)]


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


def _cells(score: Score, estimate: "Estimate") -> list[str]:
    return [*estimate_cells(estimate), _better(score), estimate.population, estimate.method]


def _better(score: Score) -> str:
    if score.best is not None:
        return f"at {score.best:g}"
    return {"more": "larger", "less": "smaller"}.get(score.better or "", "neither")


def _bank_words(bank: Mapping[str, Any]) -> Iterator[str]:
    """Print how many items have no answer to score them by, and how many rows are not items."""
    if unscored := bank.get("unscored"):
        yield f"Items without an answer: {unscored}; they were asked and not scored."
    if left_out := bank.get("left_out"):
        yield f"Rows that are left out: {left_out}; `mensura check` says of the first why."
