"""The values that a test may yield (Ask, Round, Save, Break, Pass) or return (Outcome)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from mensura.dialogue.prompts.base import PromptLike
from mensura.dialogue.spaces.base import Space

SUBJECT = "subject"


@dataclass(slots=True)
class Ask:
    """One question to one role; with no space it is told, not asked.

    Parameters
    ----------
    prompt
        What is shown: a string (Markdown), a prompt such as `Table` or `Map`, or a list of these.
    space
        Where the answer must lie. None: nothing is asked, the prompt is only told.
    key
        Name of the answer in the record; the number of the ask where it is empty. Asks that share a key share their
        truth.
    role
        Who is asked.
    truth
        What is right, if anything is; removed before any subject sees the ask. None: no truth.
    until
        Tick at which the ask lapses; the test then receives None.
    reward
        Reward for the role's previous answer.
    aside
        What is true beyond the truth of this one answer, a world perhaps, for subjects that are declared to know it;
        removed like the truth, and never stored.
    may_pass
        Whether people are offered to pass, which counts as an abstention; programs may abstain from anything.
    """

    prompt: PromptLike
    space: Space | None = None
    key: str = ""
    role: str = SUBJECT
    truth: Any = None
    until: int | None = None
    reward: float | None = None
    aside: Any = None
    may_pass: bool = False

    def without_truth(self) -> "Ask":
        """Copy the ask as a subject may see it."""
        return Ask(self.prompt, self.space, self.key, self.role, None, self.until, self.reward, may_pass=self.may_pass)


@dataclass(slots=True)
class Round:
    """Several roles asked at once; the test receives a dict of role → answer in the order of the asks.

    Parameters
    ----------
    asks
        At most one ask with a space per role.
    need
        How many answers end the round: "all", "any" or a number. A role that is missing then is absent from the dict.
    until
        Tick at which whatever is still open lapses.
    meanwhile
        Role → what people in it see while they are not asked; no subject is handed it. None: a page that says to wait.
    stays
        Whether asks that are open when it ends stay on the table, as long as the next round holds them too.
    """

    asks: Sequence[Ask]
    need: Literal["all", "any"] | int = "all"
    until: int | None = None
    meanwhile: Callable[[str], PromptLike | None] | None = None
    stays: bool = False


@dataclass(slots=True)
class Save:
    """A point from which the session can be resumed: the test is called again with `saved=state`.

    The state must be JSON and hold all that the test needs to go on; the driver adds rng, clock and event number.
    """

    state: Any


@dataclass(slots=True)
class Break:
    """A rest: the clock stands still until the subject goes on. Programs go on at once."""

    prompt: PromptLike = "Take a break. Continue when you are ready."


@dataclass(slots=True)
class Pass:
    """A number of ticks that pass while nobody is asked: a world that its roles let go on moves the clock by it."""

    ticks: int


@dataclass(slots=True)
class Outcome:
    """How a test ended, returned by it: last words, reward for the last answer, whether it was cut short.

    A reward that is one number is earned by every role that was asked.
    """

    prompt: PromptLike = ""
    reward: float | dict[str, float] | None = None
    truncated: bool = False

    def shared(self, roles: Iterable[str]) -> dict[str, float]:
        """Return what each of these roles earns by it."""
        reward = self.reward
        if isinstance(reward, Mapping):
            return {role: reward[role] for role in roles if role in reward}
        return {} if reward is None else dict.fromkeys(roles, reward)
