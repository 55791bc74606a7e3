"""Commands that tests bring themselves, found by entry points: `mensura score NAME`, `mensura generate NAME`."""

from typing import ClassVar

import click
from click.shell_completion import CompletionItem

from mensura.cli.completion import complete_run
from mensura.errors import UnknownName, unknown
from mensura.extension import about, broken, extensions, load


def brought(group: str, name: str) -> click.Command | None:
    """Import the command that a package brings under a name; None where no package does."""
    point = extensions(group).get(name)
    if point is None:
        return None
    command = load(point)
    if not isinstance(command, click.Command):
        raise broken(point, f"it is {command!r:.60}, not a click command")
    return command


class External(click.Group):
    """A group whose commands are entry points of one group; with a fallback for any other noun."""

    entries: ClassVar[str]
    """The group of entry points."""
    lacks: ClassVar[str] = "{} has no such command."
    """The message for a test that brings no command."""
    fallback: ClassVar[click.Command | None] = None

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(extensions(self.entries))

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        return brought(self.entries, name) or self.fallback

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        from mensura.catalog.find import newest

        name = args[0]
        command = self.get_command(ctx, name)
        if command is None:
            known = self.list_commands(ctx)
            can = f"Those that can are {', '.join(known)}."
            if newest(name) is not None:
                raise UnknownName(
                    f"{self.lacks.format(name)} `mensura take {name} --as human` and `mensura run {name} --as chance` "
                    f"take it, `mensura list {name}` shows it. {can}"
                )
            raise unknown("test", name, known=known, see=can)
        # The fallback takes the noun itself as its argument.
        return name, command, args if command is self.fallback else args[1:]

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the tests that have a command, without importing any, and runs where a run is one of its nouns."""
        found = [CompletionItem(name) for name in self.list_commands(ctx) if name.startswith(incomplete)]
        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        return found + (complete_run(ctx, click.Argument(["run"]), incomplete) if self.fallback else [])

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Tests with their own command"):
            formatter.write_dl([(name, about(point)) for name, point in sorted(extensions(self.entries).items())])
