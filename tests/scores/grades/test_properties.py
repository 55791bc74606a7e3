"""What graders promise of any answer: order never matters, more that is true never costs, leaving out never pays."""

from hypothesis import given
from hypothesis import strategies as st

from mensura.scores.grades.exact import IGNORABLE, exact, normalised
from mensura.scores.grades.grade import SCORES, graded_truth, grades
from mensura.scores.grades.members import listed, members
from mensura.scores.grades.numeric import numeric, read_quantity
from mensura.scores.grades.overlap import f1

WORDS = st.sampled_from(["iron", "gold", "silver", "tin", "lead", "zinc", "clay", "sand"])
TRUTH = ["iron", "gold", "silver", ["tin", "Sn"]]
RIGHT = ("iron", "gold", "silver", "tin", "Sn")


def scored(named):
    return {**members("; ".join(named), TRUTH), **members("; ".join(named), TRUTH, count="all")}


@given(st.lists(WORDS, max_size=8).flatmap(lambda named: st.tuples(st.just(named), st.permutations(named))))
def test_order_and_repeating_never_matter_for_sets(both):
    named, other = both
    assert scored(named) == scored(other) == scored(named + other)


@given(st.lists(WORDS, max_size=8), st.sampled_from(RIGHT))
def test_naming_one_more_that_is_true_never_costs_and_leaving_it_out_never_pays(named, more):
    """Also under a second name: both of them are true."""
    less = [one for one in named if one != more]
    with_it, without = scored([*less, more]), scored(less)
    assert all(with_it[name] >= without[name] for name in with_it)


@given(st.lists(WORDS, min_size=1, max_size=8))
def test_naming_what_does_not_belong_never_pays(named):
    more, less = scored([*named, "granite"]), scored(named)
    assert all(more[name] <= less[name] for name in more)


@given(st.text(max_size=40), st.text(max_size=40))
def test_every_grade_of_any_text_lies_within_its_declared_bounds(answer, truth):
    for by in ("exact", "f1", "set"):
        right = [truth] if by == "set" else truth
        for name, value in grades(answer, graded_truth(by, right)).items():
            assert SCORES[name].admits(value)
    assert numeric(answer, 1.0)["accuracy"] in (0.0, 1.0)
    assert all(value != value for value in grades(None, graded_truth("set", [truth])).values())


@given(st.text(max_size=40))
def test_the_truth_itself_is_right_and_normalising_twice_changes_nothing(text):
    assert exact(text, text) == {"accuracy": 1.0}
    assert f1(text, text) == {"token_f1": 1.0, "exact_match": 1.0}
    for ignore in ((), ("case", "spaces"), IGNORABLE):
        once = normalised(text, ignore=ignore)
        assert exact(once, text, ignore=ignore)["accuracy"] == 1.0 or "articles" in ignore


@given(st.floats(allow_nan=False, allow_infinity=False), st.floats(0, 1), st.floats(0, 1))
def test_a_number_is_right_however_it_is_printed_and_a_wider_tolerance_never_costs(number, narrow, more):
    for text in (str(number), f"{number:.17g}"):
        assert read_quantity(text) == number
    near = number * (1 + narrow)
    assert (
        numeric(near, number, relative=narrow + more)["accuracy"] >= numeric(near, number, relative=narrow)["accuracy"]
    )


@given(st.lists(st.text(alphabet="abc XYZ", min_size=1).map(str.strip).filter(bool), min_size=2))
def test_a_list_is_read_the_same_by_lines_semicolons_and_numbers(parts):
    kept = [part for part in parts if not part.lower().startswith(("and ", "none"))]
    if len(kept) > 1:
        assert listed("\n".join(kept)) == listed(";".join(kept)) == kept
        assert listed("\n".join(f"{place}. {one}" for place, one in enumerate(kept, 1))) == kept
