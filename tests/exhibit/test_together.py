"""Exhibits of a kind are one on a page, and nothing that they say is lost or said twice."""

from mensura.exhibit import Exhibit, Figure, together
from mensura.exhibit.band import band, heat
from mensura.stats import Estimate


def level(value):
    return Estimate(value, value - 0.1, value + 0.1, 8, "t")


def dose(who, *levels, **more):
    points = [{"x": x, "series": f"slip round {who}", "estimate": level(one)} for x, one in enumerate(levels)]
    return Exhibit(
        f"Dose and response: slip round {who}",
        f"It falls by {levels[0] - levels[-1]:.1f}. Levels are shares.",
        ("rate", "level"),
        [[x, one] for x, one in enumerate(levels)],
        [band(points, x="rate", y="level", words=f"Level of {who}.")],
        ["Paired."],
        kind="Dose and response: slip",
        of=who,
        **more,
    )


def test_two_columns_become_a_column_for_each_and_common_words_are_said_once():
    (found,) = together([dose("a", 0.9, 0.7), dose("b", 0.8, 0.7)])
    assert found.title == "Dose and response: slip"
    assert found.columns == ("rate", "a", "b")
    assert found.rows == [[0, 0.9, 0.8], [1, 0.7, 0.7]]
    assert found.words == "Levels are shares."
    assert list(found.notes) == ["a: It falls by 0.2.", "b: It falls by 0.1.", "Paired."]


def test_lines_of_several_are_drawn_once_in_one_picture_with_the_name_of_each():
    (found,) = together([dose("a", 0.9, 0.7), dose("b", 0.8, 0.7)])
    assert len(found.figures) == 1
    svg = found.figures[0].svg
    assert ">a</text>" in svg
    assert ">b</text>" in svg


def test_longer_tables_stand_one_below_the_other_under_their_names():
    tables = [
        Exhibit("x", "", ("task", "reached", "sessions"), [["race", share, 3]], kind="Training", of=who)
        for who, share in (("a", "1 of 8"), ("b", "8 of 8"))
    ]
    (found,) = together(tables)
    assert found.columns == ("of", "task", "reached", "sessions")
    assert found.rows == [["a", "race", "1 of 8", 3], ["b", "race", "8 of 8", 3]]


def test_a_line_that_only_some_have_is_unknown_for_the_others():
    (found,) = together([dose("a", 0.9), dose("b", 0.8, 0.7)])
    assert found.rows == [[0, 0.9, 0.8], [1, None, 0.7]]


def test_exhibits_without_a_kind_or_alone_in_theirs_stay_as_they_are():
    plain, alone = Exhibit("Levels"), dose("a", 0.9)
    assert together([plain, alone, plain]) == [plain, alone, plain]


def test_pictures_without_a_table_stay_beside_each_other():
    planes = [Exhibit(who, figures=[Figure(lambda: None, who)], kind="Time and energy", of=who) for who in "ab"]
    (found,) = together(planes)
    assert [figure.words for figure in found.figures] == ["a", "b"]
    assert not found.rows


def test_matrices_of_several_are_one_with_the_name_of_each_before_its_rows():
    made = [
        Exhibit(
            who,
            columns=("loss on", "by X", "by Y"),
            rows=[["X", None, 0.1]],
            figures=[heat([{"row": "X", "column": "Y", "value": 0.1}], words="Losses.", order=["X", "Y"])],
            kind="Interference",
            of=who,
        )
        for who in "ab"
    ]
    (found,) = together(made)
    assert found.rows == [["a", "X", None, 0.1], ["b", "X", None, 0.1]]
    assert "a: X" in found.figures[0].svg
