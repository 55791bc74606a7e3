"""Desk: the page on which the person who starts a run approves of calls of tools."""

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mensura.console import say
from mensura.signals import ended_by_signals

if TYPE_CHECKING:
    from mensura.store import Store
    from mensura.subjects import SubjectSpec

LINGER_SECONDS = 3.0


@contextmanager
def open_desk(store: "Store", cast: "Iterable[SubjectSpec]") -> "Iterator[Callable[[str], None] | None]":
    """Serve that page where a subject wants it (#approve=human), and open the browser there."""
    if not any(spec.approved_by_people for spec in cast):
        yield None
        return
    from mensura.web.local import served
    from mensura.web.settings import WebSettings

    with ended_by_signals(), served(WebSettings(store=store.url)) as home:
        yield lambda path: _show(home + path)
        # An open page looks once a second: it shall say that no more calls are wanted, not wait for ever.
        time.sleep(LINGER_SECONDS)


def _show(address: str) -> None:
    import webbrowser

    say(f"Open {address} to approve of calls of tools; none is made before you have.")
    webbrowser.open(address)
