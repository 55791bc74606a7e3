"""The office in a real Chromium: the small world, a laboratory on a free port, and people who sit down in it."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import pytest

from mensura.catalog.crisis.office.office import OfficeState
from mensura.catalog.crisis.office.replay import office_of
from mensura.catalog.crisis.settings import DELAYS
from mensura.catalog.crisis.world.conference import Conference
from mensura.catalog.crisis.world.mail import Letter

TEST = "mensura.catalog.crisis.dialogue:crisis"
DESKTOP = {"width": 1280, "height": 800}
PHONE = {"width": 390, "height": 780}
HOSTILE = (
    '<img src=x onerror="window.stolen=1"><script>window.stolen=2</script>'
    '<a href="javascript:window.stolen=3">prize</a> ]]> --> </script></textarea> &lt;b&gt; ${window.stolen=4} {{ 7*7 }}'
)
SOON = 4


@pytest.fixture(scope="package")
def browser(chromium: Any) -> Any:
    """Give the Chromium that all tests share."""
    return chromium


@pytest.fixture(scope="package")
def package(small: Conference, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Give the small world as a file, with a hostile letter, and one that comes soon after the beginning."""
    more = (
        Letter(id="m-0", tick=0, sender="otto", subject="You <b>won</b>", body=HOSTILE),
        Letter(id="m-soon", tick=SOON, sender="joan", subject="Keys", body="The keys are with the porter."),
    )
    letters = tuple(sorted((*small.letters, *more), key=lambda letter: letter.tick))
    path = tmp_path_factory.mktemp("package") / "small.json"
    path.write_text(json.dumps(small.model_copy(update={"letters": letters}).data()))
    return str(path)


@pytest.fixture(scope="package")
def home(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, str]]:
    """Serve a laboratory; gives its address and its store."""
    local = pytest.importorskip("mensura.web.local", reason="the web pages are not installed")
    from mensura.web.settings import WebSettings

    place = str(tmp_path_factory.mktemp("laboratory") / "mensura.db")
    with local.served(WebSettings(store=place)) as address:
        yield address, place


@pytest.fixture
def store(home: tuple[str, str]) -> Iterator[Any]:
    """Open the laboratory's store."""
    from mensura.store import open_store

    with open_store(home[1]) as opened:
        yield opened


@pytest.fixture
def prompt_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let owners and vendors write back at once."""
    for name, ticks in {"receipt": 1, "quote": 1, "form_only": 1, "owner": 1, "owner_spread": 1}.items():
        monkeypatch.setitem(DELAYS, name, ticks)


def _is_fault(said: Any) -> bool:
    """Say whether the browser complains of something that is no lost line or refused act."""
    expected = ("ERR_INTERNET_DISCONNECTED", "409 (Conflict)", "422 (Unprocessable Entity)")
    return said.type == "error" and not any(words in said.text for words in expected)


@dataclass
class Seated:
    """Someone at a desk in a browser, and the session they are in."""

    page: Any
    session: str
    path: str
    store: Any

    def tab(self, name: str) -> None:
        """Open a view of the office."""
        self.page.locator(".desk-tab", has_text=name).click()

    def settled(self) -> None:
        """Wait until what was done has been answered."""
        self.page.wait_for_selector("main[data-ready] .desk:not([aria-busy])")

    def click(self, selector: str, **more: Any) -> None:
        """Click, and wait until it has been answered."""
        self.page.locator(selector, **more).first.click()
        self.settled()

    @property
    def said(self) -> str:
        """What the office said last."""
        return str(self.page.inner_text(".desk-said"))

    def office(self) -> OfficeState:
        """Give the office as the stored log leaves it."""
        return office_of(self.store.records.find(self.session))

    def calls(self, *wanted: str) -> list[dict[str, Any]]:
        """Give the acts of the log with these names."""
        return [each.arguments for each in self.office().history if each.call in wanted]


@pytest.fixture
def sit(browser: Any, home: tuple[str, str], store: Any, package: str) -> Iterator[Callable[..., Seated]]:
    """Give a maker of people who sit down at a desk; whatever their pages complain about fails the test."""
    from mensura.store.people.invitations import Step
    from mensura.web.participant.invitation import Frame, invite

    contexts, complaints = [], []

    def make(condition: str = "agent", *, size: dict[str, int] = DESKTOP, cast: Any = "human", **more: Any) -> Seated:
        parameters = {"condition": condition, "package": package, "minutes": 30, **more}
        frame = Frame(after=[Step("thanks")], details={"show_scores": True})
        _, links = invite(TEST, cast, store=store, seed=1, parameters=parameters, frame=frame)
        seated = [enter(link, size) for link in links]
        return seated[0] if len(seated) == 1 else seated  # type: ignore[return-value]

    def enter(link: Any, size: dict[str, int]) -> Seated:
        context = browser.new_context(viewport=size)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda said: complaints.append(said.text) if _is_fault(said) else None)
        page.goto(home[0] + link.path)
        return Seated(page, link.session, home[0] + link.path, store)

    yield make
    for context in contexts:
        context.close()
    assert not complaints, complaints


@pytest.fixture
def hostile() -> str:
    """Give the body of the letter that means harm."""
    return HOSTILE


@pytest.fixture
def phone() -> dict[str, int]:
    """Give the size of a phone."""
    return PHONE
