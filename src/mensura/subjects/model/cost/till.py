"""Till: the layer between a model and its endpoint that takes answers from the cache and keeps within the budget."""

import math
import time
from collections.abc import Callable
from copy import copy
from dataclasses import replace
from functools import partial

from mensura.errors import BadParameter, SubjectFailed, SubjectLost, Unreachable
from mensura.subjects.model.batch.batched import batched_endpoint
from mensura.subjects.model.cost.budget import Bill, Budget, budget_of
from mensura.subjects.model.cost.cache import AnswerCache, answer_key, open_cache
from mensura.subjects.model.cost.rehearsal import RehearsedEndpoint
from mensura.subjects.model.cost.size import longest_answer, most_tokens
from mensura.subjects.model.cost.spending import Spending
from mensura.subjects.model.endpoint import Completing, Endpoint, Retrying, Send
from mensura.subjects.model.manner import Manner
from mensura.subjects.model.reaching.probe import Contact, reach_one
from mensura.subjects.model.request import DOUBTFUL, Completion, ModelRequest


class Till:
    """An endpoint whose answers are looked for in a cache first, and paid from a budget.

    Parameters
    ----------
    endpoint
        Where requests go.
    manner
        Says what tokens cost.
    asked
        Who is asked where: all that tells this endpoint from others in the cache.
    spending
        Which session asks, and which time its item is asked.
    limit
        How many tokens the protocol writes at most where the settings name no limit.
    """

    def __init__(
        self, endpoint: Endpoint, *, manner: Manner, asked: tuple[object, ...], spending: Spending, limit: int | None
    ) -> None:
        self.api = endpoint.api
        self._endpoint = endpoint
        self._manner = manner
        self._asked = asked
        self._spending = spending
        self._limit = limit
        self.cache: AnswerCache | None = None
        self.budget: Budget | None = None
        self.contact: Contact | None = None
        """How it is asked, before the first answer that is not in the cache, whether it is there; None: it is not."""

    async def complete(self, request: ModelRequest, *, retrying: Retrying = Retrying()) -> Completion:
        """Ask for the next message, where it was not answered before."""
        start, key = time.monotonic(), ""
        if self.cache is not None or self._spending.batch is not None:
            # Copies of a model that are asked the same in one session give answers of their own.
            request = replace(request, again=self._spending.times_asked(self._key(request)))
        if self.cache is not None:
            key = self._key(request)
            if (found := self.cache.find(key)) is not None:
                return replace(found, seconds=time.monotonic() - start)
        await self._reach()
        bills: list[Bill] = []
        pay = None if self.budget is None else partial(self._pay, self.budget, bills)
        request = replace(request, session=self._spending.session)
        try:
            said = await self._endpoint.complete(request, retrying=retrying, paying=pay)
        except SubjectFailed as failed:
            raise _with_doubt(failed, _doubtful(bills)) from None
        if self.cache is not None:
            self.cache.keep(key, said)
        return replace(said, doubtful=_doubtful(bills))

    async def _reach(self) -> None:
        """Give up at once on a model that is not there: nobody asked before the run, since it might not be needed."""
        if self.contact is None or self._endpoint.given_up:
            return
        try:
            self.contact.refuse_missing_key()
            await reach_one(self.contact)
        except Unreachable as wrong:
            self._endpoint.give_up(SubjectLost(str(wrong)))

    def _key(self, request: ModelRequest) -> str:
        return answer_key(request, asked=self._asked, epoch=self._spending.epoch)

    async def _pay(self, budget: Budget, bills: list[Bill], send: Send, request: ModelRequest, form: str) -> Completion:
        """Send one try, paid from the budget."""
        async with budget.reserve(self._dearest(request)) as bill:
            bills.append(bill)
            said = await send(request, form)
            bill.cost = self._manner.cost(said)
        return said

    def _dearest(self, request: ModelRequest) -> float:
        written = longest_answer(request.settings, otherwise=self._limit)
        assert written is not None
        return (most_tokens(request) * self._manner.price_in + written * self._manner.price_out) / 1e6


def _doubtful(bills: list[Bill]) -> float:
    return sum(bill.amount for bill in bills if bill.cost is None)


def _with_doubt(failed: SubjectFailed, doubtful: float) -> SubjectFailed:
    """Return a failure with what its tries may have cost, for a budget that is resumed."""
    if doubtful:
        # A failure may be every session's; what this one may have paid is its own.
        failed = copy(failed)
        failed.notes = {"tokens_in": None, "tokens_out": None, "cost": None, DOUBTFUL: doubtful}
    return failed


def check_limits(spending: Spending, manner: Manner, *, model: str, limit: int | None) -> None:
    """Refuse a budget where nobody can say what a request costs at most."""
    if spending.most is None:
        return
    if math.isnan(manner.price_in) or math.isnan(manner.price_out):
        raise BadParameter(
            f"--max-cost needs to know what {model} costs: name the price of a million tokens, #price_in=…#price_out=…"
        )
    if longest_answer(manner.settings, otherwise=limit) is None:
        raise BadParameter(
            f'--max-cost needs to know how long an answer of {model} can be, as in #settings={{"max_tokens":1000}}.'
        )


def paid_endpoint(
    spending: Spending,
    make: Callable[[], Endpoint],
    *,
    manner: Manner,
    asked: tuple[object, ...],
    limit: int | None = None,
    contact: Contact | None = None,
) -> Completing:
    """Return what a model of a run is asked through: its endpoint, with the cache and the budget of the run.

    `asked` ends with the name of the model; `contact` says how it is asked whether it is there.
    """
    if spending.rehearsal is not None:
        return RehearsedEndpoint(spending.rehearsal, model=str(asked[-1]), manner=manner, limit=limit)
    budget = budget_of(spending.run)
    if budget is None and spending.most is not None:
        raise BadParameter("A budget is kept by the process that leads the run: leave out --on, or --max-cost.")
    endpoint = make()
    if spending.batch is not None:
        endpoint = batched_endpoint(spending.run, endpoint, asked=asked)
    elif budget is None and not spending.cache:
        return endpoint
    till = Till(endpoint, manner=manner, asked=asked, spending=spending, limit=limit)
    till.budget = budget
    if spending.cache:
        till.cache = open_cache(spending.cache)
        till.contact = contact if spending.probe else None
    return till
