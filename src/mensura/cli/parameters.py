"""The parameters of a test, in `mensura list TEST` and in the help of verbs that take one."""

from textwrap import wrap
from typing import TYPE_CHECKING, Any

import click

from mensura.errors import MensuraError

if TYPE_CHECKING:
    from mensura.dialogue import Test

ARGUMENTS = "mensura.arguments"
WIDEST = 22
"""Longer flags get their own line."""


class TestCommand(click.Command):
    """A verb that takes a test: `mensura run coin --help` shows the parameters of coin too."""

    __test__ = False

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep what was typed: help is printed before the test is known otherwise."""
        ctx.meta[ARGUMENTS] = list(args)
        return super().parse_args(ctx, args)

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the parameters of the test above the options of the verb."""
        name = self._test_named(ctx)
        if name:
            from mensura.catalog.find import find_test

            try:
                write_parameters(find_test(name), formatter)
            except MensuraError as error:
                with formatter.section(f"Parameters of {name}"):
                    formatter.write_text(str(error))
        super().format_options(ctx, formatter)

    def _test_named(self, ctx: click.Context) -> str:
        try:
            given: dict[str, Any] = self.make_parser(ctx).parse_args(list(ctx.meta.get(ARGUMENTS, ())))[0]
        except click.UsageError:
            return ""
        return name if isinstance(name := given.get("test"), str) else ""


def write_parameters(test: "Test", formatter: click.HelpFormatter) -> None:
    """Write each parameter of a test with its sentence, the values it takes and its default."""
    with formatter.section(f"Parameters of {test.name}"):
        if not test.parameters:
            formatter.write_text("It has none.")
            return
        widest = max((len(one.flag) for one in test.parameters.values() if len(one.flag) <= WIDEST), default=WIDEST)
        indent, column = " " * formatter.current_indent, " " * (formatter.current_indent + widest + 2)
        for parameter in test.parameters.values():
            lines = _wrapped(parameter.described(), formatter.width - len(column))
            flag = f"{indent}{parameter.flag}"
            first = f"{flag:{len(column)}}" if len(parameter.flag) <= WIDEST else f"{flag}\n{column}"
            formatter.write(first + f"\n{column}".join(lines) + "\n")


def _wrapped(described: str, width: int) -> list[str]:
    """Break a description into lines: not within names with hyphens, nor within brackets that fit on a line."""
    about, brackets, facts = described.rpartition("  [")
    if len(facts) < width:
        facts = facts.replace(" ", "\xa0")
    return [line.replace("\xa0", " ") for line in wrap(f"{about}{brackets}{facts}", width, break_on_hyphens=False)]


def parameters_help(test: "Test") -> str:
    """Return the parameters of a test as a table that fits the terminal, at most 80 columns wide."""
    formatter = click.get_current_context().make_formatter()
    write_parameters(test, formatter)
    return formatter.getvalue().strip("\n")
