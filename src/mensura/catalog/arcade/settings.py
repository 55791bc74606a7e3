"""Conditions that a result can name: the paper's, what its program really did, and today's."""

from collections.abc import Mapping
from typing import Any

from mensura.catalog.arcade.world.rules import Rules

RULES: Mapping[str, Rules] = {
    "paper": Rules(),
    "program": Rules(sticky=0.25, pooling=False, cap_frames=1_800, sight="84x110-cropped"),
    "modern": Rules(sticky=0.25, cap_frames=108_000),
    "modern-short": Rules(sticky=0.25, cap_frames=18_000),
}
"""The rules of each setting."""

PERSON: Mapping[str, Any] = {
    **Rules(skip=1).as_json(),
    "show": "play",
    "acts_per_answer": 6,
    "epsilon": 0.0,
    "null_starts": 1,
}
"""How people play in the browser: every frame is an act, and a tenth of a second of them an answer."""

SETTINGS: Mapping[str, Mapping[str, Any]] = {
    **{name: rules.as_json() for name, rules in RULES.items()},
    "person": PERSON,
    "tiny": {"cap_frames": 200, "null_starts": 1},
}
