"""The example that sets grade against verdict runs, small, and tells three kinds of result apart."""

import sys
from importlib import util
from pathlib import Path

from mensura.store import open_store

FILE = Path(__file__).parents[2] / "examples" / "benchmark_versus_judgement.py"


def test_the_same_systems_take_both_and_three_kinds_of_result_are_told(tmp_path):
    spec = util.spec_from_file_location("benchmark_versus_judgement", FILE)
    module = util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    with open_store(f"{tmp_path}/study.db") as store:
        found = module.compared(store, sessions=3)
    assert [one.name for one in found.systems] == ["schooled", "talkative"]
    assert all((one.grade.n, one.verdict.n) == (60, 3) for one in found.systems)
    grades = {one.name: one.grade.value for one in found.systems}
    assert grades["schooled"] > grades["talkative"]
    told = "\n".join(found.lines())
    assert all(f"## {kind}" in told for kind in ("Benchmark", "Judgement", "Competition"))
    assert "standing for people" in told
