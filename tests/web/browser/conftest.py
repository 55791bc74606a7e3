"""A real Chromium, one for each module, and a laboratory that it visits."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mensura.store import open_store
from mensura.store.people.invitations import Step
from mensura.web.local import served
from mensura.web.participant.invitation import Frame, invite
from mensura.web.settings import WebSettings
from tests.proofs import proofs
from tests.web import axe

GALLERY = f"{Path(__file__).parents[1] / 'gallery.py'}:gallery"
DESKTOP = {"width": 1100, "height": 800}
PHONE = {"width": 390, "height": 780}


@pytest.fixture(scope="module")
def browser(chromium):
    """Give the Chromium that all tests share."""
    return chromium


@pytest.fixture(scope="module")
def home(tmp_path_factory) -> Iterator[tuple[str, str]]:
    """Serve a laboratory; gives its address and its store."""
    place = str(tmp_path_factory.mktemp("laboratory") / "mensura.db")
    with served(WebSettings(store=place, absence_seconds=30)) as address:
        yield address, place


@pytest.fixture
def store(home):
    with open_store(home[1]) as opened:
        yield opened


@pytest.fixture
def invited(home, store) -> Callable[..., list]:
    """Give a maker of links, one for each person in a new session."""

    def make(test="coin", cast="human", *, before=(), details=None, **parameters):
        frame = Frame(before=before, after=[Step("thanks")], details={"show_scores": True, **(details or {})})
        return invite(test, cast, store=store, seed=1, parameters=parameters, frame=frame)[1]

    return make


@pytest.fixture
def people(browser, home) -> Iterator[Callable]:
    """Give a maker of people with a browser of their own; whatever their pages complain about fails the test."""
    contexts, complaints = [], []

    def make(link, *, size=DESKTOP, **options):
        context = browser.new_context(viewport=size, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console", lambda said: complaints.append(said.text) if "Content Security Policy" in said.text else None
        )
        page.goto(home[0] + link.path)
        return page

    yield make
    for context in contexts:
        context.close()
    assert not complaints, complaints


@pytest.fixture
def gallery() -> str:
    return GALLERY


# Most tests are at desktop width already: what is asked for at both is most likely to break on a phone.
@pytest.fixture(params=[*proofs("desktop"), "phone"])
def size(request) -> dict[str, int]:
    """Give the two widths at which people come."""
    return DESKTOP if request.param == "desktop" else PHONE


@pytest.fixture
def faults_of() -> Callable:
    """Give what finds faults of accessibility on a page."""
    return axe.faults_of
