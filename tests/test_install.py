"""What `pip install mensura` brings: few packages, little weight, and a program that says what it lacks.

A venv is made of the packages that the default installation needs, each linked from this environment, and of nothing
else; so nothing is downloaded, and what a user without extras would read is read.
"""

import json
import os
import re
import subprocess
import venv
from importlib.metadata import Distribution, distribution, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

ROOT = Path(__file__).parents[1]
SHELL = ("pip", "setuptools")
"""What a new venv holds already; the second up to Python 3.11."""
MEGABYTE = 2**20


def needed(*names: str) -> dict[str, Distribution]:
    """Return the default installation: our own requirements and theirs, extras left out but for those asked for."""
    found: dict[str, Distribution] = {}
    wanted = [(name, "") for name in names]
    while wanted:
        name, extra = wanted.pop()
        known = found.setdefault(_plain(name), distribution(name))
        for line in known.requires or []:
            requirement = Requirement(line)
            if requirement.marker is None or requirement.marker.evaluate({"extra": extra}):
                more = [(requirement.name, one) for one in requirement.extras or [""]]
                wanted += [one for one in more if one[1] or _plain(one[0]) not in found]
    return found


def _plain(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def files_of(package: Distribution) -> list[Path]:
    """Return the files that installing a package writes, without what Python compiles."""
    listed = [Path(str(package.locate_file(file))) for file in package.files or []]
    return [file for file in listed if file.suffix != ".pyc" and file.is_file()]


def weight(files: list[Path]) -> float:
    """Return what files and their folders take on the disk, in MB, as `du` counts."""
    folders = {file.parent for file in files}
    return sum(path.stat().st_blocks * 512 for path in [*files, *folders]) / MEGABYTE


@pytest.fixture(scope="module")
def light(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of programs of a venv with the default installation."""
    place = tmp_path_factory.mktemp("light") / "venv"
    venv.create(place, with_pip=False, symlinks=True)
    site = next(place.glob("lib/python*/site-packages"))
    for package in needed("mensura").values():
        for top in {Path(str(file)).parts[0] for file in package.files or []} - {"..", "__pycache__"}:
            if not (site / top).exists() and (found := Path(str(package.locate_file(top)))).exists():
                (site / top).symlink_to(found)
    # Ours is installed from the clone: its code and its metadata.
    (site / "mensura").unlink(missing_ok=True)
    (site / "mensura").symlink_to(ROOT / "src" / "mensura")
    return place / "bin"


def run(command: list[str], folder: Path) -> subprocess.CompletedProcess[str]:
    """Run a command in a folder, without the settings of whoever runs the tests."""
    given = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "MENSURA", "VIRTUAL"))}
    given["COLUMNS"] = "200"
    return subprocess.run(command, cwd=folder, env=given, capture_output=True, text=True, timeout=300)


def said(light: Path, folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    """Run `mensura` as someone who has the default installation only."""
    return run([str(light / "python"), "-c", "from mensura.cli.main import main; main()", *words], folder)


def test_the_default_installation_has_at_most_45_packages():
    assert len([*needed("mensura"), *SHELL]) <= 45


def test_the_default_installation_weighs_at_most_530_megabytes():
    # Ours is counted from the clone, where it is installed in place; pip and setuptools take less than 30.
    ours = subprocess.run(["git", "ls-files", "src/mensura"], cwd=ROOT, capture_output=True, text=True)
    if ours.returncode:
        pytest.skip("this is no git checkout: nobody knows which files belong to it")
    files = [ROOT / name for name in ours.stdout.splitlines() if (ROOT / name).is_file()]
    packages = [file for package in needed("mensura").values() for file in files_of(package)]
    assert weight([*files, *packages]) + 30 <= 530


@pytest.mark.parametrize("library", ["numba", "llvmlite", "statsmodels", "pandas", "krippendorff", "pypdf"])
def test_heavy_libraries_of_few_users_come_with_extras_only(library):
    assert library not in needed("mensura")


def test_all_brings_every_system_what_it_needs():
    systems = {line.split(";")[0] for line in requires("mensura") or [] if "extra == 'systems'" in line}
    everything = {line.split(";")[0] for line in requires("mensura") or [] if "extra == 'all'" in line}
    assert any(line.startswith("numba") for line in systems)
    assert systems < everything


def test_a_test_whose_extra_is_missing_is_listed_with_the_command_that_installs_it(light, tmp_path):
    listed = said(light, tmp_path, "list").stdout
    assert re.search(r"^puzzles-v1 +Solve problems", listed, re.M)
    wanting = listed.partition("These need more than is installed:")[2]
    assert re.search(r'^puzzles-v1 +pip install "mensura\[puzzles\]"$', wanting, re.M)
    assert re.search(r'^arcade-v1 +pip install "mensura\[arcade\]"$', wanting, re.M)
    assert "coin-v1" not in wanting
    assert json.loads(said(light, tmp_path, "list", "puzzles", "--json").stdout)["needs"].endswith('"mensura[puzzles]"')


def test_a_run_whose_extra_is_missing_names_it_before_anything_is_stored(light, tmp_path):
    done = said(light, tmp_path, "run", "puzzles", "--as", "chance")
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == 'mensura: Sessions of puzzles need numba: pip install "mensura[puzzles]"\n'


EVERY_TEST = """
import json, mensura as m
from mensura.errors import MissingExtra, NotInstalled

def came(id):
    try:
        return len(m.run(id, "chance", seed=1, store="x.db").result.scores)
    except MissingExtra as missing:
        return missing.install
    except NotInstalled as missing:
        return str(missing)

for id in m.list_tests():
    with m.open_store("x.db") as store:
        before = len(store.runs.all())
    found = came(id)
    with m.open_store("x.db") as store:
        print(json.dumps([id, found, len(store.runs.all()) - before]))
"""
"""Lets chance take every test once, and prints what came of it and how many runs it stored."""


@pytest.mark.slow
def test_every_test_runs_on_the_default_installation_or_names_its_extra(light, tmp_path):
    done = run([str(light / "python"), "-c", EVERY_TEST], tmp_path)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    refused = {id: (found, stored) for id, found, stored in lines if str(found).startswith("pip install")}
    assert refused == {
        id: (f'pip install "mensura[{extra}]"', 0)
        for id, extra in {
            "arcade-v1": "arcade",
            "constraints-v1": "constraints",
            "detection-v2": "detection",
            "lambda-star-social-v2": "lambda-star",
            "lambda-star-v1": "lambda-star",
            "pagi-world-v1": "pagi-world",
            "puzzles-v1": "puzzles",
            "task-environments-v1": "task-environments",
            "task-understanding-v1": "task-environments",
        }.items()
    }
    others = {id: found for id, found, _ in lines if id not in refused}
    assert len(others) >= 20
    # Without WordNet tests of verbal analogies say so.
    assert {id for id, found in others.items() if isinstance(found, str)} <= {id for id in others if "analogy" in id}


def test_a_table_for_pandas_names_its_extra(light, tmp_path):
    code = "import mensura as m; m.run('coin', 'chance', seed=1, store='x.db').to_frame()"
    done = run([str(light / "python"), "-c", code], tmp_path)
    assert 'Tables for pandas need pandas: pip install "mensura[frames]"' in done.stderr
