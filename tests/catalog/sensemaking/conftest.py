"""A generated exam, and the published Final exam."""

from pathlib import Path

import numpy as np
import pytest

from mensura.catalog.sensemaking.mitre.exam_reading import read_exam

DATA = Path(__file__).parents[2] / "data" / "icarus"


@pytest.fixture(scope="session")
def data() -> Path:
    return DATA


@pytest.fixture(scope="session")
def final_exam(data):
    return read_exam(data / "exam_final")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A generated exam in files, as a study would use it."""
    from mensura.catalog.sensemaking.generating import generate_exam, write_generated

    path = tmp_path_factory.mktemp("exam")
    write_generated(generate_exam(np.random.default_rng(4), id="generated-4"), path)
    return path


@pytest.fixture(scope="module")
def browser(chromium):
    return chromium


@pytest.fixture
def lab(tmp_path, browser):
    """A laboratory on a free port, a page, and what went wrong on it."""
    local = pytest.importorskip("mensura.web.local", reason="the web pages are not installed")
    from mensura.store import open_store
    from mensura.web.settings import WebSettings

    url = f"sqlite:///{tmp_path / 'lab.db'}"
    page = browser.new_page(viewport={"width": 1280, "height": 1000})
    problems = []
    page.on("pageerror", lambda problem: problems.append(str(problem)))
    with open_store(url) as store, local.served(WebSettings(store=store.url)) as home:
        yield store, home, page
    page.close()
    assert problems == []
