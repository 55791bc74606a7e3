"""Conditions of task environments that a result can name."""

from collections.abc import Mapping
from typing import Any

AS_IN_2016 = {"physics": "original", "ladder": 20, "episodes": 200}
"""Starts move away from the goals, then 200 attempts count while learning goes on; the ladder's length is ours."""

SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "rewarded": {"told": "reward"},
    "untold": {"told": "neither"},
    "as-printed": {"physics": "paper"},
    "as-programmed": {"physics": "original"},
    "figure-1": {"task": "car-race", **AS_IN_2016},
    "figure-2": {"task": "locking-plotter", **AS_IN_2016},
    "figure-3": {"task": "locking-plotter", **AS_IN_2016},
    "figure-4": {"task": "n-dimensions-original:10", "physics": "original", "episodes": 100},
    "figure-5": {"task": "n-dimensions-original:20", "physics": "original", "episodes": 100},
}
