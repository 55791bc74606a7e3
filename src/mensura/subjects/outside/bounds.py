"""Bounds: what a subject outside this process may use before it is stopped."""

from dataclasses import dataclass

from mensura.dialogue.session.limits import require_positive

GIBIBYTE = 1 << 30


@dataclass(frozen=True)
class Bounds:
    """How long a subject outside this process may take, and how much it may hold and say.

    Parameters
    ----------
    answer_seconds
        Longest wait for one answer; None: no limit.
    start_seconds
        Longest time to get ready, granted once on top of the first answer.
    memory_bytes
        Most memory of a program and of each of its children, in a sandbox of all together; None: no limit.
    output_bytes
        Most output, answers and chatter together, for one answer.
    written_bytes
        Most that a program in a sandbox may write to its scratch folder and /tmp, and again to shared memory.
    processes
        Most processes that a program in a sandbox may have at once.
    """

    answer_seconds: float | None = 60.0
    start_seconds: float = 60.0
    memory_bytes: int | None = 4 * GIBIBYTE
    output_bytes: int = 10_000_000
    written_bytes: int = GIBIBYTE // 4
    processes: int = 128

    def __post_init__(self) -> None:
        require_positive(self)
