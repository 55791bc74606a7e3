"""`mensura serve`: the pages of the laboratory."""

import http.client
import socket
import time
from collections.abc import Callable
from contextlib import suppress
from threading import Thread
from typing import Any

import click

from mensura.cli.options import store_option
from mensura.console import say
from mensura.errors import BadParameter
from mensura.signals import ended_by_signals, listening_error

APP = "mensura.web.app:from_environment"
ENDING_SECONDS = 5
"""How long pages that are still being sent may take once a signal ends the server."""
LOOK_SECONDS = 60.0


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at; 0.0.0.0 is all of them.")
@click.option(
    "--port", default=8000, show_default=True, type=click.IntRange(0, 65535), help="0 takes any that is free."
)
@click.option("--workers", default=1, show_default=True, type=click.IntRange(1, 64), help="Processes that serve.")
@click.option("--secure", is_flag=True, help="Accept browsers by https only (behind a proxy that speaks it).")
@click.option(
    "--login-hours", default=12.0, show_default=True, type=click.FloatRange(0.1, 720), help="How long a login lasts."
)
@click.option(
    "--idle-minutes",
    default=120.0,
    show_default=True,
    type=click.FloatRange(0, 43200),
    help="A login ends after this long without a page being opened; 0 for never.",
)
@store_option
def command(
    host: str, port: int, workers: int, secure: bool, login_hours: float, idle_minutes: float, store: str | None
) -> None:
    """Serve the laboratory: pages for participants and experimenters, and the HTTP API.

    \b
      mensura serve
      mensura serve --host 0.0.0.0 --port 80 --workers 2 --store postgresql://lab@db/mensura
    """
    import uvicorn
    from uvicorn.supervisors import Multiprocess

    from mensura.store import open_store
    from mensura.store.place import find_place
    from mensura.store.scrub import scrub_left
    from mensura.web.safety.slow import TimedProtocol, allow_many_connections
    from mensura.web.settings import WebSettings

    place = find_place(store)
    # Opened here first: what is wrong with the store is said once, before any process serves it.
    with open_store(place.url) as opened:
        accounts = opened.accounts.all()
        scrub_left(opened.database)
    listener = _listener(host, port, workers=workers)
    home = f"http://{f'[{host}]' if ':' in host else host}:{listener.getsockname()[1]}"

    def ready() -> None:
        say(f"Serving {place.shown} at {home}/ with {workers} {'process' if workers == 1 else 'processes'}.")
        if accounts:
            say(f"Experimenters log in at {home}/lab. Stop with Ctrl-C.")
        else:
            say("Nobody can log in yet. Make the first account in another window: mensura account add NAME")

    settings = WebSettings(
        store=place.url,
        secure=secure,
        workers=workers,
        login_seconds=3600 * login_hours,
        idle_seconds=60 * idle_minutes,
    )
    settings.to_environment()
    allow_many_connections()
    options: dict[str, Any] = {
        "factory": True,
        "workers": workers,
        "log_level": "warning",
        "http": TimedProtocol,
        # People think for longer than the usual 5 s, and a new connection costs them and the server time.
        "timeout_keep_alive": 30,
        # Links are keys: they must not be written into logs.
        "access_log": False,
        "server_header": False,
        "timeout_graceful_shutdown": ENDING_SECONDS,
    }
    config = uvicorn.Config(APP, **options)
    Thread(target=_tell_when_answering, args=(listener, ready), name="ready", daemon=True).start()
    with suppress(KeyboardInterrupt), ended_by_signals():
        if workers > 1:
            Multiprocess(config, sockets=[listener]).run()
        else:
            uvicorn.Server(config).run(sockets=[listener])


def _listener(host: str, port: int, *, workers: int) -> socket.socket:
    """Return a socket at an address, which listens once the server does."""
    from mensura.web.shared_port import SPREAD, SharedPort

    plain = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        plain.bind((host, port))
        if workers == 1 or not SPREAD:
            return plain
        # Bound by the plain one first: one that is shared would be let in where another server listens already.
        port = plain.getsockname()[1]
        plain.close()
        return SharedPort(host, port)
    except OSError as error:
        plain.close()
        raise BadParameter(listening_error(host, port, error)) from None


def _tell_when_answering(listener: socket.socket, ready: Callable[[], None]) -> None:
    """Wait until the server answers a request, whichever of its processes, and tell."""
    host, port = listener.getsockname()[:2]
    here = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)
    while True:
        asking = http.client.HTTPConnection(here, port, timeout=LOOK_SECONDS)
        with suppress(OSError, http.client.HTTPException):
            asking.request("GET", "/health")
            asking.getresponse()
            ready()
            return
        asking.close()
        time.sleep(0.05)
