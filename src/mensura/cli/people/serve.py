"""`mensura serve`: the pages of the laboratory."""

import socket
from typing import Any

import click

from mensura.cli.options import store_option
from mensura.console import say
from mensura.errors import BadParameter

APP = "mensura.web.app:from_environment"


@click.command("serve")
@click.option("--host", default="127.0.0.1", show_default=True, help="Address to listen at; 0.0.0.0 is all of them.")
@click.option("--port", default=8000, show_default=True, type=click.IntRange(0, 65535))
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
    from mensura.web.shared_port import SPREAD, SharedPort

    place = find_place(store)
    # Opened here first: what is wrong with the store is said once, before any process serves it.
    with open_store(place.url) as opened:
        accounts = opened.accounts.all()
        scrub_left(opened.database)
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise BadParameter(f"Cannot listen at {host}:{port}: {error.strerror}. Choose another --port.") from None
    say(f"Serving {place.shown} at http://{host}:{port}/ with {workers} {'process' if workers == 1 else 'processes'}.")
    if accounts:
        say(f"Experimenters log in at http://{host}:{port}/lab. Stop with Ctrl-C.")
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
        "host": host,
        "port": port,
        "workers": workers,
        "log_level": "warning",
        "http": TimedProtocol,
        # People think for longer than the usual 5 s, and a new connection costs them and the server time.
        "timeout_keep_alive": 30,
        # Links are keys: they must not be written into logs.
        "access_log": False,
        "server_header": False,
    }
    if workers > 1 and SPREAD:
        Multiprocess(uvicorn.Config(APP, **options), sockets=[SharedPort(host, port)]).run()
    else:
        uvicorn.run(APP, **options)
