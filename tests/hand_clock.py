"""Hand clock: time that passes only when a test says so, however slow the machine is."""

import time

import pytest


class HandClock:
    """Stands in for `time.time`; `time.monotonic`, by which threads wait, runs on by itself and follows each jump."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.now = time.time()
        self._skipped = 0.0
        monotonic = time.monotonic
        patch.setattr(time, "time", lambda: self.now)
        patch.setattr(time, "monotonic", lambda: monotonic() + self._skipped)

    def wait(self, seconds: float) -> None:
        """Let so many seconds pass at once."""
        self.now += seconds
        self._skipped += seconds
