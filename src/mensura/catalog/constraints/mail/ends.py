"""RunEnds: the limits at which a run is stopped."""

from dataclasses import dataclass, fields

from mensura.errors import BadParameter


@dataclass(frozen=True)
class RunEnds:
    """The most that a run may spend; None: no limit.

    >>> RunEnds.read("cycles=1000,messages=5000")
    RunEnds(cycles=1000, messages=5000, checks=None)
    """

    cycles: int | None = None
    messages: int | None = None
    checks: int | None = None

    @classmethod
    def read(cls, text: str) -> "RunEnds":
        """Read limits as they are given with --stop."""
        known, found = [part.name for part in fields(cls)], {}
        for part in filter(None, (one.strip() for one in text.split(","))):
            name, _, number = part.partition("=")
            if name == "seconds":
                # Only the driver knows the time: a run that looked at a clock could not be replayed.
                raise BadParameter(f"Seconds are a limit of the session: --session-seconds {number or 'N'}.")
            if name not in known or not number.isdigit() or int(number) < 1:
                raise BadParameter(f"--stop takes {', '.join(f'{one}=N' for one in known)}; got {part!r}.")
            found[name] = int(number)
        return cls(**found)

    def reached(self, *, cycles: int, messages: int, checks: int) -> str:
        """Return which limit is reached; "" for none."""
        spent = {"cycles": cycles, "messages": messages, "checks": checks}
        for name, amount in spent.items():
            most = getattr(self, name)
            if most is not None and amount >= most:
                return name
        return ""
