"""A release says one version and date everywhere, names every extra with its licence, and lists its pages."""

import re
import runpy
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
EXTRAS = PROJECT["optional-dependencies"]
INSTALL = (ROOT / "docs" / "install.md").read_text()


def row_of(extra):
    """Return the row of the table of licences that names an extra."""
    rows = [line for line in INSTALL.splitlines() if line.startswith("| `") and f"`{extra}`" in line.split("|")[1]]
    assert len(rows) == 1, extra
    return rows[0]


def packages(extra):
    """Return the names of the packages that an extra brings by itself."""
    found = [re.match(r"[\w.-]+", need)[0] for need in EXTRAS[extra]]
    return [name for name in found if name != "mensura"]


def test_version_and_date_are_one():
    newest, before = re.findall(r"^## ([\d.]+) \((\d{4}-\d\d-\d\d)\)$", (ROOT / "CHANGELOG.md").read_text(), re.M)[:2]
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    assert newest == (PROJECT["version"], cited["date-released"])
    assert cited["version"] == PROJECT["version"]
    assert before[0] != newest[0]
    assert before[1] <= newest[1]


@pytest.mark.parametrize("extra", EXTRAS)
def test_each_extra_is_named_with_its_packages(extra):
    assert all(name in row_of(extra) for name in packages(extra))


@pytest.mark.parametrize("extra", EXTRAS)
def test_a_licence_that_asks_for_more_is_named_where_users_read(extra):
    for name in packages(extra):
        try:
            stated = metadata(name)
        except PackageNotFoundError:
            continue
        licence = stated["License-Expression"] or stated["License"] or " ".join(stated.get_all("Classifier") or ())
        # Some put the whole text there, which names the licences of others too.
        if found := re.search(r"A?L?GPL-?\d", licence.splitlines()[0] if licence else ""):
            assert found[0] in row_of(extra), f"{name}: {licence}"
            assert name in (ROOT / "README.md").read_text()
            assert found[0] in (ROOT / "README.md").read_text()


def test_the_readme_says_how_to_install_complete_and_cite():
    text = (ROOT / "README.md").read_text()
    for words in ("pip install mensura", "mensura completion bash", "CITATION.cff", "SECURITY.md", "GPL-2.0"):
        assert words in text


def test_the_package_says_what_it_is_for():
    assert PROJECT["keywords"]
    assert {"Programming Language :: Python :: 3.11", "Typing :: Typed"} <= set(PROJECT["classifiers"])


def test_the_list_of_pages_for_language_models_is_fresh():
    fresh = runpy.run_path(str(ROOT / "tools" / "llms.py"))["listing"]()
    assert (ROOT / "docs" / "llms.txt").read_text() == fresh, "run: python tools/llms.py"
    for page in (ROOT / "docs").glob("*.md"):
        assert f"]({page.name})" in fresh or page.name == "index.md", page.name


def test_every_extra_that_is_named_exists():
    pages = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "src").rglob("*.py")]
    for page in pages:
        for named in re.findall(r"mensura\[([a-z,-]+)\]", page.read_text()):
            assert set(named.split(",")) <= set(EXTRAS), page.name
