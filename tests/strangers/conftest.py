"""A foreign package, taken from the page that tells how to write one, built and installed by pip."""

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

PAGE = Path(__file__).parents[2] / "docs" / "extend.md"
FENCE = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```", re.M | re.S)


def install(folder: Path, project: str) -> None:
    """Write what an installer notes of a package: its name, version and entry points."""
    told = tomllib.loads(project)["project"]
    noted = folder / f"{told['name']}-{told['version']}.dist-info"
    noted.mkdir()
    (noted / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {told['name']}\nVersion: {told['version']}\n")
    groups = [
        f"[{group}]\n" + "".join(f"{name} = {value}\n" for name, value in points.items())
        for group, points in told["entry-points"].items()
    ]
    (noted / "entry_points.txt").write_text("\n".join(groups))


@pytest.fixture
def site(tmp_path, monkeypatch) -> Iterator[Path]:
    """A folder of installed packages; what was imported from it is forgotten afterwards."""
    folder = tmp_path / "site"
    folder.mkdir()
    monkeypatch.syspath_prepend(str(folder))
    monkeypatch.setenv("PYTHONPATH", str(folder))
    before = set(sys.modules)
    yield folder
    for name in set(sys.modules) - before:
        if str(folder) in str(getattr(sys.modules[name], "__file__", "")):
            del sys.modules[name]


@pytest.fixture(scope="session")
def installed(tmp_path_factory) -> Path:
    """A folder into which pip has installed the package of the page, built from the files that the page shows."""
    pytest.importorskip("hatchling", reason="hatchling builds the package")
    source, folder = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("installed")
    for _, options, body in FENCE.findall(PAGE.read_text()):
        if found := re.search(r"file=(\S+)", options):
            path = source / found[1]
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(body)
    tool = [sys.executable, "-m", "pip"] if find_spec("pip") else ["uv", "pip"]
    offline = ["--quiet", "--no-index", "--no-deps", "--no-build-isolation", "--target", str(folder)]
    subprocess.run([*tool, "install", *offline, str(source)], check=True)
    return folder


@pytest.fixture
def compass(site, installed) -> Path:
    """The package of the page, installed."""
    shutil.copytree(installed, site, dirs_exist_ok=True)
    return site


@pytest.fixture
def commands(compass) -> Callable[[], list[str]]:
    """The commands that the page shows."""
    return lambda: re.findall(r"^\$ mensura (.+)$", PAGE.read_text(), re.M)
