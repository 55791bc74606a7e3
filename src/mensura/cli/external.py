"""Commands that tests bring themselves, found by entry points: `mensura score NAME`, `mensura generate NAME`."""

from importlib.metadata import entry_points
from typing import ClassVar

import click

from mensura.errors import unknown


class External(click.Group):
    """A group whose commands are entry points of one group; with a fallback for any other noun."""

    entries: ClassVar[str]
    """The group of entry points."""
    fallback: ClassVar[click.Command | None] = None

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(entry_points(group=self.entries).names)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        for entry in entry_points(group=self.entries, name=name):
            loaded: click.Command = entry.load()
            return loaded
        return self.fallback

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        command = self.get_command(ctx, name)
        if command is None:
            known = self.list_commands(ctx)
            raise unknown("test", name, known=known, see=f"Those that can are {', '.join(known)}.")
        # The fallback takes the noun itself as its argument.
        return name, command, args if command is self.fallback else args[1:]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Tests with a command of their own"):
            formatter.write_dl([(name, f"see `{ctx.command_path} {name} --help`") for name in self.list_commands(ctx)])
