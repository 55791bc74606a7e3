"""A measurement says all of items, persons and groups, and what cannot be said."""

import json

import pytest

from mensura.stats.response.measurement import measure
from tests.stats.response.simulated import people_and_machines, simulated


@pytest.fixture(scope="module")
def linked():
    return people_and_machines(120)


def test_people_and_machines_stand_on_one_scale_and_are_linked(linked):
    data = linked.as_json()
    assert data["linking"]["shift"]["low"] < 0.5 < data["linking"]["shift"]["high"]
    assert data["functioning"]["groups"] == ["people", "machines"]
    assert set(data["functioning"]["items"]) == {one["id"] for one in data["items"]}
    assert (data["abilities"][0]["group"], data["abilities"][-1]["group"]) == ("people", "machines")
    assert data["information"][16]["se"] == pytest.approx(data["information"][16]["information"] ** -0.5)
    json.dumps(data, allow_nan=False)


def test_no_common_scale_is_printed_where_people_and_machines_find_other_items_hard():
    found = people_and_machines(120, scrambled=True)
    assert found.as_json()["linking"]["slope"] is None
    assert any(one.startswith("No common scale of machines and people:") for one in found.remarks)


def test_too_few_machines_are_not_calibrated_apart():
    found = people_and_machines(4)
    assert "machines has 4 persons" in found.functioning
    assert found.link.startswith("People and machines are not calibrated apart: machines: Too small to calibrate")
    assert found.as_json()["linking"] == {"reason": found.link}


def test_people_alone_are_not_compared():
    right = simulated(60, 5, seed=3).matrix
    right.right[:, 2] = 1
    data = measure(right, model="rasch").as_json()
    assert data["functioning"] is None
    assert data["linking"] is None
    assert data["items"][2]["a"] is None
    assert data["items"][2]["reason"] == "constant: all 60 answers are right"
