import numpy as np
import pytest

from mensura.errors import BadParameter
from mensura.scores import rule
from mensura.track_record.payoff import Contract, default_contract


def test_payoffs_are_proportional_to_score_and_shown_before_answering():
    contract = Contract(rule("quadratic"), rate=10, base=5)
    table = contract.table({"a": 0.5, "b": 0.3, "c": 0.2})
    assert table["a"] == pytest.approx(5 + 10 * 0.143333, abs=1e-5)
    assert contract.pay(2.0) - contract.pay(1.0) == pytest.approx(contract.pay(1.0) - contract.pay(0.0))
    assert default_contract().table({"a": 1.0, "b": 0.0})["b"] == pytest.approx(100 * np.log(0.02))


def test_contracts_that_would_corrupt_are_refused():
    with pytest.raises(BadParameter, match="improper"):
        Contract(rule("absolute"))
    with pytest.raises(BadParameter, match="positive"):
        Contract(rule("log"), rate=0)
