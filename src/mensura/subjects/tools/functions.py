"""Functions: typed Python functions as tools, in a process of their own like every file of a stranger."""

import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from mensura.errors import BadParameter, NotInstalled, SubjectCrashed, SubjectFailed, SubjectFlooded, SubjectTimedOut
from mensura.json_file import loads
from mensura.subjects.loop import Apart
from mensura.subjects.model.request import Function
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.outside.hosted import PYTHON
from mensura.subjects.outside.lines import Lines
from mensura.subjects.outside.program import Program
from mensura.subjects.outside.protocol import line
from mensura.subjects.sandbox.command import Command
from mensura.subjects.sandbox.confinement import BUBBLEWRAP, Confinement
from mensura.subjects.sandbox.sandbox import means_of
from mensura.subjects.source import Source, file_digest
from mensura.subjects.tools import workshop
from mensura.subjects.tools.kit import FLOODED, RAISED, SLOW, Came
from mensura.subjects.tools.signature import signatures_of

BRINGS_BUBBLEWRAP = "apt install bubblewrap"
GRACE_SECONDS = 5.0
"""A call that does not stop in time by itself is stopped with its whole process so much later."""
WORKSHOP = {"python": workshop.python, "shell": workshop.shell}
_learned: dict[tuple[str, str], tuple[Function, ...]] = {}
"""Place and digest of a file → its tools: it is run once to learn them, and then only where one is called."""


class Functions(Program):
    """Functions in a separate process, which is started when the first is called and lives for one session.

    Parameters
    ----------
    sources
        Files or modules and names in them: functions, or lists of them.
    seconds
        The longest that one call may take.
    """

    def __init__(
        self, sources: Sequence[Source], *, name: str, seconds: float, bounds: Bounds, confinement: Confinement
    ) -> None:
        self.sources = tuple(sources)
        self.seconds = seconds
        self._apart = Apart()
        words = [sys.executable, "-m", "mensura.subjects.tools.host"]
        places = [f"{source.place}:{source.name}" for source in self.sources]
        own = next((Path(source.place).absolute() for source in self.sources if source.is_file), None)
        command = Command((*words, *places), own.parent if own else Path("/"), own=own, needs=PYTHON)
        bounds = replace(bounds, answer_seconds=seconds + GRACE_SECONDS)
        super().__init__(command, name=name, bounds=bounds, confinement=confinement)
        self._offered: tuple[Function, ...] = ()

    def learn(self) -> tuple[Function, ...]:
        """Return the tools, or raise a sentence where the file has none that can be used."""
        digests = ",".join(file_digest(source.place) for source in self.sources)
        key = str(self.command), digests
        if key not in _learned:
            try:
                self._reconnect()
            except SubjectFailed as failure:
                said = failure.last_words.strip().rpartition("\n")[2]
                raise BadParameter(f"{self.name} cannot be used as tools. {said or failure}") from None
            finally:
                super().close()
            _learned[key] = self._offered
        return _learned[key]

    async def offer(self) -> Sequence[Function]:
        """Return the tools."""
        return await self._apart.do(self.learn)

    async def call(self, name: str, arguments: Mapping[str, Any]) -> Came:
        """Carry out a call, one at a time."""
        return await self._apart.do(self._call, name, arguments)

    def connect(self) -> Lines:
        """Start the process and wait until the functions are loaded."""
        lines = self._lines = super().connect()
        try:
            said = loads(lines.receive(self.bounds.start_seconds))["ready"]
            self._offered = tuple(Function(*each) for each in said)
        except SubjectFailed as failure:
            raise self._failed(failure) from None
        except (ValueError, KeyError, TypeError):
            raise self._failed(SubjectCrashed(f"{self.name} could not be loaded.")) from None
        return lines

    def close(self) -> None:
        """End the process; a call that is under way fails first, so that no pipe is closed under it."""
        process = self._process
        if process is not None and self._apart.busy:
            process.kill(time.monotonic())
        self._apart.close(super().close)

    def _call(self, name: str, arguments: Mapping[str, Any]) -> Came:
        anew = "It was ended; what it kept in memory and in files is gone."
        try:
            lines = self._lines or self._reconnect()
            lines.send(line({"call": name, "arguments": dict(arguments), "seconds": self.seconds}))
            said = loads(lines.receive(self.bounds.answer_seconds))
            return Came(str(said["words"]), str(said["fault"])).bounded()
        except SubjectTimedOut as failure:
            self._failed(failure)
            return Came(f"{name} was stopped: it took longer than {self.seconds:g} s. {anew}", SLOW)
        except SubjectFailed as failure:
            whole = self._failed(failure) if self._lines is not None else failure
            fault = FLOODED if isinstance(failure, SubjectFlooded) else RAISED
            return Came(f"{name} failed: {whole} {anew}", fault).bounded()
        except (ValueError, KeyError, TypeError):
            self._failed(SubjectCrashed("It broke the protocol."))
            return Came(f"{name} failed: its process wrote something that is not a result. {anew}", RAISED)


class Workshop(Functions):
    """Code and commands in a sandbox; refused where none works, since a model must not run them unprotected."""

    def __init__(self, names: Sequence[str], *, seconds: float, bounds: Bounds, confinement: Confinement) -> None:
        if means_of(confinement) != BUBBLEWRAP:
            words = (
                f"The tools {' and '.join(names)} run what a model writes, and only in a sandbox: install bubblewrap "
                f"({BRINGS_BUBBLEWRAP}), allow user namespaces, and run without --sandbox=off."
            )
            if confinement.sandbox == "off":
                raise BadParameter(words)
            raise NotInstalled(words, install=BRINGS_BUBBLEWRAP)
        sources = [Source(workshop.__name__, name) for name in names]
        super().__init__(sources, name=",".join(names), seconds=seconds, bounds=bounds, confinement=confinement)

    def learn(self) -> tuple[Function, ...]:
        """Return the tools, which are ours."""
        found = signatures_of([WORKSHOP[source.name] for source in self.sources])
        return tuple(signature.function for signature in found.values())
