"""Completion: what the shell offers after Tab, and `mensura completion`, which prints how to switch it on.

Nothing here imports a test, except for the subjects that a test brings: a key press must not wait.
"""

from contextlib import suppress

import click
from click.shell_completion import CompletionItem, get_completion_class

SWITCHING_ON = {
    "bash": 'eval "$(mensura completion bash)"     # in ~/.bashrc',
    "zsh": 'eval "$(mensura completion zsh)"      # in ~/.zshrc',
    "fish": "mensura completion fish | source      # in ~/.config/fish/config.fish",
}
SUBJECTS = {
    "chance": "random answers: the baseline",
    "terminal": "you, typing",
    "human": "a person in the browser",
    "llm:": "a language model: llm:MODEL, or llm:MODEL@URL",
    "program:": "a program: 'program:node agent.js'",
    "http://": "a server",
    "tcp://": "a server",
    "recorded:": "answers given before: recorded:FILE",
    "policy:": "a Gymnasium policy: policy:./mine.py:act",
    "constant:": "always the same answer",
    "team:": "several subjects and a rule: team:mean(A,B)",
    "assisted:": "one is advised by another: assisted:A+B",
    "solve:": "a solver round a subject: solve:cot(A)",
    "fault:": "a fault round a subject: fault:drop(A)#rate=0.1",
}
NEWEST = 200
"""Runs that are offered."""


@click.command("completion")
@click.argument("shell", type=click.Choice(list(SWITCHING_ON)), required=False)
def command(shell: str | None) -> None:
    """Print what makes Tab complete verbs, tests, subjects and runs in SHELL; without SHELL how to switch it on.

    \b
      eval "$(mensura completion bash)"
      eval "$(mensura completion zsh)"
      mensura completion fish | source
    """
    from mensura.cli.main import cli

    if shell is None:
        for name, line in SWITCHING_ON.items():
            click.echo(f"{name:5} {line}")
        return
    completer = get_completion_class(shell)
    assert completer is not None
    click.echo(completer(cli, {}, "mensura", "_MENSURA_COMPLETE").source())


def complete_test(ctx: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return the tests that begin so, newest versions by their names, and Python files."""
    from mensura.extension import extensions

    ids = extensions("mensura.tests")
    names = sorted({name.rpartition("-v")[0] for name in ids})
    found = [CompletionItem(name) for name in names if name.startswith(typed)]
    return (
        found or [CompletionItem(id) for id in sorted(ids) if id.startswith(typed)] or [CompletionItem(typed, "file")]
    )


def complete_subject(ctx: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return the kinds of subjects and, where the test is typed before, its reference subjects that begin so."""
    role, equals, begun = typed.partition("=")
    if not equals or not role.isidentifier():
        role, equals, begun = "", "", typed
    offered = {**dict.fromkeys(_own_subjects(_test_typed(ctx))), **SUBJECTS}
    found = [
        CompletionItem(f"{role}{equals}{name}", help=about) for name, about in offered.items() if name.startswith(begun)
    ]
    return found or [CompletionItem(typed, "file")]


def complete_run(ctx: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    """Return the stored runs that begin so, the newest first; read without opening the store for writing."""
    from mensura.store.glance import newest_runs

    rows: list[tuple[str, str]] = []
    with suppress(Exception):
        rows = newest_runs(ctx.params.get("store"), most=NEWEST)
    offered = [("last", "the newest run"), *rows] if rows else []
    return [CompletionItem(id, help=test) for id, test in offered if id.startswith(typed)]


def _test_typed(ctx: click.Context) -> str:
    # Behind an option that waits for its value click reads no arguments.
    return ctx.params.get("test") or next((word for word in ctx.args if not word.startswith("-")), "")


def _own_subjects(test: str) -> list[str]:
    from mensura.catalog.find import find_test

    with suppress(Exception):
        return list(find_test(test).subjects) if test else []
    return []
