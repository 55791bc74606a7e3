"""Catalog: the tests as pages show them, and how the fields of a form become their parameters."""

from collections.abc import Mapping
from typing import Any

from mensura.catalog.find import find_test, list_tests, newest
from mensura.dialogue import Test
from mensura.dialogue.parameters import EMPTY, Parameter
from mensura.errors import MensuraError, unknown

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
        "input": "none" if is_structured(parameter.default) else KINDS.get(parameter.type, "text"),
        "whole": parameter.type is int,
        "default": None if parameter.default is EMPTY else shown(parameter.default),
        "needed": parameter.default is EMPTY,
    }


def is_structured(value: Any) -> bool:
    """Return whether a value has parts of its own, so that no line of text can stand for it.

    >>> is_structured(("a", "b")), is_structured([{"a": 1}]), is_structured({})
    (False, True, True)
    """
    if isinstance(value, Mapping):
        return True
    return isinstance(value, (tuple, list)) and any(isinstance(part, (Mapping, tuple, list)) for part in value)


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
