"""Cells that share their chance, and cells that have chance of their own."""

from mensura.running.study import Cast, Stopping, Study, conduct
from mensura.store import open_store


def seeds(tmp_path, chance):
    study = Study(
        name=chance,
        tests=("coin",),
        casts=(Cast("c", {"": "chance"}),),
        conditions={"few": {"flips": 2}, "many": {"flips": 3}},
        stopping=Stopping(most=1),
        seed=5,
        chance=chance,
    )
    with open_store(tmp_path / f"{chance}.db") as store:
        return [head.seed for state in conduct(study, store=store).cells for head in state.runs]


def test_shared_chance_gives_all_cells_the_same_items(tmp_path):
    assert seeds(tmp_path, "shared") == [5, 5]


def test_own_chance_differs_by_cell_and_is_the_same_again(tmp_path):
    first = seeds(tmp_path, "own")
    assert len(set(first)) == 2
    (tmp_path / "again").mkdir()
    assert seeds(tmp_path / "again", "own") == first
