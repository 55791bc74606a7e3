"""A study with people in cohorts that has begun."""

import pytest

from mensura.running.study import Cast, Stopping, Study, conduct
from tests.running.study.office import PROCEDURE


@pytest.fixture
def study(store):
    made = Study(
        name="office",
        tests=("coin",),
        casts=(Cast("people", {"": "human"}),),
        conditions={"few": {"flips": 2}, "many": {"flips": 3}},
        stopping=Stopping(most=4),
        procedure=PROCEDURE,
        seed=3,
    )
    conduct(made, store=store)
    return made
