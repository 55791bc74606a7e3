"""People type percents, in every space that takes shares; programs write 0 to 1."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura.dialogue import Allocation, Call, Density, Distribution, Number, Probability, Table, Tool
from mensura.dialogue.spaces.percent import read_percent
from mensura.errors import Invalid

READ = {
    "60": 0.6, "60 %": 0.6, "60%": 0.6, " 60\u00a0% ": 0.6, "12.5": 0.125, "12,5": 0.125, "12,5 %": 0.125, "1": 0.01,
    "0.6 %": 0.006, ".6%": 0.006, "0": 0.0, "0.0": 0.0, "0 %": 0.0, "100": 1.0, "100.0 %": 1.0, "1.0 %": 0.01,
    "60.": 0.6, "007": 0.07, "99.999": 0.99999, "-0": 0.0, "+60": 0.6, "60 percent": 0.6, "60 Per cent": 0.6,
    "６０％": 0.6, "１２．５": 0.125,
}  # fmt: skip
UNCLEAR = ["0.6", ".6", "0,6", ",6", "0.999", "0.01", "00.5", "1.0", "1.000", "1,0", "1."]
WRONG = [
    "",
    " ",
    "sixty",
    "-5",
    "+-5",
    "６²",
    "60 percents",
    "1e1",
    "6 0",
    "1.2.3",
    "%",
    "60 %%",
    "101",
    "100.01",
    "1,000.5",
    "½",
    "٦٠",
    "NaN",
    ".",
]


@pytest.mark.parametrize(("text", "share"), READ.items())
def test_a_percent_is_read_as_people_write_it(text, share):
    assert read_percent(text) == share


@pytest.mark.parametrize("text", UNCLEAR)
def test_a_number_below_one_without_the_sign_is_asked_back(text):
    with pytest.raises(Invalid, match=r"^Do you mean .* % or .* %\? Write it with the sign\.$"):
        read_percent(text)


@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_percent_is_refused(text):
    with pytest.raises(Invalid):
        read_percent(text)


@given(st.integers(0, 10_000))
def test_every_percent_with_two_decimals_comes_back(hundredths):
    assert read_percent(f"{hundredths / 100:.2f} %") == pytest.approx(hundredths / 10_000, abs=1e-15)


@pytest.mark.parametrize("text", ["100.0001", "-1", "101"])
def test_a_percent_out_of_range_is_told_so_as_it_was_written(text):
    with pytest.raises(Invalid, match=f"lies between 0 % and 100 %; got {text} %"):
        read_percent(text)


AB = ("a", "b")


@pytest.mark.parametrize(
    ("space", "form", "answer"),
    [
        (Probability(), {"answer": "60"}, 0.6),
        (Distribution(AB), {"answer.a": "60", "answer.b": "40 %"}, {"a": 0.6, "b": 0.4}),
        (Distribution(AB), {"answer": "60 % 40 %"}, {"a": 0.6, "b": 0.4}),
        (Distribution(AB), {"answer": "60 percent, 40 percent"}, {"a": 0.6, "b": 0.4}),
        (Distribution((*AB, "c")), {"answer": "33.3, 33.3, 33.3"}, dict.fromkeys((*AB, "c"), pytest.approx(1 / 3))),
        (Distribution(AB), {"answer.a": "49", "answer.b": "49"}, {"a": 0.5, "b": 0.5}),
        (Allocation(AB), {"answer.a": "12,5", "answer.b": "87,5"}, {"a": 12.5, "b": 87.5}),
        (Allocation(AB), {"answer.a": "51", "answer.b": "51"}, {"a": 50, "b": 50}),
        (Allocation(AB, total=1, unit=""), {"answer": "7 93"}, {"a": 0.07, "b": 0.93}),
        (Allocation(AB, total=12, unit="patrols"), {"answer": "0.5 11.5"}, {"a": 0.5, "b": 11.5}),
        (Number(0, 100, unit="%"), {"answer": "12,5 %"}, 12.5),
        (Density(0, 4, bins=2), {"answer.0": "25", "answer.1": "75"}, [0.25, 0.75]),
        (Density(0, 100, levels=(0.1, 0.9), unit="%"), {"answer": "12,5 % 60"}, [12.5, 60]),
        (Table({"p": Probability(), "n": Number()}), {"answer.0.p": "60", "answer.0.n": "0.6"}, [{"p": 0.6, "n": 0.6}]),
        (Table({"p": Probability(), "n": Number()}), {"answer": '[{"p": 60, "n": 0.6}]'}, [{"p": 0.6, "n": 0.6}]),
        (Table({"s": Distribution(AB)}), {"answer": '[{"s": {"a": "60 %", "b": 40}}]'}, [{"s": {"a": 0.6, "b": 0.4}}]),
        (
            Call({"bet": Tool("Bet.", {"p": Probability()})}),
            {"answer": '{"call": "bet", "arguments": {"p": 60}}'},
            {"call": "bet", "arguments": {"p": 0.6}},
        ),
    ],
)
def test_every_space_that_takes_shares_reads_percents(space, form, answer):
    assert space.check(space.parse(form)) == answer
    if not isinstance(space, Number):
        assert space.percent == ("percent" in space.hint_for_people().lower())
        assert "percent" not in space.hint().lower(), "programs are told 0 to 1"


@pytest.mark.parametrize(
    ("space", "form", "words"),
    [
        (Distribution(AB), {"answer.a": "60", "answer.b": ""}, "Together they must be 100 %; they are 60 %."),
        (Distribution(AB), {"answer": "0.6 0.4"}, "a: Do you mean 0.6 % or 60 %? Write it with the sign."),
        (Distribution(AB), {"answer": "0.6 0.4"}, "b: Do you mean 0.4 % or 40 %? Write it with the sign."),
        (Distribution(AB), {"answer": "60 30"}, "they are 90 %. 98 to 102 is taken as 100."),
        (Density(0, 9), {f"answer.{i}": str(i) for i in (0, 1, 3, 4)}, "Give a value for the 50 % quantile too."),
        (Density(0, 4, bins=2), {"answer": "100"}, "Give 2 percents, one for each bin; got 1."),
        (Table({"p": Probability()}), {"answer.1.p": "0.6"}, "Row 2, p: Do you mean 0.6 % or 60 %?"),
        (Table({"p": Probability()}), {"answer": '[{"p": 0.6}]'}, "Row 1, p: Do you mean 0.6 % or 60 %?"),
        (Call({"bet": Tool("Bet.", {"p": Probability()})}), {"call": "bet", "arguments.bet.p": "0,6"}, "Do you mean"),
    ],
)
def test_what_is_unclear_is_asked_back_where_it_stands(space, form, words):
    with pytest.raises(Invalid) as wrong:
        space.parse(form)
    assert words in str(wrong.value)
