"""The page for those who carry on is true: its folders are the folders, its layers the layers."""

import re
from pathlib import Path

from tests.test_imports import LAYERS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text()


def test_the_map_names_every_folder_and_no_other():
    told = re.findall(r"^\| `(\w+)/` \|", PAGE, re.M)
    there = [path.name for path in (ROOT / "src" / "mensura").iterdir() if (path / "__init__.py").exists()]
    assert sorted(told) == sorted(there)
    assert told == [layer for layer in LAYERS if layer in told], "in the order of the layers"


def test_the_picture_of_the_layers_is_the_one_that_is_enforced():
    line = next(line for line in PAGE.splitlines() if line.startswith("words, dialogue  ←"))
    assert re.findall(r"\w+", line) == LAYERS


def test_every_file_and_folder_that_it_names_exists():
    named = re.findall(r"`((?:[a-z_]+/)+(?:[a-z_]+\.py)?)`", PAGE)
    missing = [name for name in named if not any((ROOT / base / name).exists() for base in ("", "src/mensura"))]
    assert named
    assert not missing
