"""Dashboard: what a role senses; before people it lies with sliders for their motors and the trace of their sensors."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from mensura.dialogue import Readings
from mensura.phrase import phrase

if TYPE_CHECKING:
    from mensura.catalog.task_environments.attempt import Attempt

TRACE = 240
"""How many ticks the trace reaches back."""


@dataclass(frozen=True, slots=True)
class Dashboard(Readings):
    """Readings that a page can draw live; what is logged, and what programs read, are the readings alone.

    The page answers by itself at the edge of every tick with the sliders as they stand, so that a person's record is
    one answer for each tick, as any subject's is, and replays as theirs does: the world has no clock to differ by.
    """

    kind: ClassVar[str] = "dashboard"
    page: ClassVar[dict[str, str]] = {
        "package": __package__,
        "template": "drive.html",
        "script": "drive.js",
        "style": "drive.css",
        "title": phrase("Driving"),
        "alone": "yes",
        "retells": "words",
    }
    attempt: "Attempt | None" = field(default=None, repr=False, compare=False)
    role: str = field(default="", compare=False)

    def array(self) -> list[float]:
        """Return the readings; who has fewer sensors than another role reads zeros behind them."""
        columns = {} if self.attempt is None else self.attempt.terms.columns
        most = max((len(numbers) for numbers, _ in columns.values()), default=0)
        return [*self.values, *[0.0] * (most - len(self.values))]

    def page_data(self) -> dict[str, Any]:
        """Return what the page draws; the world stands still while it is asked, so that it is as it was then."""
        shown = self.data()
        return shown if self.attempt is None else shown | self.attempt.shown(self.role)

    def __reduce__(self) -> tuple[Any, ...]:
        # The world behind it never leaves this process.
        return Dashboard, (self.values, self.names)
