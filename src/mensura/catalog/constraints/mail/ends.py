"""RunEnds: the limits at which a run is stopped."""

from dataclasses import dataclass, fields

from mensura.errors import BadParameter


@dataclass(frozen=True)
class RunEnds:
    """The most that a run may spend; None: no limit.

    >>> RunEnds.read("cycles=1000,messages=5000")
    RunEnds(cycles=1000, messages=5000, checks=None, seconds=None)
    """

    cycles: int | None = None
    messages: int | None = None
    checks: int | None = None
    seconds: int | None = None
    """Kept by the clock of the session: what is not answered by then lapses, so that a replay ends there too."""

    @classmethod
    def read(cls, text: str) -> "RunEnds":
        """Read limits as they are given with --stop."""
        known, found = [part.name for part in fields(cls)], {}
        for part in filter(None, (one.strip() for one in text.split(","))):
            name, _, number = part.partition("=")
            if name not in known or not number.isdigit() or int(number) < 1:
                raise BadParameter(f"--stop takes {', '.join(f'{one}=N' for one in known)}; got {part!r}.")
            found[name] = int(number)
        return cls(**found)

    def reached(self, *, cycles: int, messages: int, checks: int, seconds: int = 0) -> str:
        """Return which limit is reached; "" for none."""
        if self.cycles is not None and cycles >= self.cycles:
            return "cycles"
        if self.messages is not None and messages >= self.messages:
            return "messages"
        if self.checks is not None and checks >= self.checks:
            return "checks"
        return "seconds" if self.seconds is not None and seconds >= self.seconds else ""
