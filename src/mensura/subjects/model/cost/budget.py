"""Budget: what a run may spend, reserved before each request goes out, so that it is never passed."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

from mensura.errors import SubjectFlooded, SubjectLost
from mensura.subjects.model.fault import NoCompletion, NotAnApi, PassingFault

UNSEEN = (asyncio.CancelledError, SubjectFlooded, NoCompletion, NotAnApi)
"""How a try ends that may be billed though nobody could read what for."""


@dataclass
class Bill:
    """The greatest cost of one try, and its actual cost; None where that is unknown."""

    amount: float
    cost: float | None = None

    @property
    def due(self) -> float:
        """Return the cost to count: the most expensive outcome where the actual one is unknown."""
        return self.amount if self.cost is None else self.cost


class Budget:
    """The budget of all sessions of a run together; used in the event loop of this process only.

    Parameters
    ----------
    most
        In the unit of the prices.
    spent
        What earlier parts of the same run cost.
    doubtful
        How many requests of earlier parts may have been paid though nobody knows what they cost, as those that were
        on their way when a process was killed; each is counted as the dearest request so far.
    """

    def __init__(self, most: float, *, spent: float = 0.0, doubtful: int = 0) -> None:
        self.most = most
        self.spent = spent
        self.doubtful = doubtful
        self.over = False
        """Whether a request was refused; nothing goes out any more."""
        self._reserved = 0.0
        self._dearest = 0.0
        self._under_way = 0
        self._waiting: list[asyncio.Future[None]] = []

    @property
    def committed(self) -> float:
        """Return what is spent, can become due by requests on their way, or may have been paid unseen."""
        return self.spent + self._reserved + self.doubtful * self._dearest

    @asynccontextmanager
    async def reserve(self, amount: float) -> AsyncIterator[Bill]:
        """Reserve what a request can cost at most, and give back what it did not; its bill is filled in inside.

        Waits while requests on their way may give enough back.

        Raises
        ------
        SubjectLost
            If it does not fit.
        """
        await self._enter(amount)
        bill = Bill(amount)
        try:
            yield bill
        except BaseException as error:
            # Who breaks off while the model writes may be billed; a request that was refused is not.
            unseen = isinstance(error, UNSEEN) or (isinstance(error, PassingFault) and error.unseen)
            bill.cost = None if unseen else 0.0
            raise
        finally:
            self._under_way -= 1
            self._reserved = self._reserved - amount if self._under_way else 0.0
            self.spent += bill.due
            self._wake()

    async def _enter(self, amount: float) -> None:
        while True:
            if self.over:
                raise SubjectLost(f"The budget of {self.most:g} is used up; nothing more is asked.")
            self._dearest = max(self._dearest, amount)
            if self.committed + amount <= self.most:
                self._under_way += 1
                self._reserved += amount
                return
            if not self._under_way:
                self.over = True
                self._wake()
                raise SubjectLost(
                    f"The next request may cost {amount:.3g}, and {self.committed:.3g} of the budget of {self.most:g} "
                    "is spent or may be."
                )
            place = asyncio.get_running_loop().create_future()
            self._waiting.append(place)
            await place

    def _wake(self) -> None:
        waiting, self._waiting = self._waiting, []
        for place in waiting:
            if not place.done():
                place.set_result(None)


_open: dict[str, Budget] = {}


@contextmanager
def spending_within(run: str, budget: Budget) -> Iterator[Budget]:
    """Let the sessions of a run that are taken in this process share a budget."""
    _open[run] = budget
    try:
        yield budget
    finally:
        del _open[run]


def budget_of(run: str) -> Budget | None:
    """Return the budget of a run; None where it has none here."""
    return _open.get(run)
