"""Finding tests by name: registered ones, those in a file or module, banks, Gymnasium environments, Inspect's tasks."""

import inspect
import re
from collections.abc import Callable, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any

from mensura.dialogue import Test
from mensura.errors import BadParameter, UnknownName, unknown
from mensura.extension import broken, extensions, load
from mensura.subjects.source import load_module

GROUP = "mensura.tests"
GYM = "gym:"
LM_EVAL = "lm-eval:"
YAML = (".yaml", ".yml")
INSPECT = "inspect:"
SEE = "`mensura list` shows all of them."
TestLike = Test | str | Path | Callable[..., Any]
"""What stands for a test wherever one is asked for."""


def find_test(test: TestLike) -> Test:
    """Find a test by name; a test itself is what was looked for, and a generator function becomes one.

    Parameters
    ----------
    test
        An id (`coin-v1`), a name (`coin`: the newest version), a file (`./mine.py:dice`, or `./mine.py` if it holds
        one test), a survey (`./survey.yaml`), a bank of items (`./items.jsonl`, `./data.csv#prompt=question`), a task
        of lm-eval (`lm-eval:./task.yaml`), a module (`package.module:dice`), a Gymnasium environment
        (`gym:CartPole-v1`), or a task or log of Inspect (`inspect:package/task`).

    Raises
    ------
    UnknownName
        If there is none; the message names the nearest.
    BadFile
        If a file cannot be read or run.

    Examples
    --------
    >>> find_test("coin").id
    'coin-v1'
    >>> find_test("coyn")
    Traceback (most recent call last):
    mensura.errors.UnknownName: There is no test called 'coyn'. Did you mean coin?
    """
    name = given_test(test)
    if isinstance(name, Test):
        return name
    if name.startswith(GYM):
        from mensura.catalog.gym.dialogue import gym_test

        return gym_test(name.removeprefix(GYM))
    if name.startswith(INSPECT):
        from mensura.catalog.inspect.dialogue import inspect_test

        return inspect_test(name.removeprefix(INSPECT))
    from mensura.catalog.bank.lm_eval.task import is_task
    from mensura.catalog.bank.name import BankName

    named = BankName.read(name)
    if name.startswith(LM_EVAL) or (named.path.endswith(YAML) and is_task(named.file)):
        from mensura.catalog.bank.lm_eval.dialogue import lm_eval_test

        return lm_eval_test(name.removeprefix(LM_EVAL))
    if named.path.endswith(YAML):
        from mensura.catalog.questionnaire.survey_file import read_survey

        return read_survey(name)
    if named.is_data:
        from mensura.catalog.bank.dialogue import bank

        return bank(name)
    if is_file(name):
        path, _, attribute = name.rpartition(":") if not name.endswith(".py") else (name, "", "")
        return _in_module(load_module(path), attribute, where=path)
    if ":" in name:
        place, _, attribute = name.partition(":")
        try:
            return _in_module(load_module(place), attribute, where=place)
        except ModuleNotFoundError as error:
            missing = f"There is no module {error.name!r} to take a test from. Is its package installed?"
            raise UnknownName(missing) from None
    return _registered(name)


def given_test(test: TestLike) -> str | Test:
    """Return what a test is called, or the test itself; a plain generator function becomes one.

    >>> def two_questions(rng): yield
    >>> given_test(two_questions).id
    'two-questions-v1'
    """
    if isinstance(test, Path):
        return str(test) if test.is_absolute() else f"./{test}"
    if inspect.isgeneratorfunction(test):
        return Test(f"{test.__name__.strip('_<>').replace('_', '-').lower()}-v1", test)
    if not isinstance(test, str | Test):
        raise BadParameter(f"A test is a name, a path, a generator function or a Test; got {test!r}.")
    return test


def with_arguments(name: str, flags: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """Write flags into the name of a test that is made with them, so that the run finds it again; return both.

    >>> with_arguments("inspect:package/task", {"level": "3"}), with_arguments("coin", {"flips": "3"})
    (('inspect:package/task#level=3', {}), ('coin', {'flips': '3'}))
    """
    if not name.startswith(INSPECT):
        return name, dict(flags)
    for flag, value in flags.items():
        if set(value) & set("#()"):
            raise BadParameter(f"--{flag} of a task of Inspect cannot hold any of # ( ); got {value!r}.")
    return name + "".join(f"#{flag}={value}" for flag, value in flags.items()), {}


def list_tests() -> list[str]:
    """List the ids of all registered tests, sorted, without importing any."""
    return sorted(extensions(GROUP))


def newest(name: str) -> str | None:
    """Return the id of the newest version of a test by its name or id; None where there is none."""
    known = extensions(GROUP)
    if name in known:
        return name
    versions = [id for id in known if id.rpartition("-v")[0] == name]
    return max(versions, key=lambda id: int(id.rpartition("-v")[2]), default=None)


def is_file(name: str) -> bool:
    """Return whether a name means something in a Python file."""
    return name.endswith(".py") or ".py:" in name


def file_in(name: str) -> str:
    """Return the part of a test's name that is a file or a folder; "" where there is none.

    >>> file_in("./mine.py:dice"), file_in("./a.csv#prompt=q"), file_in("lm-eval:tasks/a.yaml"), file_in("coin")
    ('./mine.py', './a.csv', 'tasks/a.yaml', '')
    >>> file_in("inspect:./tasks.py@sums#top=3"), file_in("inspect:package/task")
    ('./tasks.py', '')
    """
    from mensura.catalog.bank.name import FILES, BankName

    if name.startswith(INSPECT):
        path = re.split("[@#]", name.removeprefix(INSPECT), maxsplit=1)[0]
        return path if path.endswith((".py", ".eval", ".json")) else ""
    if is_file(name):
        return name if name.endswith(".py") else name.rpartition(":")[0]
    named = BankName.read(name.removeprefix(LM_EVAL))
    is_path = named.path.startswith((".", "/", "~")) or named.path.lower().endswith((*YAML, *FILES))
    return named.path if is_path else ""


def _registered(name: str) -> Test:
    id = newest(name)
    if id is None:
        known = extensions(GROUP)
        names = {id.rpartition("-v")[0] for id in known}
        raise unknown("test", name, known=sorted(names if "-v" not in name else known), see=SEE)
    found: Any = load(extensions(GROUP)[id])
    if not isinstance(found, Test) or found.id != id:
        raise broken(extensions(GROUP)[id], f"it is {found!r:.60}, not a test with this id")
    return found


def _in_module(module: ModuleType, attribute: str, *, where: str) -> Test:
    """Take a test out of a module by the name of its variable, of itself or its id; the only one if none is named."""
    held = {name: value for name, value in vars(module).items() if isinstance(value, Test)}
    if attribute:
        chosen = [test for name, test in held.items() if attribute in (name, test.name, test.id)]
    else:
        # A test that is made by a call, of a bank or a survey, has its function from elsewhere.
        own = [test for test in held.values() if test.function.__module__ == module.__name__]
        chosen = own or list(held.values())
    if chosen and (attribute or len(chosen) == 1):
        return chosen[0]
    if not held:
        raise UnknownName(f"{where} holds no tests; a test is made by @test.")
    wanted = f"no test called {attribute!r}" if attribute else "not just one test: name it after a colon"
    raise UnknownName(f"{where} holds {wanted}. It holds {', '.join(held)}.")
