"""`mensura pagi-world`: list rooms and kinds, serve a room over TCP."""

import click

HELP = {"help_option_names": ["-h", "--help"]}


@click.group("pagi-world", context_settings=HELP)
def command() -> None:
    """Look at rooms with physics, and serve them to agents over TCP."""
