"""The folders of the catalog and the entry points of the package agree, and all are laid out alike."""

import tomllib
from pathlib import Path

import pytest

import mensura.catalog
from mensura.catalog.find import find_test, list_tests

FOLDER = Path(mensura.catalog.__file__).parent
PYPROJECT = FOLDER.parents[2] / "pyproject.toml"
FOLDERS = sorted(path.parent.name for path in FOLDER.glob("*/dialogue.py"))
# Their tests are made when they are named, from an environment or a file; there is no end to them.
UNREGISTERED = {"bank", "gym", "inspect", "questionnaire"}


def declared():
    return tomllib.loads(PYPROJECT.read_text())["project"]["entry-points"]["mensura.tests"]


def ours():
    """Ids of the registered tests that live in this package's catalog."""
    return [id for id, place in declared().items() if place.startswith("mensura.catalog.")]


def test_what_is_declared_is_installed():
    assert set(declared()) <= set(list_tests()), "install the package again after editing the entry points"


def test_every_folder_with_a_dialogue_registers_a_test():
    registered = {declared()[id].split(".")[2] for id in ours()}
    assert set(FOLDERS) - UNREGISTERED <= registered


@pytest.mark.parametrize("id", ours())
def test_a_registered_test_lives_in_a_folder_with_a_readme(id):
    folder = FOLDER / declared()[id].split(".")[2]
    assert (folder / "README.md").is_file()
    assert (folder / "__init__.py").is_file()


@pytest.mark.parametrize("id", ours())
def test_a_test_says_in_a_sentence_what_it_is(id):
    about = find_test(id).about
    assert about.endswith((".", "?"))
    assert len(about) <= 120


@pytest.mark.parametrize("id", ours())
def test_every_setting_can_be_filled_in(id):
    test = find_test(id)
    for setting in test.settings:
        filled = test.fill(setting=setting)
        assert {name: filled[name] for name in test.settings[setting]} == dict(test.settings[setting])


@pytest.mark.parametrize("folder", ["bargain", "coin", "corridor", "dilemma", "inbox"])
def test_the_readme_names_every_parameter_setting_and_subject(folder):
    words = (FOLDER / folder / "README.md").read_text()
    test = find_test(folder)
    for name in [*test.parameters, *test.settings, *test.subjects]:
        assert f"`{name}`" in words, name
