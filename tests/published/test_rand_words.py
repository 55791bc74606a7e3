"""Brown and Shuford (1973), RAND R-1185, section V: words for probabilities, ratings of reports, kinds of sentences."""

import pytest

from mensura.catalog.forecasting.phrase_readings.kent import kent_chart
from mensura.track_record.appraisal.admiralty import codes
from mensura.track_record.documents.coding import KINDS


@pytest.mark.parametrize(
    ("percent", "words"),
    [
        ((100,), "It is certain that"),
        ((85, 99), "It is almost certain that"),
        ((60, 84), "It is probable that"),
        ((40, 59), "The chances are about even that"),
        ((15, 39), "It is probable that ... not"),
        ((1, 14), "It is almost certain that ... not"),
        ((0,), "It is impossible that"),
    ],
)
def test_table_1_kent_chart(percent, words):
    for value in percent:
        assert kent_chart().phrase(value / 100).words == words


def test_page_30_source_and_content_codes():
    assert [part.words for part in codes("source")] == [
        "Completely reliable",
        "Usually reliable",
        "Fairly reliable",
        "Not usually reliable",
        "Not reliable",
        "Reliability cannot be judged",
    ]
    assert [part.words for part in codes("content")] == [
        "Confirmed by other sources",
        "Probably true",
        "Possibly true",
        "Truth doubtful",
        "Improbable",
        "Truth cannot be judged",
    ]


def test_page_42_there_are_five_kinds_of_sentences():
    assert sorted(KINDS) == [1, 2, 3, 4, 5]
