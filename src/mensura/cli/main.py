"""The command line: `mensura VERB NOUN --options`, each verb in its own file, imported when it is used."""

import gc
import sys
from importlib import import_module
from typing import Any

import click
from click.shell_completion import CompletionItem

from mensura.errors import MensuraError, UnknownName

VERBS = {
    "tour": ("sessions.tour", "Show every system on one page: a picture and two sentences each."),
    "help": ("help", "Show what a verb does and which options it has."),
    "list": ("results.listing", "Show tests, subjects, settings, stored runs or studies."),
    "take": ("sessions.take", "Let one subject take a test once."),
    "run": ("sessions.run", "Let subjects take a test many times."),
    "resume": ("sessions.resume", "Resume a run that was interrupted."),
    "show": ("results.show", "Show everything that is known of a run."),
    "compare": ("results.compare", "Compare two runs, item by item."),
    "items": ("results.items", "Show what became of each item, people and models side by side."),
    "calibrate": ("results.calibrate", "Measure how hard items are and how able persons are, on one scale."),
    "study": ("people.study", "Carry out a study that was planned before the data."),
    "panel": ("people.panel", "Let raters score artefacts blind to condition."),
    "adaptivity": ("results.adaptivity", "Measure what courses learned, transferred and forgot."),
    "power": ("results.power", "Compute how many observations a difference needs."),
    "serve": ("people.serve", "Serve the pages for participants and experimenters."),
    "mcp": ("sessions.mcp", "Serve a test to agents over the Model Context Protocol."),
    "account": ("people.account", "List and change who may log in to the laboratory."),
    "report": ("results.report", "Write runs up as one file a decision maker can read."),
    "score": ("results.score", "Score a stored run again, or files of answers."),
    "generate": ("generate", "Make the material of a test from a seed."),
    "export": ("results.export", "Write a run to Parquet, CSV or one zip for a colleague."),
    "audit": ("results.audit", "Prove that a record is what was written."),
    "import": ("results.importing", "Read the zip that another installation exported."),
    "where": ("where", "Show where store, keys and caches lie, and how large they are."),
    "completion": ("completion", "Make Tab complete verbs, tests, subjects and runs."),
    "new": ("new", "Write a new test to start from."),
    "check": ("sessions.check", "Prove that a test keeps the contract."),
}


class Verbs(click.Group):
    """Our verbs and those that packages bring, each imported only when it is used: starting stays fast."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        from mensura.extension import extensions

        return list(dict.fromkeys([*VERBS, *extensions("mensura.verbs")]))

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        if name not in VERBS:
            from mensura.cli.external import brought

            return brought("mensura.verbs", name)
        return import_module(f"mensura.cli.{VERBS[name][0]}").command  # type: ignore[no-any-return]

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from mensura.extension import about, extensions

        with formatter.section("Verbs"):
            formatter.write_dl([(name, words) for name, (_, words) in VERBS.items()])
        with formatter.section("Verbs that tests and other packages bring"):
            brought = {name: about(point) for name, point in extensions("mensura.verbs").items() if name not in VERBS}
            formatter.write_dl(list(brought.items()))

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError:
            from mensura.cli.nearest import nearest_verb

            hint = nearest_verb(args[0], self.list_commands(ctx))
            raise click.UsageError(f"There is no verb {args[0]!r}. {hint}", ctx) from None

    def invoke(self, ctx: click.Context) -> Any:
        """Do what the verb does; what is not known is answered with the nearest right thing, also across verbs."""
        try:
            return super().invoke(ctx)
        except click.NoSuchOption as error:
            from mensura.cli.nearest import nearest_option

            hint = nearest_option(error.ctx or ctx, error.option_name)
            where = error.ctx.command_path if error.ctx else "mensura"
            words = f"`{where}` has no option {error.option_name}. {hint or f'`{where} --help` shows those it has.'}"
            raise click.UsageError(words, error.ctx) from None
        except UnknownName as error:
            from mensura.cli.nearest import other_kind

            if hint := other_kind(error.what, error.name):
                raise UnknownName(f"There is no {error.what} called {error.name!r}: {hint}") from None
            raise

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """Return the verbs that begin so, without importing any."""
        words = {name: words for name, (_, words) in VERBS.items()}
        found = [
            CompletionItem(name, help=words.get(name))
            for name in self.list_commands(ctx)
            if name.startswith(incomplete)
        ]
        return found or super().shell_complete(ctx, incomplete)


@click.group(cls=Verbs, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="mensura")
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Let anyone or anything take a test, and say how far to trust the score.

    \b
    Start here:
      mensura list                           what can be taken
      mensura take coin --as terminal        answer yourself
      mensura run coin --as chance --sessions 20
      mensura compare last~1 last            is the difference real?

    Data go to stdout, words to stderr. Exit status: 0 done, 1 your error, 2 wrong usage, 3 finished with failures.
    """
    ctx.obj = StoreAccess()


class StoreAccess:
    """The store, for verbs that tests bring: they know no store."""

    def __call__(self, name: str, *, test: str | tuple[str, ...], store: str | None) -> Any:
        """Read the sessions of a run with their truths."""
        from mensura.cli.results.records import sessions_with_truths

        return sessions_with_truths(name, test=test, store=store)

    def scored(self, name: str, *, test: str, store: str | None) -> Any:
        """Read the sessions of a run with their scores, those that were taken in batch form too."""
        from mensura.cli.results.records import sessions_with_scores

        return sessions_with_scores(name, test=test, store=store)

    def again(self, name: str, *, test: str, store: str | None) -> Any:
        """Read a session of a run as it can be administered again."""
        from mensura.cli.results.records import session_again

        return session_again(name, test=test, store=store)

    def open(self, url: str | None) -> Any:
        """Open a store, to keep something in it."""
        from mensura.store import open_store

        return open_store(url)


def main() -> None:
    """Run the command line; an error of ours, or of a file, is one sentence, not a traceback."""
    # Most of what a command makes lives until it ends: modules, above all. To look for what does not after every 700
    # objects, as Python does, costs a twentieth of a run of items.
    gc.set_threshold(20_000, *gc.get_threshold()[1:])
    try:
        cli(standalone_mode=True)
    except (MensuraError, OSError) as error:
        from mensura.console import say

        if isinstance(error, OSError):
            if error.filename is None:
                raise
            error = MensuraError(f"{error.filename}: {error.strerror}. Check the path, or give another.")
        say(f"mensura: {error}")
        sys.exit(1)


if __name__ == "__main__":
    main()
