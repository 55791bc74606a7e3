"""A laboratory for each attack."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.attacks.laboratory import Laboratory


@pytest.fixture
def laboratory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Laboratory]:
    """Open a laboratory in a folder of its own, with a folder for scratch folders that no other test uses."""
    for name in ("work", "temporary"):
        (tmp_path / name).mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "temporary"))
    monkeypatch.chdir(tmp_path / "work")
    opened = Laboratory.open(tmp_path / "work")
    yield opened
    opened.store.close()
