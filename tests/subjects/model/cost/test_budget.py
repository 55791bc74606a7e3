"""A budget is never passed, whatever the requests on their way turn out to cost."""

import asyncio

import numpy as np
import pytest

from mensura.errors import SubjectLost
from mensura.subjects.loop import wait_for
from mensura.subjects.model.cost.budget import Budget
from mensura.subjects.model.fault import PassingFault


def pay(budget, amount, cost, *, wait=0):
    async def one():
        async with budget.reserve(amount) as bill:
            for _ in range(wait):
                await asyncio.sleep(0)
            bill.cost = cost

    return one()


def test_what_fits_is_paid_and_the_rest_refused():
    async def main():
        budget = Budget(10.0)
        await pay(budget, 6.0, 2.0)
        await pay(budget, 8.0, 8.0)
        with pytest.raises(SubjectLost, match=r"may cost 1, and 10 of the budget of 10"):
            await pay(budget, 1.0, 0.1)
        return budget

    budget = wait_for(main())
    assert (budget.spent, budget.over) == (10.0, True)


def test_one_waits_while_requests_on_their_way_may_give_enough_back():
    async def main():
        budget = Budget(10.0)
        await asyncio.gather(pay(budget, 9.0, 1.0, wait=3), pay(budget, 9.0, 1.0))
        return budget

    budget = wait_for(main())
    assert (budget.spent, budget.over) == (2.0, False)


@pytest.mark.parametrize(
    ("error", "spent"),
    [
        (PassingFault(SubjectLost("cut off"), unseen=True), 3.0),
        (PassingFault(SubjectLost("busy")), 0.0),
        (SubjectLost("wrong key"), 0.0),
        (asyncio.CancelledError(), 3.0),
    ],
)
def test_a_try_that_may_be_billed_unseen_counts_as_its_dearest_outcome(error, spent):
    async def main():
        budget = Budget(10.0)
        with pytest.raises(type(error)):
            async with budget.reserve(3.0):
                raise error
        return budget.spent

    assert wait_for(main()) == spent


def test_a_cost_that_nobody_says_counts_as_the_dearest():
    async def main():
        budget = Budget(10.0)
        await pay(budget, 4.0, None)
        return budget.spent

    assert wait_for(main()) == 4.0


def test_requests_that_were_on_their_way_before_count_as_the_dearest_so_far():
    async def main():
        budget = Budget(10.0, spent=1.0, doubtful=2)
        await pay(budget, 3.0, 1.0)
        with pytest.raises(SubjectLost):
            await pay(budget, 3.0, 1.0)
        return budget

    assert wait_for(main()).spent == 2.0


@pytest.mark.parametrize("seed", range(20))
def test_many_at_once_never_pass_it_and_use_nearly_all_of_it(seed):
    """Costs are anything up to what was reserved; all sums are counted by this test itself."""
    rng = np.random.default_rng(seed)
    most, paid = 100.0, []

    async def one(budget):
        amount = float(rng.uniform(0.5, 5))
        cost = amount * float(rng.random())
        async with budget.reserve(amount) as bill:
            paid.append(cost)
            assert sum(paid) <= most
            for _ in range(rng.integers(5)):
                await asyncio.sleep(0)
            bill.cost = cost

    async def main():
        budget = Budget(most)
        results = await asyncio.gather(*(one(budget) for _ in range(300)), return_exceptions=True)
        return budget, results

    budget, results = wait_for(main())
    assert budget.over
    assert budget.spent == pytest.approx(sum(paid))
    assert most - 5 <= budget.spent <= most
    assert {type(result) for result in results} == {type(None), SubjectLost}
