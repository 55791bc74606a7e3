"""Items as frames: one row for each item, each cell or each subject."""

import pytest

import mensura as m
from mensura.errors import UnknownName
from tests.sums import model, program, write_sums


@pytest.fixture(scope="module")
def runs(tmp_path_factory):
    folder = tmp_path_factory.mktemp("frames")
    bank = write_sums(folder / "sums.jsonl", 12)
    return m.run(bank, [model, program], seed=1, store=folder / "x.db")


def test_a_frame_has_a_row_for_each_item_with_its_share_right_and_interval(runs):
    frame = m.items(runs, where={"tag": "hard"}, sort="hardest")
    assert frame["prompt"][0] == "What is 10 + 5?"
    assert frame["value"].tolist() == [0.5, 1.0, 1.0, 1.0]
    assert (frame["low"] < frame["value"]).all()
    assert set(frame["subjects"]) == {2}


def test_cells_and_subjects_agree(runs):
    cells = m.items(runs, rows="cells")
    subjects = m.items(runs, rows="subjects").set_index("subject")
    assert len(cells) == 24
    for name, mine in cells.groupby("subject"):
        assert mine["mean"].mean() == pytest.approx(subjects.loc[name, "value"])
        assert mine["asked"].sum() == sum(subjects.loc[name, "outcomes"].values())
    assert subjects.loc["model", "tokens"] == cells[cells["subject"] == "model"]["tokens"].sum()


def test_another_kind_of_rows_is_refused_by_name(runs):
    with pytest.raises(UnknownName, match="There are items, cells, subjects"):
        m.items(runs, rows="epochs")
