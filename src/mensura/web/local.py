"""Local: lets people at this computer take a test in their browser, and waits for the result."""

import socket
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from threading import Thread
from typing import TYPE_CHECKING, Any

from mensura.catalog.find import find_test
from mensura.errors import BadParameter
from mensura.running.carry import carry_over, earlier_sessions
from mensura.running.results.summary import RunResult, summarise_run
from mensura.signals import ended_by_signals
from mensura.store.people.invitations import Step
from mensura.subjects.sandbox.confinement import Confinement
from mensura.subjects.spec import HUMAN
from mensura.web.participant.invitation import Frame, Link, invite
from mensura.web.settings import WebSettings

if TYPE_CHECKING:
    from mensura.dialogue import Test
    from mensura.store import Store

LOOK_SECONDS = 0.3
PARTING_SECONDS = 20.0
"""How long the server stays after the session is over and nobody was heard of."""


def take_in_browser(
    test: "str | Test",
    cast: str | Mapping[str, str] = HUMAN,
    *,
    store: "Store",
    seed: int | None = None,
    parameters: Mapping[str, Any] | None = None,
    setting: str | None = None,
    show: Callable[[str], None] | None = None,
    after: str | None = None,
    confinement: Confinement = Confinement(),
) -> RunResult:
    """Let people take a test once in a browser on this computer, and give the result when it is over.

    Parameters
    ----------
    cast
        "human" for all roles, or a subject for each role, at least one of them "human". With several people each has
        a separate window.
    show
        What is done with every link; by default it is opened in the browser.
    after
        An earlier run of the same person: what it left, this session begins with.
    confinement
        What programs in other roles may see and reach.

    Raises
    ------
    BadParameter
        If nobody is a person, or there is no browser to open.
    """
    frame = Frame(after=[Step("thanks")], details={"show_scores": True, "local": True})
    definition = find_test(test)
    earlier = earlier_sessions(after, test=definition, store=store) if after else []
    about: dict[str, Any] = {"seed": seed, "parameters": parameters, "setting": setting, "confinement": confinement}
    head, links = invite(test, cast, store=store, frame=frame, created_by="local", **about)
    for link in links:
        carry_over(link.session, earlier=earlier, test=definition, store=store)
    with served(WebSettings(store=store.url)) as home, ended_by_signals():
        for link in links:
            (show or open_browser)(home + link.path)
        _wait(store, links)
    return summarise_run(head, store=store)


def open_browser(address: str) -> None:
    """Open an address in the user's browser, or say how to."""
    import webbrowser

    if not webbrowser.open(address):
        raise BadParameter(f"No browser could be opened here. Open {address} yourself, or answer with --as terminal.")


@contextmanager
def served(settings: WebSettings) -> Iterator[str]:
    """Serve the laboratory on a free port of this computer only, and give its address."""
    import uvicorn

    from mensura.web.app import create_app
    from mensura.web.safety.slow import TimedProtocol

    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    app = create_app(replace(settings, secure=False))
    server = uvicorn.Server(uvicorn.Config(app, http=TimedProtocol, log_level="warning", access_log=False))
    # In a thread: the caller waits for people, and Python's main thread keeps its own signals.
    thread = Thread(target=server.run, kwargs={"sockets": [listener]}, name="mensura-serve", daemon=True)
    thread.start()
    while not server.started and thread.is_alive():
        time.sleep(0.02)
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join(10.0)
        listener.close()


def _wait(store: "Store", links: list[Link]) -> None:
    """Wait until every session is over, and as long as people read what is said at its end."""
    invitations = store.invitations
    while any(store.sessions.find(link.session).status == "open" for link in links):
        if all(invitations.get(link.invitation.number).status == "withdrawn" for link in links):
            return
        time.sleep(LOOK_SECONDS)
    over, signs = time.time(), [link.invitation.sign for link in links]
    while time.time() < max([over, *store.presence.seen(signs).values()]) + PARTING_SECONDS:
        if all(invitations.get(link.invitation.number).status != "open" for link in links):
            # The last page is on its way.
            time.sleep(1.0)
            return
        time.sleep(LOOK_SECONDS)
