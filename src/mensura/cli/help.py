"""`mensura help`: the same as --help, of everything or of one verb."""

import click
from click.shell_completion import CompletionItem


def _complete(ctx: click.Context, parameter: click.Parameter, typed: str) -> list[CompletionItem]:
    root = ctx.find_root()
    return root.command.shell_complete(root, typed)


@click.command("help")
@click.argument("verb", nargs=-1, shell_complete=_complete)
@click.pass_context
def command(ctx: click.Context, verb: tuple[str, ...]) -> None:
    """Show what VERB does and which options it has; without VERB all verbs.

    \b
      mensura help
      mensura help run
      mensura help run coin        the parameters of coin too
      mensura help study invite
    """
    root = ctx.find_root()
    root.command.main([*verb, "--help"], prog_name=root.info_name, standalone_mode=False)
