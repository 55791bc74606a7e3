"""The house is in order: rooms one can look through, one noun for one thing, every test laid out alike."""

import ast
import re
from collections import defaultdict
from importlib.metadata import entry_points
from pathlib import Path

import pytest

from mensura.catalog.find import find_test, list_tests

SOURCE = Path(__file__).parents[1] / "src" / "mensura"
FILES = sorted(SOURCE.rglob("*.py"))
MOST = 17
"""About fifteen, the stop of the tour besides."""


def test_no_folder_holds_more_modules_than_one_can_look_through():
    counted = defaultdict(int)
    for path in FILES:
        if path.name != "__init__.py":
            counted[path.parent] += 1
    assert {str(folder.relative_to(SOURCE)): n for folder, n in counted.items() if n > MOST} == {}


def test_a_class_name_means_one_thing():
    # Whatever looks like a class is looked at more closely where its name is there twice: to parse all takes seconds.
    looking = defaultdict(list)
    for path in FILES:
        for name in re.findall(r"^\s*class ([^\W_]\w*)", path.read_text(), re.M):
            looking[name].append(path)
    twice = {name: paths for name, paths in looking.items() if len(paths) > 1}
    places = defaultdict(list)
    for path in sorted({path for paths in twice.values() for path in paths}):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ClassDef) and node.name in twice:
                places[node.name].append(str(path.relative_to(SOURCE)))
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


@pytest.mark.parametrize(
    "id", [id for id in list_tests() if "mensura." in entry_points(group="mensura.tests")[id].value]
)
def test_a_test_is_found_in_its_folder(id):
    """`<folder>/dialogue.py`, or `<folder>/<name>/dialogue.py` for a second one; its score function in scoring."""
    module = entry_points(group="mensura.tests")[id].module.split(".")
    assert module[:2] == ["mensura", "catalog"]
    assert module[-1] == "dialogue"
    assert len(module) in (4, 5)
    score = find_test(id).score
    if score is not None and score.__module__ != ".".join(module):
        assert "scoring" in score.__module__.split("."), score.__module__


def test_only_the_one_report_writes_reports():
    """No test of the catalog has an environment of templates, or prints, for results of its own."""
    wrong = [
        f"{path.relative_to(SOURCE)}: {word}"
        for path in (SOURCE / "catalog").rglob("*.py")
        # The questions of lm-eval's tasks are such templates.
        if path.relative_to(SOURCE / "catalog").parts[:2] != ("bank", "lm_eval")
        for word in re.findall(r"jinja2|PackageLoader|rich\.table", path.read_text())
    ]
    assert wrong == []
