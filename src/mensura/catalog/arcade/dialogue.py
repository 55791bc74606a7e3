"""The arcade test: play on from where people, or a search, have been."""

from collections.abc import Generator
from typing import Any

import numpy as np

from mensura.catalog.arcade.batch import play_all
from mensura.catalog.arcade.evaluation import (
    NULL,
    EvaluationPlan,
    PlayedEpisode,
    by_start,
    check_counts,
    episode_of,
    starts_of,
)
from mensura.catalog.arcade.exhibits import PLAYER, exhibits
from mensura.catalog.arcade.scoring import ABOUT, declare, score, score_played
from mensura.catalog.arcade.screen import ScreenWatcher, png
from mensura.catalog.arcade.settings import SETTINGS
from mensura.catalog.arcade.starts.start import Start
from mensura.catalog.arcade.subjects import SUBJECTS, ArcadePlayer
from mensura.catalog.arcade.world.episode import GameEpisode
from mensura.catalog.arcade.world.games import find_game
from mensura.catalog.arcade.world.rules import Rules
from mensura.catalog.arcade.world.sight import SIDE
from mensura.dialogue import Action, Ask, Outcome, Score, Scores, Sees, test
from mensura.dialogue.prompts.image import Image
from mensura.errors import BadParameter

ALL_ACTIONS = Action(
    (
        *("noop", "fire", "up", "right", "left", "down", "upright", "upleft", "downright", "downleft"),
        *("upfire", "rightfire", "leftfire", "downfire", "uprightfire", "upleftfire", "downrightfire", "downleftfire"),
    )
)
SHOWS = ("facts", "picture")


def declared(**parameters: Any) -> tuple[Score, ...]:
    """Declare the scores of these starts."""
    return declare(_all_human(parameters))


def refuse(**parameters: Any) -> None:
    """Refuse what cannot be played, before anything is."""
    rules_of(parameters)
    check_counts(*(parameters[name] for name in ("episodes_per_start", "null_starts", "epsilon", "starts")))
    if parameters["show"] not in SHOWS:
        raise BadParameter(f"--show is one of {', '.join(SHOWS)}; got {parameters['show']!r}.")
    game = find_game(parameters["game"])
    if parameters["starts"]:
        starts_of(parameters["starts"], game=game, split=parameters["split"])


def rules_of(parameters: Any) -> Rules:
    """Return the rules among the parameters of the test."""
    return Rules(**{name: parameters[name] for name in Rules.__dataclass_fields__})


def in_batch(rng: np.random.Generator, subject: Any, **parameters: Any) -> Scores | None:
    """Play an evaluation without a record of every act, for subjects of the house; None for others."""
    if not isinstance(subject, ArcadePlayer):
        return None
    plan = make_plan(rng, parameters)
    played = play_all(plan, subject)
    found = dict(by_start(plan.tasks(), played))
    null = found.pop(NULL, [])
    scores = score_played(about_of(plan, parameters), found, null)
    method = next((name for name, made in SUBJECTS.items() if type(subject) is made), type(subject).__name__)
    return Scores(scores.values, {**scores.details, PLAYER: {"method": method, **subject.about()}})


@test(
    "arcade-v1",
    score=score,
    scored_by="truths",
    scores=declared,
    subjects=SUBJECTS,
    settings=SETTINGS,
    refuse=refuse,
    batch=in_batch,
    exhibits=exhibits,
    sees=Sees(
        (4, SIDE, SIDE),
        0,
        255,
        np.uint8,
        lambda prompt: (prompt[0] if isinstance(prompt, list) else prompt).values,
        shaped=lambda sight, **others: (128,) if sight == "ram" else (4, SIDE, SIDE),
    ),
    acts=lambda role, **parameters: actions_of(parameters),
    memory=0,
)
def arcade(
    rng: np.random.Generator,
    *,
    game: str = "montezuma-revenge",
    starts: str = "",
    split: str = "all",
    episodes_per_start: int = 1,
    null_starts: int = 10,
    epsilon: float = 0.05,
    show: str = "facts",
    actions: str = "full",
    skip: int = 4,
    sticky: float = 0.0,
    pooling: bool = True,
    cap_frames: int = 108_000,
    ends: str = "game",
    sight: str = "84x84",
) -> Generator[Ask, int | None, Outcome]:
    """Play a game of the arcade on from given starts; only what is earned after a start counts."""
    parameters = dict(locals())
    parameters.pop("rng")
    plan = make_plan(rng, parameters)
    about = about_of(plan, parameters)
    yield Ask("The games begin where others have been. What is earned from there counts.", key=ABOUT, truth=about)
    episode = GameEpisode(plan.game, plan.rules, np.random.default_rng(0))
    watcher, space = ScreenWatcher(episode), actions_of(parameters)
    earned = 0.0
    for number, task in enumerate(plan.tasks()):
        key = f"{task[0]}/{task[2]}"
        yield Ask(f"Game {number + 1} begins.", key=task[0], truth={"start": task[0]})
        playing = episode_of(plan, episode, task)
        reward = next(playing)
        watcher.begin()
        try:
            while True:
                screen = watcher.screen()
                prompt = [screen, Image(png(episode.colours()), screen.text())] if show == "picture" else screen
                action = yield Ask(prompt, space, key=f"{key}/act", reward=reward, aside=episode)
                reward = playing.send(action)
                watcher.look()
        except StopIteration as ended:
            played: PlayedEpisode = ended.value
        earned += played.earned
        # Told, not asked: it carries what came of the episode for the scoring.
        yield Ask("The game is over.", key=key, truth=played.as_json(), reward=episode.last_reward)
    return Outcome("All games have been played.")


def make_plan(rng: np.random.Generator, parameters: Any) -> EvaluationPlan:
    """Return what is played under these parameters."""
    refuse(**parameters)
    game = find_game(parameters["game"])
    chosen: tuple[Start, ...] = ()
    if parameters["starts"]:
        chosen = starts_of(parameters["starts"], game=game, split=parameters["split"]).starts
    return EvaluationPlan(
        game,
        rules_of(parameters),
        parameters["epsilon"],
        chosen,
        parameters["episodes_per_start"],
        parameters["null_starts"],
        int(rng.integers(2**62)),
    )


def about_of(plan: EvaluationPlan, parameters: Any) -> dict[str, Any]:
    """Return what the scoring is told of the starts."""
    rows: dict[str, Any] = {}
    for (name, state, number), start in zip(
        plan.tasks(), [start for start in plan.starts for _ in range(plan.episodes_per_start)], strict=False
    ):
        if state is not None and number == 0:
            rows[name] = {
                "frame": start.frame,
                "score": start.score,
                "lives": start.lives,
                "made": start.made,
                "split": start.split,
                "session": start.session,
            }
    ways = [start.made for start in plan.starts]
    return {
        "game": plan.game,
        "human": _all_human(parameters),
        "starts": rows,
        "per_start": plan.episodes_per_start,
        "made": {way: ways.count(way) for way in dict.fromkeys(ways)},
        "inferred": any(start.inferred for start in plan.starts),
    }


def actions_of(parameters: Any) -> Action:
    """Return the actions there are under these parameters."""
    if parameters["actions"] == "full":
        return ALL_ACTIONS
    return Action(GameEpisode(parameters["game"], rules_of(parameters), np.random.default_rng(0)).names)


def _all_human(parameters: Any) -> bool:
    if not parameters["starts"]:
        return False
    return starts_of(parameters["starts"], game=find_game(parameters["game"]), split=parameters["split"]).human
