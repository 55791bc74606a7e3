"""Finding tests by name: registered ones, those in a file or module, banks of items, and Gymnasium environments."""

import importlib
import importlib.util
import sys
from hashlib import blake2b
from pathlib import Path
from types import ModuleType
from typing import Any

from mensura.dialogue import Test
from mensura.errors import BadFile, UnknownName, unknown
from mensura.extension import broken, extensions, load

GROUP = "mensura.tests"
GYM = "gym:"
SEE = "`mensura list` shows all of them."


def find_test(name: str | Test) -> Test:
    """Find a test by name; a test itself is what was looked for.

    Parameters
    ----------
    name
        An id (`coin-v1`), a name (`coin`: the newest version), a file (`./mine.py:dice`, or `./mine.py` if it holds
        one test), a survey (`./survey.yaml`), a bank of items (`./items.jsonl`), a module (`package.module:dice`), or
        a Gymnasium environment (`gym:CartPole-v1`).

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
    if isinstance(name, Test):
        return name
    if name.startswith(GYM):
        from mensura.catalog.gym.dialogue import gym_test

        return gym_test(name.removeprefix(GYM))
    if name.endswith((".yaml", ".yml")):
        from mensura.catalog.questionnaire.survey_file import read_survey

        return read_survey(name)
    if name.endswith(".jsonl"):
        from mensura.catalog.bank.dialogue import bank

        return bank(name)
    if is_file(name):
        path, _, attribute = name.rpartition(":") if not name.endswith(".py") else (name, "", "")
        return _in_module(load_file(path), attribute, where=path)
    if ":" in name:
        module, _, attribute = name.partition(":")
        return _in_module(_import(module), attribute, where=module)
    return _registered(name)


def list_tests() -> list[str]:
    """List the ids of all registered tests, sorted, without importing any."""
    return sorted(extensions(GROUP))


def newest(name: str) -> str | None:
    """Give the id of the newest version of a test by its name or id; None where there is none."""
    known = extensions(GROUP)
    if name in known:
        return name
    versions = [id for id in known if id.rpartition("-v")[0] == name]
    return max(versions, key=lambda id: int(id.rpartition("-v")[2]), default=None)


def is_file(name: str) -> bool:
    """Say whether a name means something in a Python file."""
    return name.endswith(".py") or ".py:" in name


def load_file(path: str | Path) -> ModuleType:
    """Run a Python file as a module of its own; again when the file has changed."""
    place = Path(path).expanduser().resolve()
    try:
        content = place.read_bytes()
    except OSError as error:
        raise BadFile(f"{path} cannot be read: {error.strerror}. Check the path.") from None
    # The content is part of the module's name, so a changed file is a new module and an unchanged one is run once.
    name = "mensura_file_" + blake2b(str(place).encode() + b"\0" + content, digest_size=8).hexdigest()
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, place)
    if spec is None or spec.loader is None:
        raise BadFile(f"{path} is not a Python file.")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    # What the file imports from beside itself must be found, as when Python runs it.
    sys.path.insert(0, str(place.parent))
    try:
        # Compiled here, not by the loader: its cache goes by whole seconds and misses a quick second change.
        exec(compile(content, str(place), "exec"), module.__dict__)
    except Exception as error:
        del sys.modules[name]
        raise BadFile(f"{path} raised {type(error).__name__} when it was run: {error}") from error
    finally:
        sys.path.remove(str(place.parent))
    return module


def _registered(name: str) -> Test:
    id = newest(name)
    if id is None:
        known = extensions(GROUP)
        names = {id.rpartition("-v")[0] for id in known}
        raise unknown("test", name, known=sorted(names if "-v" not in name else known), see=SEE)
    found: Any = load(extensions(GROUP)[id])
    if not isinstance(found, Test) or found.id != id:
        raise broken(extensions(GROUP)[id], f"it gives {found!r:.60}, not a test with this id")
    return found


def _import(module: str) -> ModuleType:
    try:
        return importlib.import_module(module)
    except ModuleNotFoundError as error:
        raise UnknownName(f"There is no module {error.name!r} to take a test from. Is its package installed?") from None


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
