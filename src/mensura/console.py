"""The console: words for people on stderr, data for machines on stdout, for every verb, ours and other packages'."""

import json
import shlex
import shutil
import sys
import unicodedata
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import click

from mensura.dialogue.canonical import plain

CONTROLS = ("Cc", "Cf", "Co", "Cs")
"""Categories of characters that are not text, but commands to a terminal."""
json_option: Callable[[Any], Any] = click.option("--json", "as_json", is_flag=True, help="Print JSON on stdout.")


def print_json(data: Any) -> None:
    """Print JSON on stdout; numbers that are not finite become null, which every reader understands."""
    piped = not sys.stdout.isatty()
    click.echo(json.dumps(_finite(data), default=plain, ensure_ascii=False, indent=None if piped else 2))


def show(data: Any, lines: Iterable[str], *, as_json: bool) -> None:
    """Print the same on stdout as JSON, for machines, or in lines, for people."""
    if as_json:
        print_json(data)
    else:
        for line in lines:
            click.echo(line)


def say(words: str) -> None:
    """Print a message to the person, on stderr."""
    click.echo(printable(words), err=True)


def next_step(*commands: str, when: str = "", then: str = "") -> None:
    """End with the next sensible command, in a line that can be copied; words about it come before or below.

    Parameters
    ----------
    commands
        The command, and others that are as sensible.
    when
        Where or when it is the next, as "on the other machine".
    then
        A sentence on what to do after it.
    """
    first, *others = commands
    lines = [f"Next{f', {when}' if when else ''}: {first}", *(f"  Or: {other}" for other in others), then]
    say("\n" + "\n".join(filter(None, lines)))


def program() -> str:
    """Return what to type for `mensura` in the current folder: its path where the shell would not find it."""
    script = Path(sys.executable).parent / "mensura"
    found = shutil.which("mensura")
    if not script.exists() or (found is not None and Path(found).absolute() == script.absolute()):
        return "mensura"
    here = Path.cwd()
    return shlex.quote(str(script.relative_to(here) if script.is_relative_to(here) else script))


def printable(words: str) -> str:
    r"""Take out of words what a terminal would obey: they may be a subject's.

    >>> printable("red \x1b[31m alert\r")
    'red ?[31m alert?'
    """
    return "".join(sign if sign in "\n\t" or unicodedata.category(sign) not in CONTROLS else "?" for sign in words)


def _finite(data: Any) -> Any:
    if isinstance(data, float):
        return data if data == data and abs(data) != float("inf") else None
    if isinstance(data, dict):
        return {key: _finite(value) for key, value in data.items()}
    if isinstance(data, (list, tuple)):
        return [_finite(value) for value in data]
    return data
