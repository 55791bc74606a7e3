"""`mensura generate`: the material of a test, from a seed."""

import click

from mensura.cli.external import External


class Generators(External):
    """Tests that make material bring a command."""

    entries = "mensura.generators"
    lacks = "{} makes no files: its questions are drawn when it is taken."


@click.command(
    "generate", cls=Generators, context_settings={"ignore_unknown_options": True, "help_option_names": ["-h", "--help"]}
)
def command() -> None:
    """Make the material of a test from a seed and parameters, without anyone taking it.

    \b
      mensura generate sensemaking --seed 1 --out DIR
      mensura generate detection --individuals 100000 --seed 1 --out DIR
    """
