"""Reference subjects of the arcade: chance, doing nothing, planners with the emulator in hand, and learners."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from mensura.catalog.arcade.world.episode import GameEpisode
from mensura.dialogue import Ask, Choice, Vector
from mensura.errors import BadParameter
from mensura.subjects.subject import Unlearning

KEEPS = "yes"
"""What a program answers when it is asked whether moments of its play may be kept."""
EVERYTHING = 18
"""How many actions there are where a subject is not told."""


class ArcadePlayer(Unlearning):
    """Something that plays: `begin` an episode, then `decide` from what it sees.

    In a dialogue it is asked act by act; in an evaluation it is handed what it sees without a record of every act.
    """

    recomputes = True
    method = ""
    """What it is called in tables, where its class has no name among the subjects."""
    looks = False
    """Whether it wants pictures: making them small costs more than a quarter of the emulator's time."""
    simulates = False
    """Whether it takes the emulator's states up to try what will happen."""

    def begin(self, rng: np.random.Generator) -> None:
        """Take the generator of this session or episode."""
        self.rng = rng

    def about(self) -> dict[str, Any]:
        """Return what a record must state of it; nothing where it learned nothing."""
        return {}

    def trained_at(self) -> frozenset[str] | None:
        """Return the hashes of the starts that it was trained at; None where that is not known."""
        return frozenset()

    def refuse_parameters(self, name: str, **parameters: Any) -> None:
        """Refuse another game than it was trained on, and starts that it was trained at."""
        from mensura.catalog.arcade.evaluation import starts_of
        from mensura.catalog.arcade.world.games import find_game

        game = find_game(parameters["game"])
        trained = self.about().get("game", game)
        if trained != game:
            raise BadParameter(f"This learner was trained on {trained}, not on {game}: add --game {trained}.")
        if not parameters["starts"]:
            return
        chosen = starts_of(parameters["starts"], game=game, split=parameters["split"]).starts
        hashes = self.trained_at()
        if hashes is None:
            if parameters["split"] != "test":
                raise BadParameter(
                    "The save does not say at which starts this learner was trained: play those it was not trained at, "
                    "with --split test."
                )
            return
        seen = sum(bool(start.hashes & hashes) for start in chosen)
        if not seen:
            return
        every = starts_of(parameters["starts"], game=game, split="all").starts
        others = sum(start.split == "test" and not start.hashes & hashes for start in every)
        raise BadParameter(
            f"{seen} of {len(chosen)} starts are among those that this learner was trained at. "
            + (f"Add --split test: it plays the {others} others." if others else "Give starts of another set.")
        )

    def decide(self, seen: Any, actions: int) -> int:
        """Return an action, given a stack of pictures where it looks, and how many actions there are."""
        raise NotImplementedError

    def decide_in(self, episode: GameEpisode) -> int:
        """Return an action, given the game itself, where it takes up the emulator's states."""
        raise NotImplementedError

    def __call__(self, ask: Ask) -> Any:
        if self.simulates and not isinstance(ask.space, Choice):
            if not isinstance(ask.aside, GameEpisode) or isinstance(ask.space, Vector):
                name = type(self).__name__
                raise BadParameter(
                    f"{name} plays act by act where it is handed the emulator: in this process, as itself."
                )
            return self.decide_in(ask.aside)
        screen = ask.prompt[0] if isinstance(ask.prompt, list) else ask.prompt
        if isinstance(ask.space, Choice):
            return KEEPS
        seen = getattr(screen, "values", None)
        if isinstance(ask.space, Vector):
            actions = int(ask.space.high[0]) + 1
            return [*(self.decide(seen, actions) for _ in ask.space.high[1:]), 0]
        return self.decide(seen, len(getattr(ask.space, "names", range(EVERYTHING))))


class RandomPlayer(ArcadePlayer):
    """Draws every action from all alike: the source's random agent, and the chance level."""

    def begin(self, rng: np.random.Generator) -> None:
        """Take the generator, and draw from it in blocks."""
        self.rng = rng
        self._drawn: list[float] = []

    def decide(self, seen: Any, actions: int) -> int:
        """Return any action."""
        if not self._drawn:
            self._drawn = self.rng.random(512).tolist()
        return int(self._drawn.pop() * actions)


class NoopPlayer(ArcadePlayer):
    """Does nothing."""

    def decide(self, seen: Any, actions: int) -> int:
        """Return the action that does nothing."""
        return 0


class RepeatLast(ArcadePlayer):
    """Repeats what it did last, and draws anew once in fifteen acts, a second of play: chance with some persistence.

    Parameters
    ----------
    renew
        The chance of drawing anew.
    """

    def __init__(self, renew: float = 1 / 15) -> None:
        self.renew = renew

    def begin(self, rng: np.random.Generator) -> None:
        """Take the generator and forget what was done."""
        self.rng = rng
        self._last: int | None = None

    def decide(self, seen: Any, actions: int) -> int:
        """Return the last action, or now and then another."""
        if self._last is None or self.rng.random() < self.renew:
            self._last = int(self.rng.integers(actions))
        return self._last


class SearchPlanner(ArcadePlayer):
    """Tries random sequences in the emulator itself, takes the state up again, and does what earned most.

    It uses the emulator's states, which nobody who only sees the screen has: a score of it is no score of an agent.

    Parameters
    ----------
    tries, acts
        How many sequences are tried, and how long each is; half of the best one is then done.
    """

    knows = "truth"
    simulates = True

    def __init__(self, tries: int = 12, acts: int = 30) -> None:
        if tries < 1 or acts < 1:
            raise BadParameter(f"search-planner takes tries and acts of at least 1; got {tries} and {acts}.")
        self.tries, self.acts = tries, acts

    def begin(self, rng: np.random.Generator) -> None:
        """Take the generator and forget the plan."""
        self.rng = rng
        self._plan: list[int] = []

    def decide_in(self, episode: GameEpisode) -> int:
        """Return an action, having tried what comes of several sequences in the emulator."""
        if not self._plan:
            self._plan = self._best(episode)
        return self._plan.pop()

    def _best(self, episode: GameEpisode) -> list[int]:
        actions = len(episode.actions)
        kept = episode.snapshot()
        lives, best, chosen = episode.lives, -np.inf, [0]
        for _ in range(self.tries):
            # Held for a while, as a joystick is: single acts cancel each other out.
            plan = np.repeat(self.rng.integers(actions, size=self.acts // 5 + 1), 5)[: self.acts].tolist()
            earned = 0.0
            for action in plan:
                earned += episode.try_act(action)
                if episode.over:
                    break
            worth = earned - 100.0 * (lives - episode.lives) + self.rng.random() * 1e-3
            if worth > best:
                best, chosen = worth, plan
            episode.take_up(kept)
        return chosen[: max(1, len(chosen) // 2)][::-1]


class Learner(ArcadePlayer):
    """A saved network that plays the action of the greatest value; chance comes from the test's ε.

    Parameters
    ----------
    save
        The file that `mensura arcade train` wrote.
    """

    looks = True

    def __init__(self, save: str = "") -> None:
        if not save:
            name = self.method or "learner"
            raise BadParameter(
                f"{name} plays what it learned: --as {name}#save=FILE, where `mensura arcade train` wrote FILE."
            )
        self.save = save
        self._policy: Any = None

    def decide(self, seen: Any, actions: int) -> int:
        """Return the action that the network values most."""
        policy = self._loaded()
        if policy.actions != actions:
            raise BadParameter(
                f"{self.save} was trained with {policy.actions} actions, and {actions} are asked for here. Use the "
                "setting it was trained in."
            )
        policy.stack[0] = seen
        return int(policy.best())

    def about(self) -> dict[str, Any]:
        """Return what its save states: frames, updates, seed, starts, and what is human in it."""
        from mensura.catalog.arcade.learners.saving import stated_in

        return stated_in(Path(self.save))

    def trained_at(self) -> frozenset[str] | None:
        """Return the hashes of the starts that its save was trained at; None where it does not say."""
        from mensura.catalog.arcade.learners.saving import trained_at

        return trained_at(Path(self.save))

    def __getstate__(self) -> dict[str, Any]:
        return {"save": self.save, "_policy": None}

    def _loaded(self) -> Any:
        if self._policy is None:
            from mensura.catalog.arcade.learners.evaluating import NetworkPolicy

            self._policy = NetworkPolicy(Path(self.save))
            made = self._policy.told["course"]["options"]["method"]
            if self.method and made != self.method:
                raise BadParameter(f"{self.save} was trained by {made}, not by {self.method}: --as {made}#save=FILE.")
        return self._policy


class DqnPlayer(Learner):
    """A network trained by deep Q-learning from the beginning of the game."""

    method = "dqn"


class HcrPlayer(Learner):
    """A network trained by human checkpoint replay."""

    method = "hcr"


class HerPlayer(Learner):
    """A network trained with human experience replay."""

    method = "her"


class ErSearchPlayer(Learner):
    """A network trained with experience that a search found."""

    method = "er-search"


def recorded_human(play: str = "") -> ArcadePlayer:
    """Return the person of recorded play."""
    from mensura.catalog.arcade.recorded import RecordedHuman

    return RecordedHuman(play)


SUBJECTS: dict[str, Callable[..., Any]] = {
    "random": RandomPlayer,
    "noop": NoopPlayer,
    "repeat-last": RepeatLast,
    "search-planner": SearchPlanner,
    "recorded-human": recorded_human,
    "dqn": DqnPlayer,
    "hcr": HcrPlayer,
    "her": HerPlayer,
    "er-search": ErSearchPlayer,
}
