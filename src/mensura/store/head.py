"""RunHead and SessionHead: what is known of a run and a session besides their events."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mensura.dialogue import Address, Trace
from mensura.dialogue.streams import seed_mark
from mensura.errors import BadParameter, MissingKey

BY_HASH = "items by their hash"
"""The value of `bound` in the details of a run where the hash of its items stands for them in its chain."""


@dataclass(frozen=True)
class RunHead:
    """Many sessions of one test, one cast, one condition."""

    id: str
    test: str
    parameters: Mapping[str, Any]
    cast: Mapping[str, str]
    """Role → name of the subject, as given by the user."""
    condition: str
    """Name of the setting or of the study's condition; "" for none."""
    instance_hash: str
    environment_hash: str
    seed: int | None
    """None where a secret seed was left out of the archive this run came from; it can be scored but not resumed."""
    seed_public: bool
    trace: Trace
    created: float
    details: Mapping[str, Any] = field(default_factory=dict)
    """Whatever else a reader should know: phases of a course, limits, study."""
    seed_mark: str = ""
    """A name of the seed that does not reveal it."""
    opened: float | None = None
    """When what was kept back of the run was opened, since no session of it could ask it any more; None: not yet."""
    kept_back: bool = False
    """Whether the seed, or the hash of its items, is there but cannot be read, for want of the store's key."""

    def __post_init__(self) -> None:
        if not self.seed_mark and self.seed is not None:
            object.__setattr__(self, "seed_mark", seed_mark(self.seed))

    @property
    def who(self) -> list[str]:
        """Return the subjects of the run, each once; one declared to know the truth is marked everywhere."""
        knowing = {self.cast.get(role) for role in self.details.get("knows", ())}
        return [f"{name} (knows the truth)" if name in knowing else name for name in dict.fromkeys(self.cast.values())]

    def own_seed(self) -> int:
        """Return the seed, or raise a sentence that says why it is not there."""
        if self.seed is not None:
            return self.seed
        if self.kept_back:
            raise MissingKey(
                f"To resume {self.id} the key of its store is needed, and it is not here; name it with "
                "MENSURA_KEY_FILE."
            )
        raise BadParameter(f"{self.id} was imported without its secret seed, so its sessions cannot be resumed.")


def same_seed(one: RunHead, other: RunHead) -> bool:
    """Return whether two runs have the same seed, as far as that is known."""
    return bool(one.seed_mark) and one.seed_mark == other.seed_mark


def same_terms(one: RunHead, other: RunHead) -> bool:
    """Return whether two runs are of the same test with the same parameters."""
    return one.test == other.test and dict(one.parameters) == dict(other.parameters)


@dataclass(frozen=True)
class SessionHead:
    """One administration."""

    id: str
    run: str
    address: Address
    cast: Mapping[str, str]
    status: str = "open"
    created: float = 0.0
    ended: float | None = None
    last_words: str = ""
