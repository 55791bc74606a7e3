"""`mensura list`: what can be taken, and what was."""

from collections.abc import Callable, Mapping
from shlex import quote
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from mensura.cli.completion import SUBJECTS, complete_test
from mensura.cli.options import opened, reading
from mensura.cli.parameters import parameters_help
from mensura.console import next_step, print_json, say
from mensura.errors import BadParameter, NotInstalled
from mensura.stats.wording import several

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint

NOUNS = ("tests", "runs", "subjects", "settings", "studies")


def _complete(ctx: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    nouns = [CompletionItem(noun) for noun in NOUNS if noun.startswith(typed)] if parameter.name == "what" else []
    return nouns + [found for found in complete_test(ctx, parameter, typed) if found.type != "file"]


@click.command("list")
@click.argument("what", metavar="[tests|runs|subjects|settings|studies|TEST]", required=False, shell_complete=_complete)
@click.argument("test", required=False, shell_complete=_complete)
@click.option("--runs", is_flag=True, help="The same as `mensura list runs`.")
@reading
def command(what: str | None, test: str | None, runs: bool, store: str | None, as_json: bool) -> None:
    """Show the tests, or one TEST with its parameters, settings and reference subjects, or what is stored.

    \b
      mensura list                  the tests
      mensura list coin             one test
      mensura list runs             the stored runs, newest last; with a test those of it
      mensura list subjects         who can take a test; with a test its reference subjects too
      mensura list settings         the registered conditions of every test, or of one
      mensura list studies          the studies of the store
    """
    if what is not None and what not in NOUNS:
        if test is not None and not runs:
            raise BadParameter(f"{test!r} is one word too many: give a test, or one of {', '.join(NOUNS)}.")
        what, test = "runs" if runs else "test", what
    shown: dict[str | None, Callable[[], None]] = {
        "runs": lambda: _list_runs(test, store, as_json),
        "subjects": lambda: _list_subjects(test, as_json),
        "settings": lambda: _list_settings(test, as_json),
        "studies": lambda: _list_studies(store, as_json),
        "test": lambda: _describe(str(test), as_json),
    }
    shown.get("runs" if runs else what, lambda: _list_tests(as_json))()


def _list_tests(as_json: bool) -> None:
    from mensura.extension import about, extensions, extra_of, missing_extra

    tests = sorted(extensions("mensura.tests").items())
    if as_json:
        print_json([name for name, _ in tests])
    else:
        systems = extensions("mensura.tour")
        width = max(len(name) for name, _ in tests)
        for title, chosen in (("Systems", True), ("Small tests", False)):
            found = [(f"{name:{width}}", about(point)) for name, point in tests if _is_of(point, systems) is chosen]
            if found:
                click.echo(title if chosen else f"\n{title}")
                _print_lines(found)
        wanting = {name: missing_extra(extra_of(point), what=name) for name, point in tests}
        if missing := {name: found.install for name, found in wanting.items() if found is not None}:
            click.echo("\nThese need more than is installed:")
            _print_lines(sorted(missing.items()))
        for group in ("subjects", "spaces", "figures"):
            if brought := extensions(f"mensura.{group}"):
                click.echo(f"\nFurther {group}, brought by packages:")
                _print_lines([(name, about(point)) for name, point in brought.items()])
        click.echo("\nFurther verbs, for some of the systems: `mensura help` shows them.")
    next_step("mensura list coin", "mensura take coin --as terminal")


def _is_of(point: "EntryPoint", systems: Mapping[str, "EntryPoint"]) -> bool:
    """Return whether a test is part of a system: of a folder that has its stop on the tour."""
    return any(point.module.startswith(f"{system.module.rpartition('.')[0]}.") for system in systems.values())


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
        marked = {name: f"{name} (knows the truth)" for name, subject in test.subjects.items() if knows(subject)}
        click.echo(f"\nSubjects: {', '.join(marked.get(name, name) for name in subjects)}")
        if test.settings:
            click.echo("\nSettings:")
            _print_lines([(f"  {setting}", _values_words(values)) for setting, values in test.settings.items()])
        click.echo(f"\n{parameters_help(test)}")
    next_step(f"mensura run {quote(name)} --as {(*test.subjects, 'chance')[0]} --sessions 20")


def _values_words(values: Mapping[str, object]) -> str:
    """Write the parameters that a setting sets as they are typed.

    >>> _values_words({"flips": 5, "talk": "free"}), _values_words({})
    ('flips=5, talk=free', 'as it is')
    """
    return ", ".join(f"{parameter}={value}" for parameter, value in values.items()) or "as it is"


def _list_runs(test: str | None, url: str | None, as_json: bool) -> None:
    from datetime import datetime

    from mensura.catalog.find import find_test, newest

    kept = opened(url)
    id = find_test(test).id if test is not None and newest(test) is None else newest(test or "")
    rows = [(head, kept.sessions.count(head.id)) for head in kept.runs.all(test=id)]
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
    steps = ("mensura run coin --as chance --sessions 20", "mensura show last")
    next_step(steps[len(rows)] if len(rows) < 2 else "mensura compare last~1 last")


def _list_subjects(test: str | None, as_json: bool) -> None:
    from mensura.catalog.find import find_test
    from mensura.extension import about, extensions

    own = list(find_test(test).subjects) if test else []
    kinds = {**SUBJECTS, "./mine.py:respond": "a function or class of your own"}
    kinds |= {f"{name}:": about(point) for name, point in extensions("mensura.subjects").items()}
    if as_json:
        print_json({"kinds": list(kinds), "subjects": own})
    else:
        _print_lines(list(kinds.items()))
        if own:
            click.echo(f"\nReference subjects of {test}: {', '.join(own)}")
    next_step(f"mensura run {quote(test or 'coin')} --as {own[0] if own else 'chance'} --sessions 20")


def _list_settings(test: str | None, as_json: bool) -> None:
    from mensura.catalog.find import find_test, list_tests

    found: dict[str, dict[str, dict[str, object]]] = {}
    for name in [test] if test else list_tests():
        try:
            one = find_test(name)
        except NotInstalled as lacking:
            say(f"{name} is left out. {lacking}")
            continue
        found[one.id] = {setting: dict(values) for setting, values in one.settings.items()}
    if as_json:
        print_json(found)
    for name, settings in found.items() if not as_json else ():
        if settings or test:
            click.echo(name if settings else f"{name} has no settings.")
        for setting, values in settings.items():
            click.echo(f"  {setting}: {_values_words(values)}")
    first = next(((name, next(iter(settings))) for name, settings in found.items() if settings), ("coin-v1", "short"))
    next_step(f"mensura run {quote(first[0])} --as chance --setting {quote(first[1])}")


def _list_studies(url: str | None, as_json: bool) -> None:
    kept = opened(url)
    found: dict[str, list[str]] = {}
    for head in kept.runs.all():
        if study := str(head.details.get("study", "")):
            found.setdefault(study, []).append(head.id)
    sessions = {study: sum(sum(kept.sessions.count(run).values()) for run in runs) for study, runs in found.items()}
    if as_json:
        print_json([{"study": study, "runs": runs, "sessions": sessions[study]} for study, runs in found.items()])
    for study, runs in found.items() if not as_json else ():
        click.echo(f"{study}  {several(len(runs), 'run')}, {several(sessions[study], 'session')}")
    if not found:
        say("No study has been registered or run in this store.")
    if found:
        next_step("mensura serve", then="Then open /lab/studies.")
    else:
        next_step("mensura study new coin -o study.yaml")
