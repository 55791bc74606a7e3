"""Check: what one check of a test found."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """What one check found: passed, failed, or None where it does not apply; and a sentence."""

    name: str
    passed: bool | None
    words: str

    def __str__(self) -> str:
        mark = {True: "ok", False: "FAILED", None: "-"}[self.passed]
        return f"{mark:<7} {self.name}: {self.words}"
