"""What reports show of rooms."""

from mensura.catalog.pagi_world.exhibits import exhibits
from mensura.exhibit import Group
from mensura.stats import Estimate


def group(who, latency, solved):
    estimates = {"success": Estimate(solved, solved - 0.1, solved + 0.1, 40, "Clopper and Pearson")}
    return Group(f"{who} in {latency} ms", "", {"room": "catch-ball", "latency": latency}, [], estimates=estimates)


def test_rooms_of_several_latencies_are_a_table_and_a_curve():
    table, curve = exhibits([group("controller", 300, 0.1), group("reflex", 300, 0.9), group("reflex", 0, 0.9)])
    assert [line[:3] for line in table.lines] == [
        ["reflex in 0 ms", "catch-ball", "0"],
        ["controller in 300 ms", "catch-ball", "300"],
        ["reflex in 300 ms", "catch-ball", "300"],
    ]
    assert "controller" in curve.figures[0].svg
    assert exhibits([group("reflex", 0, 0.9)])[1:] == []
