"""`mensura list`: what can be taken, and what was."""

from shlex import quote

import click

from mensura.cli.options import opened, reading
from mensura.cli.parameters import parameters_help
from mensura.console import next_step, print_json, say


@click.command("list")
@click.argument("test", required=False)
@click.option("--runs", is_flag=True, help="Show the stored runs instead, newest last.")
@reading
def command(test: str | None, runs: bool, store: str | None, as_json: bool) -> None:
    """Show the tests; with TEST its parameters, settings and reference subjects; with --runs what is stored.

    \b
      mensura list
      mensura list coin
      mensura list --runs
    """
    if runs:
        _list_runs(test, store, as_json)
    elif test is None:
        _list_tests(as_json)
    else:
        _describe(test, as_json)


def _list_tests(as_json: bool) -> None:
    from mensura.extension import about, extensions, extra_of, missing_extra

    tests = sorted(extensions("mensura.tests").items())
    if as_json:
        print_json([name for name, _ in tests])
    else:
        _print_lines([(name, about(point)) for name, point in tests])
        wanting = {name: missing_extra(extra_of(point), what=name) for name, point in tests}
        if missing := {name: found.install for name, found in wanting.items() if found is not None}:
            click.echo("\nThese need more than is installed:")
            _print_lines(sorted(missing.items()))
        for group in ("subjects", "spaces", "verbs", "figures"):
            if brought := extensions(f"mensura.{group}"):
                click.echo(f"\nFurther {group}, brought by packages:")
                _print_lines([(name, about(point)) for name, point in brought.items()])
    next_step("mensura list coin, or mensura take coin --as terminal")


def _print_lines(lines: list[tuple[str, str]]) -> None:
    width = max(len(name) for name, _ in lines)
    for name, words in lines:
        click.echo(f"{name:{width}}  {words}".rstrip())


def _describe(name: str, as_json: bool) -> None:
    from mensura.catalog.find import find_test
    from mensura.subjects.subject import knows

    test = find_test(name)
    subjects = list(dict.fromkeys(["chance", *test.subjects]))
    data = {
        "id": test.id,
        "about": test.about,
        "roles": list(test.roles) if not callable(test.roles) else "depend on the parameters",
        "parameters": [
            {
                "name": parameter.name,
                "default": parameter.shown,
                "about": parameter.about,
                "takes": parameter.takes,
                "choices": list(parameter.choices),
            }
            for parameter in test.parameters.values()
        ],
        "settings": {setting: dict(values) for setting, values in test.settings.items()},
        "subjects": subjects,
        "needs": "" if test.missing is None else test.missing.install,
    }
    if as_json:
        print_json(data)
    else:
        click.echo(f"{test.id}: {test.about}")
        if test.missing is not None:
            click.echo(f"{test.missing}")
        click.echo(f"\n{parameters_help(test)}\n")
        for setting, values in test.settings.items():
            click.echo(f"  setting {setting}: {dict(values)}")
        marked = {name: f"{name} (knows the truth)" for name, subject in test.subjects.items() if knows(subject)}
        click.echo(f"  subjects: {', '.join(marked.get(name, name) for name in subjects)}")
    next_step(f"mensura run {quote(name)} --as {(*test.subjects, 'chance')[0]} --sessions 20")


def _list_runs(test: str | None, url: str | None, as_json: bool) -> None:
    from datetime import datetime

    kept = opened(url)
    rows = [(head, kept.sessions.count(head.id)) for head in kept.runs.all(test=test)]
    if as_json:
        print_json(
            [
                {"run": head.id, "test": head.test, "cast": dict(head.cast), "hash": head.instance_hash, "sessions": n}
                for head, n in rows
            ]
        )
    for head, counts in rows if not as_json else ():
        when = datetime.fromtimestamp(head.created).strftime("%Y-%m-%d %H:%M")
        who = ", ".join(head.who)
        sessions = ", ".join(f"{count} {status.replace('_', ' ')}" for status, count in counts.items())
        click.echo(f"{head.id}  {when}  {head.test}  {who}  {sessions}")
    if not rows:
        say("No runs are stored here yet.")
    steps = ("mensura run coin --as chance --sessions 20", "mensura score last")
    next_step(steps[len(rows)] if len(rows) < 2 else "mensura compare last~1 last")
