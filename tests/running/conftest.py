"""A store for each test of running."""

import pytest

from mensura.store import open_store


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path / "mensura.db") as opened:
        yield opened
