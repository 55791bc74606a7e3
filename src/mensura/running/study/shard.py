"""Shard: the part of a study's sessions that one of several jobs takes."""

import re
from dataclasses import dataclass

from mensura.errors import BadParameter
from mensura.running.study.plan import Study


@dataclass(frozen=True)
class StudyShard:
    """Every `count`-th session of every cell, from the `number`-th on.

    >>> [session for session in range(7) if StudyShard.read("2/3").takes(session)]
    [1, 4]
    """

    number: int = 1
    count: int = 1

    @classmethod
    def read(cls, text: str) -> "StudyShard":
        """Read it as it is given with --shard: which of how many, as in 2/3."""
        found = re.fullmatch(r"(\d+)/(\d+)", text.strip())
        number, count = (int(part) for part in found.groups()) if found else (0, 0)
        if not 1 <= number <= count:
            raise BadParameter(f"--shard says which of how many, from 1/1 on, as in 2/3; got {text!r}.")
        return cls(number, count)

    def takes(self, session: int) -> bool:
        """Return whether the session with this number is one of it."""
        return session % self.count == self.number - 1

    def check(self, study: Study) -> None:
        """Refuse a study that cannot be parted: where the next session depends on those before."""
        if self.count > 1 and (study.courses or study.stopping.width is not None):
            raise BadParameter(
                f"{study.name} has courses, or stops by the width of an interval: its sessions depend on others, and "
                "cannot be parted by --shard."
            )
