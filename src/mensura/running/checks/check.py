"""Check: what one check of a test found."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Check:
    """The result of one check: passed, failed, or None where it does not apply; a sentence; and remarks."""

    name: str
    passed: bool | None
    words: str
    remarks: tuple[str, ...] = ()

    def __str__(self) -> str:
        mark = {True: "ok", False: "FAILED", None: "-"}[self.passed]
        return "\n".join(
            [f"{mark:<7} {self.name}: {self.words}", *(f"remark  {self.name}: {words}" for words in self.remarks)]
        )
