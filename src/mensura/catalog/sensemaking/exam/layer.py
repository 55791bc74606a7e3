"""A layer of intelligence: one INT, for SIGINT with the group it listens to."""

from dataclasses import dataclass

from mensura.errors import Invalid

KINDS = ("IMINT", "MOVINT", "SIGINT", "SOCINT")


@dataclass(frozen=True, slots=True, order=True)
class Layer:
    """One INT that can be shown, chosen or bought.

    >>> Layer.parse("sigint-a")
    Layer(kind='SIGINT', group='A')
    >>> str(Layer("IMINT"))
    'IMINT'
    """

    kind: str
    group: str | None = None

    def __str__(self) -> str:
        return f"{self.kind}-{self.group}" if self.group else self.kind

    @classmethod
    def parse(cls, text: str) -> "Layer":
        """Read a layer as the tables write it: IMINT, MOVINT, SOCINT, or SIGINT-A."""
        kind, _, group = text.strip().upper().partition("-")
        if kind not in KINDS:
            raise Invalid(f"{text!r} is not an INT; expected one of IMINT, MOVINT, SOCINT, SIGINT-A ... SIGINT-D.")
        if (kind == "SIGINT") != bool(group):
            raise Invalid(f"{text!r} is not an INT: SIGINT, and only SIGINT, names a group, as in SIGINT-A.")
        return cls(kind, group or None)
