"""Program: a subject in any language, in its own process, talked to over stdin and stdout in lines of JSON."""

import os
import shutil
import time
from collections.abc import Sequence
from pathlib import Path

from mensura.errors import BadParameter, SubjectLost, UnknownName
from mensura.subjects.naming import Factory, Naming
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.outside.conversation import Conversation
from mensura.subjects.outside.lines import Lines
from mensura.subjects.outside.process import Process
from mensura.subjects.sandbox.command import Command
from mensura.subjects.sandbox.confinement import BUBBLEWRAP, Confinement
from mensura.subjects.sandbox.refusal import refused
from mensura.subjects.sandbox.sandbox import launch, means_of
from mensura.subjects.sandbox.view import FileView

PARTING_SECONDS = 0.5


class Program(Conversation):
    """A program that reads asks from stdin and writes answers to stdout, one line of JSON each.

    It sees and reaches only what its confinement opens, has limits on time, memory and output, and its stderr is kept
    as last words. At the end it is killed with all its children. After a failure the next session starts it anew.

    Parameters
    ----------
    command
        What to run: words, or one text that is split as a shell would.
    folder
        Where the files are meant from that it names. It is started in a separate empty folder.
    bounds
        Limits on time, memory and output.
    confinement
        What it may see and reach.
    recomputes
        Whether the same seed gives the same answers again.
    """

    def __init__(
        self,
        command: str | Sequence[str] | Command,
        *,
        name: str = "",
        folder: str | Path = ".",
        bounds: Bounds = Bounds(),
        confinement: Confinement = Confinement(),
        recomputes: bool = False,
        test: str = "",
    ) -> None:
        if os.name != "posix":
            raise BadParameter("Programs as subjects need Linux or macOS; serve the subject over tcp:// or http://.")
        self.command = command if isinstance(command, Command) else Command.read(command, folder=folder)
        self.confinement = confinement
        super().__init__(name=name or f"program:{self.command}", bounds=bounds, test=test)
        self._recomputes = recomputes
        self._process: Process | None = None
        self._view = FileView(self.command, confinement)

    @property
    def recomputes(self) -> bool:
        """Return whether the same seed gives the same answers again, as declared."""
        return self._recomputes

    def check(self) -> None:
        """Raise a sentence where there is no such program."""
        first = self.command.words[0]
        if shutil.which(first) is None:
            raise UnknownName(f"There is no program {first!r} to run: it is not on the path and not in the folder.")

    def connect(self) -> Lines:
        """Start the program."""
        # What lies in its folder, and must be hidden, may be more than at the last start.
        self._view = FileView(self.command, self.confinement)
        try:
            self._process = Process(launch(self._view, self.bounds), self.bounds)
        except OSError as error:
            raise SubjectLost(f"{self.command} cannot be started: {error.strerror}.") from None
        writing, reading, errors = self._process.pipes
        most = self.bounds.output_bytes
        return Lines(self.name, reading=reading, writing=writing, errors=errors, most_bytes=most)

    def disconnect(self, lines: Lines, *, patience: float) -> str:
        """Close its stdin, give it some seconds to end by itself, and kill it with all its children."""
        process, self._process = self._process, None
        if process is None:
            return ""
        deadline = time.monotonic() + patience
        lines.finish()
        if patience:
            process.close_input()
            lines.drain(patience)
        words = process.kill(deadline)
        lines.drain(PARTING_SECONDS)
        process.close()
        missed = refused(lines.last_words, self._view, closed=means_of(self.confinement) == BUBBLEWRAP)
        return f"{words} {missed}".strip()


def named(rest: str, *, naming: Naming) -> Factory:
    """Read a name such as `program:node agent.js`."""
    options = naming.allow("recomputes")

    def make() -> Program:
        bounds, test = naming.bounds, naming.test.id
        place, confinement = naming.folder, naming.confinement
        return Program(
            rest, name=naming.name, folder=place, bounds=bounds, confinement=confinement, test=test, **options
        )

    make().check()
    return make
