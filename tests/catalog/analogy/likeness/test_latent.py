import pytest
from hypothesis import given
from hypothesis import strategies as st

from mensura.catalog.analogy.likeness.latent import latent

TEXTS = st.lists(st.sampled_from(["dam", "mill", "the", "broke", "river", "flood."]), min_size=1, max_size=20).map(
    " ".join
)


@given(TEXTS, TEXTS)
def test_latent_closeness_lies_between_0_and_1_and_does_not_depend_on_which_text_comes_first(first, second):
    found = latent(first, second)
    assert 0 <= found <= 1
    assert latent(second, first) == pytest.approx(found, abs=1e-9)


@given(TEXTS)
def test_a_text_is_wholly_close_to_itself(text):
    assert latent(text, text) == pytest.approx(1.0)


def test_a_text_without_words_is_unknown_and_not_far():
    assert latent("", "The dam broke.") is None
    assert latent("The dam broke.", "...") is None


def test_words_that_stand_together_are_near_though_the_texts_share_none():
    between = "The mill needs a river. "
    apart = latent("mill. dam.", "river. flood.", dimensions=1)
    met = latent(f"mill dam. {between}", f"river flood. {between}", dimensions=1)
    assert met > apart
