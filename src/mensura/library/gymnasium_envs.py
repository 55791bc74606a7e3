"""Tests as environments that `gymnasium.make("mensura/corridor-v1")` finds once `mensura` is imported."""

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import find_spec
from types import ModuleType
from typing import Any

REGISTRY = "gymnasium.envs"


def offer_tests() -> None:
    """Register every test with Gymnasium: now if it is loaded, else as soon as it is.

    Gymnasium is slow to import and has no hook for packages, so `import mensura` waits for it in the import system.
    """
    if REGISTRY in sys.modules:
        register_tests()
    else:
        sys.meta_path.insert(0, _Waiting())


def register_tests() -> None:
    """Register every test by its id; one that does not say what agents see and do says so when it is made."""
    from gymnasium.envs.registration import register, registry

    from mensura.catalog.find import list_tests

    for id in list_tests():
        if f"mensura/{id}" not in registry:
            register(f"mensura/{id}", entry_point=f"{__name__}:make", kwargs={"test": id})


def make(*, test: str, seed: int | None = None, render_mode: str | None = None, **parameters: Any) -> Any:
    """Make the environment of a test; parameters of the test may be given to `gymnasium.make`."""
    from mensura.running.environment.environment import as_env

    return as_env(test, seed=seed, render_mode=render_mode, **parameters)


class _Waiting(MetaPathFinder):
    """Lets Gymnasium be loaded as ever, and registers the tests right after."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if name != REGISTRY or self not in sys.meta_path:
            return None
        sys.meta_path.remove(self)
        spec = find_spec(name)
        if spec is None or spec.loader is None:
            return spec
        load = spec.loader.exec_module

        def load_and_register(module: ModuleType) -> None:
            load(module)
            register_tests()

        spec.loader.exec_module = load_and_register  # type: ignore[method-assign]
        return spec
