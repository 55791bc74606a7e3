"""Imports point one way, `import mensura` is quick, and nothing heavy is loaded before it is used."""

import ast
import subprocess
import sys
from importlib.metadata import packages_distributions, version
from pathlib import Path

import pytest

import mensura

SOURCE = Path(__file__).parents[1] / "src" / "mensura"
LAYERS = ["words", "dialogue", "scores", "stats", "exhibit", "survey", "track_record", "subjects", "store", "catalog"]
LAYERS += ["running", "report", "library", "web", "cli"]
BELOW = {
    "words": set(),
    "dialogue": set(),
    "scores": {"dialogue"},
    "stats": {"dialogue"},
    "exhibit": {"dialogue", "stats"},
}
BELOW["survey"] = BELOW["track_record"] = {"dialogue", "scores", "stats", "exhibit"}
BELOW["subjects"] = BELOW["store"] = {"dialogue", "scores", "stats"}
BELOW["catalog"] = {*BELOW["survey"], "words", "survey", "track_record", "subjects"}
MAY_IMPORT = {layer: BELOW.get(layer, set(LAYERS[: LAYERS.index(layer)])) for layer in LAYERS}
FILES = sorted(SOURCE.rglob("*.py"))


def imported(path):
    """Name every module of ours that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
            yield from ([node.module] if node.module != "mensura" else [f"mensura.{a.name}" for a in node.names])
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)


def layer_of(module):
    parts = module.split(".")
    return parts[1] if parts[0] == "mensura" and len(parts) > 1 and parts[1] in LAYERS else None


@pytest.mark.parametrize("layer", LAYERS)
def test_imports_point_one_way(layer):
    wrong = [
        f"{path.relative_to(SOURCE)} imports {module}"
        for path in FILES
        if path.relative_to(SOURCE).parts[0] == layer
        for module in imported(path)
        if layer_of(module) not in (None, layer, *MAY_IMPORT[layer])
    ]
    assert not wrong, "\n".join(wrong)


def test_rooms_above_the_catalog_know_no_test():
    wrong = [
        f"{path.relative_to(SOURCE)} imports {module}"
        for path in FILES
        if path.relative_to(SOURCE).parts[0] in ("running", "report", "web", "cli")
        for module in imported(path)
        if module.startswith("mensura.catalog.") and not module.startswith("mensura.catalog.find")
    ]
    assert not wrong, "\n".join(wrong)


def test_tests_of_the_catalog_do_not_import_one_another():
    wrong = []
    for path in FILES:
        parts = path.relative_to(SOURCE).parts
        if parts[0] != "catalog" or len(parts) < 3:
            continue
        for module in imported(path):
            names = module.split(".")
            if names[:2] == ["mensura", "catalog"] and len(names) > 2 and names[2] not in (parts[1], "find"):
                wrong.append(f"{path.relative_to(SOURCE)} imports {module}")
    assert not wrong, "\n".join(wrong)


def packages_loaded_by(code):
    """Return the installed packages that Python has loaded after running some code."""
    before, after = "import sys; before = set(sys.modules)", "import sys; print(*set(sys.modules) - before)"
    said = f"{before}\ntry:\n    {code}\nexcept SystemExit:\n    pass\n{after}"
    done = subprocess.run([sys.executable, "-c", said], capture_output=True, text=True, check=True)
    tops = {name.partition(".")[0] for name in done.stdout.splitlines()[-1].split()}
    return tops & set(packages_distributions()) - {"mensura"}


@pytest.mark.parametrize(
    "module",
    ["mensura", "mensura.dialogue", "mensura.stats", "mensura.store", "mensura.catalog.find"],
)
def test_importing_loads_numpy_alone(module):
    assert packages_loaded_by(f"import {module}") == {"numpy"}


@pytest.mark.parametrize("words", [["--help"], ["--version"], ["list"], ["list", "coin"]])
def test_commands_that_only_say_something_load_nothing_heavy(words):
    code = f"from mensura.cli.main import main; sys.argv = ['mensura', *{words}]; main()"
    assert packages_loaded_by(code) <= {"numpy", "click"}


def test_the_version_is_that_of_the_installed_package():
    assert mensura.__version__ == version("mensura")


def test_no_folder_for_things_without_a_noun():
    wrong = [path for path in FILES if path.stem in ("utils", "util", "helpers", "common", "misc")]
    assert not wrong
