"""Small worlds written down event by event: any change of behaviour shows as a readable difference."""

from pathlib import Path

import pytest

from mensura.catalog.find import find_test
from mensura.running.checks.golden import check_golden
from mensura.running.checks.trial import Trial

GOLDEN = Path(__file__).parents[2] / "golden"


@pytest.mark.parametrize("id", ["detection-v2", "detection-patrol-v2"])
def test_a_session_goes_as_it_was_written_down(id):
    test = find_test(id)
    found = check_golden(Trial(test, test.fill({})), GOLDEN)
    assert found.passed, found.words
