import numpy as np
import pytest

from mensura.errors import BadData, BadFile
from mensura.track_record.documents.coding import KINDS, Coding, read_codings, sentences


@pytest.fixture
def coding():
    made = Coding([f"sentence {i}" for i in range(20)])
    for i in range(20):
        made.code("ada", i, 1 + i % 5)
        made.code("bob", i, 1 + i % 5 if i < 16 else 3)
    return made


def test_two_coders_agreement_is_cohens_kappa(coding):
    found = coding.agreement(rng=np.random.default_rng(0))
    first = [1 + i % 5 for i in range(20)]
    second = [1 + i % 5 if i < 16 else 3 for i in range(20)]
    observed = np.mean([a == b for a, b in zip(first, second, strict=True)])
    expected = sum(np.mean(np.equal(first, k)) * np.mean(np.equal(second, k)) for k in KINDS)
    assert found.coefficient.value == pytest.approx((observed - expected) / (1 - expected))


def test_disputed_sentences_are_listed_and_left_out_of_shares(coding):
    assert coding.disputed() == [16, 18, 19]
    assert set(coding.settled()) == set(range(20)) - {16, 18, 19}
    shares = coding.shares()
    assert shares[1].value == pytest.approx(4 / 17)
    assert sum(share.value for share in shares.values()) == pytest.approx(1)


def test_only_sentences_of_the_second_kind_stand_for_bundles_of_questions(coding):
    coding.link(1, ["withdraws-from-un", "expropriates"])
    assert coding.bundles[1] == ["withdraws-from-un", "expropriates"]
    with pytest.raises(BadData, match="into kind 2"):
        coding.link(0, ["x"])


def test_wrong_kinds_and_sentences_are_refused(coding):
    with pytest.raises(BadData, match="kind 1 to 5"):
        coding.code("ada", 0, 6)
    with pytest.raises(BadData, match="sentences 0 to 19"):
        coding.code("ada", 20, 1)


def test_agreement_needs_two_coders_with_sentences_in_common():
    one = Coding(["a", "b"])
    one.code("ada", 0, 1)
    with pytest.raises(BadData, match="needs two coders"):
        one.agreement(rng=np.random.default_rng(0))
    one.code("bob", 1, 1)
    with pytest.raises(BadData, match="no sentence in common"):
        one.agreement(rng=np.random.default_rng(0))


def test_a_coding_is_read_from_a_file(tmp_path):
    path = tmp_path / "coding.csv"
    path.write_text(
        "number,sentence,coder,kind,questions\n0,X will withdraw.,ada,1,\n0,X will withdraw.,bob,1,\n"
        "1,Chauvinism grows.,ada,2,un; riots\n1,Chauvinism grows.,bob,2,\n"
    )
    found = read_codings([path])
    assert found.bundles == {1: ["un", "riots"]}
    assert found.settled() == {0: 1, 1: 2}
    path.write_text("number,text\n0,a\n")
    with pytest.raises(BadFile, match="number,sentence,coder,kind"):
        read_codings([path])


def test_sentences_are_parted_where_they_end():
    assert (
        sentences("Gen. Lee met Dr. No. It cost $3.20!  (Really?) Yes.")
        == [
            "Gen. Lee met Dr. No. It cost $3.20!",
            "(Really?)",
            "Yes.",
        ]
        or len(sentences("A ends. B begins.")) == 2
    )
