"""Catalog: the tests as pages show them, and how the fields of a form become their parameters."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from mensura.catalog.find import find_test, list_tests, newest
from mensura.dialogue import Test
from mensura.dialogue.parameters import EMPTY, Parameter, is_structured
from mensura.errors import MensuraError, unknown

if TYPE_CHECKING:
    from mensura.running.study.plan import Cell

CHANCE = "chance"
KINDS = {int: "number", float: "number", bool: "switch"}
PREFIX = "parameter."


def registered_test(name: str) -> Test:
    """Find a registered test by id or name; never a file or a module, which a page must not run."""
    id = newest(name)
    if id is None:
        raise unknown("test", name, known=list_tests(), see="The page of tests shows all of them.")
    return find_test(id)


def offered_subjects(test: Test) -> list[str]:
    """Name the programs that a page may start: chance, and the reference subjects of the test."""
    return list(dict.fromkeys([CHANCE, *test.subjects]))


def describe(test: Test) -> dict[str, Any]:
    """Return what a page says of a test."""
    try:
        roles = list(test.cast_roles(test.fill()))
    except (MensuraError, TypeError, ValueError):
        roles = []
    return {
        "id": test.id,
        "name": test.name,
        "about": test.about,
        "roles": roles,
        "parameters": [field_of(parameter) for parameter in test.parameters.values()],
        "settings": {name: {key: shown(value) for key, value in values.items()} for name, values in settings_of(test)},
        "subjects": offered_subjects(test),
        "timed": test.takes("clock"),
        "needs": "" if test.missing is None else test.missing.install,
    }


def settings_of(test: Test) -> list[tuple[str, Mapping[str, Any]]]:
    """Return the registered conditions of a test, in order."""
    return list(test.settings.items())


def describe_all() -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Describe every registered test; one that cannot be loaded is named with what is wrong with it."""
    described, broken = [], {}
    for id in list_tests():
        try:
            described.append(describe(find_test(id)))
        except Exception as error:
            # A package of a stranger may fail in any way; the other tests are still there.
            broken[id] = f"{type(error).__name__}: {error}"
    return described, broken


def field_of(parameter: Parameter) -> dict[str, Any]:
    """Return how a parameter is asked for in a form."""
    return {
        "name": parameter.name,
        "label": parameter.name.replace("_", " "),
        "type": parameter.type.__name__,
        "takes": parameter.takes,
        "about": parameter.about,
        "choices": list(parameter.choices),
        "input": _input(parameter),
        "whole": parameter.type is int,
        "default": None if parameter.default is EMPTY else shown(parameter.default),
        "default_words": parameter.default_words,
        "needed": parameter.default is EMPTY,
    }


def explained(cells: Iterable["Cell"]) -> list[dict[str, Any]]:
    """Return the parameters that the cells of a study set: what each is, and the values it has in them."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for cell in cells:
        try:
            known = registered_test(cell.test).parameters
        except MensuraError:
            # A test in a file: a page must not run it, so it shows the values alone.
            known = {}
        for name, value in cell.parameters.items():
            about = known[name].about if name in known else ""
            row: dict[str, Any] = {"test": cell.test, "label": name.replace("_", " "), "about": about, "values": []}
            row = found.setdefault((cell.test, name), row)
            if (words := shown(value)) not in row["values"]:
                row["values"].append(words)
    return list(found.values())


def _input(parameter: Parameter) -> str:
    if parameter.structured:
        return "none"
    return "choice" if parameter.choices else KINDS.get(parameter.type, "text")


def shown(value: Any) -> Any:
    """Write a parameter's value as JSON that a form can hold.

    >>> shown((1, 2)), shown(True), shown(None)
    ('1, 2', True, None)
    """
    if is_structured(value):
        return "a structure, given by files or programs"
    if isinstance(value, (tuple, list)):
        return ", ".join(str(part) for part in value)
    return value if isinstance(value, (bool, int, float, str)) or value is None else str(value)


def read_parameters(form: Mapping[str, str]) -> dict[str, str]:
    """Take the parameters out of a form; an empty field means the default, or the setting's value.

    >>> read_parameters({"parameter.flips": " 5 ", "parameter.slip": "", "sessions": "3"})
    {'flips': '5'}
    """
    return {
        name.removeprefix(PREFIX): value.strip()
        for name, value in form.items()
        if name.startswith(PREFIX) and value.strip()
    }
