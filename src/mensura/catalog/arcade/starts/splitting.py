"""Splits of a set of starts into those trained on and those tested on, and what must hold between them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mensura.catalog.arcade.starts.start import Start, StartSet, sessions_of
from mensura.errors import BadData


@dataclass(frozen=True)
class SplitCheck:
    """What splits of a set share, and how near they are.

    Parameters
    ----------
    shared_states, shared_sessions
        Ids of states that are in both splits, or whose memory is, and names of such sessions; both must be empty.
    nearest_bytes
        The least number of bytes of memory in which a start of one split differs from one of the other.
    nearest_frames
        The least distance in frames between starts of the two splits that one session gave; None where sessions are
        apart.
    """

    shared_states: tuple[str, ...]
    shared_sessions: tuple[str, ...]
    nearest_bytes: int | None
    nearest_frames: int | None

    @property
    def clean(self) -> bool:
        """Return whether the splits share neither a state nor a session."""
        return not self.shared_states and not self.shared_sessions

    def as_json(self) -> dict[str, Any]:
        """Return the check as plain data."""
        return {
            "clean": self.clean,
            "shared_states": list(self.shared_states),
            "shared_sessions": list(self.shared_sessions),
            "nearest_bytes": self.nearest_bytes,
            "nearest_frames": self.nearest_frames,
        }


def split_sessions(starts: Sequence[Start]) -> tuple[Start, ...]:
    """Return the starts with whole sessions put to `train` and `test` so that the two are as equal as they can be.

    Largest sessions first, each to the smaller side; so the split depends on the states only, not on chance or order.
    A session alone is trained on. A start that would be tested on while its double, by state or by memory, is trained
    on belongs to no side.
    """
    sizes = {"train": 0, "test": 0}
    side: dict[str, str] = {}
    for name, group in sorted(sessions_of(starts).items(), key=lambda session: (-len(session[1]), session[0])):
        smaller = min(sizes, key=lambda split: (sizes[split], split == "test"))
        sizes[smaller] += len(group)
        side[name] = smaller
    trained = {what for start in starts if side[start.session] == "train" for what in (start.id, start.memory)}
    splits = [
        "" if side[start.session] == "test" and {start.id, start.memory} & trained else side[start.session]
        for start in starts
    ]
    return tuple(replace(start, split=split) for start, split in zip(starts, splits, strict=True))


def check_split(found: StartSet) -> SplitCheck:
    """Say what the splits of a set share, and how near they are to each other."""
    sides = {split: [start for start in found.starts if start.split == split] for split in ("train", "test")}
    train, test = sides["train"], sides["test"]
    memories = {start.memory for start in train} & {start.memory for start in test}
    states = {start.id for start in (*train, *test) if start.memory in memories}
    states |= {start.id for start in train} & {start.id for start in test}
    sessions = ({start.session for start in train} & {start.session for start in test}) - {""}
    frames = [
        abs(one.frame - other.frame) for one in train for other in test if one.session and one.session == other.session
    ]
    nearest = None
    if train and test:
        left, right = (
            np.frombuffer(b"".join(s.memory for s in side), np.uint8).reshape(len(side), -1) for side in (train, test)
        )
        nearest = int((left[:, None] != right[None]).sum(axis=2).min())
    return SplitCheck(tuple(sorted(states)), tuple(sorted(sessions)), nearest, min(frames) if frames else None)


def demand_clean(found: StartSet) -> SplitCheck:
    """Return the check of a set's splits, or refuse the set in a sentence where they share something."""
    check = check_split(found)
    if check.shared_states:
        raise BadData(
            f"Starts for training and for testing share {len(check.shared_states)} state(s), such as "
            f"{check.shared_states[0]}; an agent would be tested where it was trained. Split the set anew."
        )
    if check.shared_sessions:
        raise BadData(
            f"Starts for training and for testing share the session {check.shared_sessions[0]!r}. Whole sessions "
            "belong to one side: split the set anew."
        )
    return check
