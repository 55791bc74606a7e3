"""A small exam, and the published Final exam where its data are present."""

from pathlib import Path

import pytest

from mensura.catalog.sensemaking.mitre import read_exam

DATA = Path(__file__).parents[3].parent / "shared" / "data" / "icarus"


@pytest.fixture(scope="session")
def data() -> Path:
    if not DATA.exists():
        pytest.skip("the ICArUS Final Exam data are not at ../shared/data/icarus")
    return DATA


@pytest.fixture(scope="session")
def final_exam(data):
    return read_exam(data / "exam_final")
