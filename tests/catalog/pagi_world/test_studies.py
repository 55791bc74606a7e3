"""The studies of the examples can be run as they stand."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from mensura.cli.main import cli

EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.parametrize(("study", "said"), [("gap", "keeps in control"), ("latency", "controller in 300 ms")])
def test_a_study_of_rooms_is_a_plan_without_faults(study, said):
    done = CliRunner().invoke(cli, ["study", "check", str(EXAMPLES / f"pagi_world_{study}.yaml")])
    assert done.exit_code == 0, done.output
    assert said in done.output
