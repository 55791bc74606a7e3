"""The wheel is whole: built, installed outside the clone, it runs the lines of the README."""

import os
import re
import shlex
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.slow
ONE_PROCESS = """
import shlex, sys
from mensura.cli.main import cli
for line in sys.argv[1:]:
    try:
        status = cli.main(shlex.split(line), prog_name="mensura", standalone_mode=False)
    except SystemExit as end:
        status = end.code
    if status:
        sys.exit(f"mensura {line}: {status}")
"""


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    folder = tmp_path_factory.mktemp("wheel")
    words = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(words, cwd=ROOT, check=True, capture_output=True, text=True)
    return next(folder.glob("*.whl"))


def test_it_holds_every_file_that_the_package_reads(wheel):
    """Templates, scripts, tables and data travel, and nothing that was only lying about does."""
    listed = subprocess.run(["git", "ls-files", "src/mensura"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("this is no git checkout: nobody knows which files belong to it")
    held = {name for name in zipfile.ZipFile(wheel).namelist() if ".dist-info/" not in name}
    tracked = {name.removeprefix("src/") for name in listed.stdout.split("\n") if name}
    assert tracked - held == set()
    assert {name for name in held if name.endswith((".db", ".pyc", ".html.bak"))} == set()


def test_installed_elsewhere_it_runs_the_lines_of_the_readme(wheel, tmp_path):
    """The packages it needs come from this environment; itself only from the wheel."""
    place = tmp_path / "venv"
    venv.create(place, with_pip=False, symlinks=True)
    site = next(place.glob("lib/python*/site-packages"))
    zipfile.ZipFile(wheel).extractall(site)
    others = tmp_path / "others"
    others.mkdir()
    packages = Path(next(path for path in sys.path if path.endswith("site-packages")))
    for path in packages.iterdir():
        # An editable install of this clone must not stand in for the wheel.
        if not re.match(r"(_+editable_+)?mensura|.*\.pth$", path.name):
            (others / path.name).symlink_to(path)
    (site / "others.pth").write_text(str(others) + "\n")
    folder = tmp_path / "empty"
    folder.mkdir()
    python = str(place / "bin" / "python")
    settings = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "MENSURA", "VIRTUAL"))}
    settings["MENSURA_STORE"] = str(folder / "mensura.db")

    def run(*words):
        done = subprocess.run([python, *words], cwd=folder, env=settings, capture_output=True, text=True, timeout=300)
        assert done.returncode == 0, f"{words}\n{done.stdout}\n{done.stderr}"
        return done.stdout

    assert run("-c", "import mensura; print(mensura.__file__)").startswith(str(site))
    readme = (ROOT / "README.md").read_text()
    written = re.search(r"```python file=coins\.py\n(.*?)```", readme, re.S)[1]
    (folder / "coins.py").write_text(written)
    lines = re.findall(r"^\$ mensura (.*)$", readme, re.M)
    assert len(lines) >= 5
    # The first as users start it; the others in one process, since each would import everything anew.
    run("-c", "from mensura.cli.main import main; main()", *shlex.split(lines[0]))
    run("-c", ONE_PROCESS, *lines[1:])
    assert "<svg" in (folder / "comparison.html").read_text()
