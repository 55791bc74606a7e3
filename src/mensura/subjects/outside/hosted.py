"""Hosted: a Python subject given by file, in a process of its own that `mensura.subjects.outside.host` serves."""

import json
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from mensura.dialogue import SUBJECT, Ask
from mensura.errors import SubjectCrashed, SubjectFailed
from mensura.json_file import loads
from mensura.subjects.lane import OwnLimits
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.outside.lines import Lines
from mensura.subjects.outside.program import Program
from mensura.subjects.outside.protocol import MANY
from mensura.subjects.sandbox.command import Command
from mensura.subjects.sandbox.confinement import Confinement
from mensura.subjects.source import Source

PYTHON = (Path(sys.prefix), Path(sys.base_prefix).resolve(), Path(__file__).parents[2].resolve())
"""The folders that a served file needs: Python with its packages, and this one, which may lie elsewhere."""


class Hosted(Program):
    """A Python function or class in its own process, with the limits of a program and every method of a subject.

    What it prints goes to its last words, never into its answers. With `policy`, the type of the numbers that it
    sees, it is asked as a policy.
    """

    def __init__(
        self,
        source: Source,
        *,
        name: str = "",
        bounds: Bounds = Bounds(),
        confinement: Confinement = Confinement(),
        options: Mapping[str, Any] | None = None,
        policy: str = "",
        test: str = "",
    ) -> None:
        self._ready: dict[str, Any] = {}
        self._roles: dict[str, None] = {}
        place = f"{source.place}:{source.name}"
        words = [
            sys.executable,
            "-m",
            "mensura.subjects.outside.host",
            place,
            "--options",
            json.dumps(dict(options or {})),
        ]
        file = Path(source.place).absolute()
        words += ["--policy", policy] if policy else []
        command = Command(tuple(words), file.parent, own=file, needs=PYTHON)
        super().__init__(command, name=name or place, bounds=bounds, confinement=confinement, test=test)

    def begin(self, rng: np.random.Generator, role: str = SUBJECT) -> None:
        """Begin a session in a role."""
        self._roles[role] = None
        super().begin(rng, role)

    def feedback(self, told: Ask) -> None:
        """Tell something to a role."""
        self._roles[told.role] = None
        super().feedback(told)

    def remember(self, ask: Ask, answer: Any) -> None:
        """Tell the subject what was asked and answered before the session was interrupted."""
        super().remember(self._whole(ask), answer)

    def __call__(self, ask: Ask) -> Any:
        return super().__call__(self._whole(ask))

    def _whole(self, ask: Ask) -> Ask:
        """Return the ask with all that objects of its test are made again from, where its prompt is such an object.

        A subject that plays several roles is shown what all of them see; any other its own view.
        """
        for_process = getattr(ask.prompt, "for_process", None)
        if for_process is None:
            return ask
        return replace(ask, prompt=for_process([*self._roles] if self.collective else [ask.role]))

    @property
    def recomputes(self) -> bool:
        """Return what the subject itself says; False where it cannot even be started."""
        return bool(self._learned().get("recomputes", False))

    @property
    def collective(self) -> bool:
        """Return whether it plays all the roles that it is cast for, as it says itself."""
        return bool(self._learned().get("collective", False))

    def connect(self) -> Lines:
        """Start the process and wait until the subject is loaded."""
        lines = super().connect()
        # A failure now must find the conversation it is to end.
        self._lines = lines
        try:
            said = lines.receive(self.bounds.start_seconds)
        except SubjectFailed as failure:
            raise self._failed(failure) from None
        try:
            self._ready = loads(said)["ready"]
        except (ValueError, KeyError, TypeError):
            raise self._failed(SubjectCrashed(f"{self.name} could not be loaded.")) from None
        self._many = self._ready.get("sessions") == MANY
        return lines

    def _patience(self) -> float | None:
        return self.bounds.answer_seconds

    @property
    def unasked(self) -> bool:
        """Never: it says what it can do as soon as it is loaded."""
        return False

    def _able(self) -> Mapping[str, Any]:
        return self._learned()

    def _learned(self) -> dict[str, Any]:
        if not self._ready:
            try:
                with OwnLimits():
                    self._reconnect()
            except SubjectFailed:
                return {}
        return self._ready
