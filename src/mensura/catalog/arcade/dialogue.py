"""The arcade test: play on from where people, or a search, have been."""

from collections.abc import Generator
from typing import Annotated, Any

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
from mensura.catalog.arcade.play import KEEP, MAY_KEEP, GamePlay, PlayStretch, check_acts, play_space
from mensura.catalog.arcade.scoring import ABOUT, declare, score, score_played
from mensura.catalog.arcade.screen import ScreenWatcher, png
from mensura.catalog.arcade.settings import SETTINGS
from mensura.catalog.arcade.starts.own import own_words, play_of
from mensura.catalog.arcade.starts.start import Start
from mensura.catalog.arcade.subjects import SUBJECTS, ArcadePlayer
from mensura.catalog.arcade.world.episode import GameEpisode
from mensura.catalog.arcade.world.games import find_game
from mensura.catalog.arcade.world.rules import Rules
from mensura.catalog.arcade.world.sight import SIDE
from mensura.dialogue import Action, Ask, Outcome, Score, Scores, Sees, Vector, test
from mensura.dialogue.prompts.image import Image
from mensura.errors import BadParameter

ALL_ACTIONS = Action(
    (
        *("noop", "fire", "up", "right", "left", "down", "upright", "upleft", "downright", "downleft"),
        *("upfire", "rightfire", "leftfire", "downfire", "uprightfire", "upleftfire", "downrightfire", "downleftfire"),
    )
)
SHOWS = ("facts", "picture", "play")


def declared(**parameters: Any) -> tuple[Score, ...]:
    """Declare the scores of these starts."""
    return declare(_all_human(parameters))


def refuse(**parameters: Any) -> None:
    """Refuse what cannot be played, before anything is."""
    rules_of(parameters)
    check_counts(*(parameters[name] for name in ("episodes_per_start", "null_starts", "epsilon", "starts")))
    check_acts(parameters["acts_per_answer"], parameters["show"])
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
    plan, told = make_plan(rng, parameters), subject.about()
    subject.refuse_parameters(subject.method, **parameters)
    played = play_all(plan, subject)
    found = dict(by_start(plan.tasks(), played))
    null = found.pop(NULL, [])
    scores = score_played(about_of(plan, parameters), found, null)
    names = {made: name for name, made in SUBJECTS.items()}
    method = subject.method or names.get(type(subject), type(subject).__name__)
    return Scores(scores.values, {**scores.details, PLAYER: {"method": method, **told}})


@test(
    "arcade-v1",
    extra="arcade",
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
    game: Annotated[str, "The name of a game; `mensura arcade games` lists them."] = "montezuma-revenge",
    starts: Annotated[
        str,
        "A file of starts to play on from (`mensura arcade starts` makes one); none: games begin at their beginning.",
    ] = "",
    split: Annotated[str, "Which part of the starts is used, such as train or test; all: every one of them."] = "all",
    episodes_per_start: Annotated[int, "How many episodes are played from each start, 1 or more."] = 1,
    null_starts: Annotated[
        int,
        "How many episodes begin at the beginning of the game, 0 or more; 1 or more without `starts`.",
    ] = 10,
    epsilon: Annotated[float, "The chance, from 0 to 1, that an action is replaced by one drawn from all."] = 0.05,
    show: Annotated[
        str,
        "What subjects are shown: facts (what they see as numbers or text), picture (the screen too) or play (for "
        "people in a browser).",
    ] = "facts",
    acts_per_answer: Annotated[
        int, "How many acts one answer holds, from 1 to 60; more than 1 needs `--show play`."
    ] = 1,
    clipping: Annotated[
        bool,
        "Whether subjects are told their rewards clipped to -1, 0 or 1; scores count them whole.",
    ] = False,
    actions: Annotated[
        str,
        "Which actions there are: full (all 18) or minimal (those that the game distinguishes).",
    ] = "full",
    skip: Annotated[int, "For how many frames an action is held, 1 or more."] = 4,
    sticky: Annotated[
        float,
        "The chance, from 0 to less than 1, that a frame repeats the action of the frame before it.",
    ] = 0.0,
    pooling: Annotated[
        bool,
        "Whether a picture is the brighter of the last two frames, for games that draw some things every other frame.",
    ] = True,
    cap_frames: Annotated[int, "After how many frames an episode is cut off: at least `skip`."] = 108_000,
    ends: Annotated[str, "When an episode ends: game (with the game) or life (with the first life lost)."] = "game",
    sight: Annotated[
        str,
        "What agents see: 84x84 or 84x110-cropped (four grey pictures) or ram (the 128 bytes of memory).",
    ] = "84x84",
) -> Generator[Ask, Any, Outcome]:
    """Play a game of the arcade on from given starts; only what is earned after a start counts."""
    parameters = dict(locals())
    parameters.pop("rng")
    plan = make_plan(rng, parameters)
    about = about_of(plan, parameters)
    yield Ask("The games begin where others have been. What is earned from there counts.", key=ABOUT, truth=about)
    episode = GameEpisode(plan.game, plan.rules, np.random.default_rng(0))
    watcher, space, tasks = ScreenWatcher(episode), actions_of(parameters), plan.tasks()
    came: list[PlayedEpisode] = []

    def told(earned: int | None) -> int | None:
        return earned if not clipping or earned is None else max(-1, min(1, earned))

    for number, task in enumerate(tasks, 1):
        key = f"{task[0]}/{task[2]}"
        yield Ask(f"Game {number} begins.", key=task[0], truth={"start": task[0]})
        playing, reward, earned = episode_of(plan, episode, task), None, 0.0
        try:
            next(playing)
            watcher.begin()
            stretch = PlayStretch(episode, acts_per_answer)
            stretch.look()
            while True:
                prompt: Any = watcher.screen()
                if show == "picture":
                    prompt = [prompt, Image(png(episode.colours()), prompt.text())]
                elif show == "play":
                    before = came[-1].earned if came else None
                    prompt = GamePlay.of(prompt, stretch, number=number, games=len(tasks), earned=earned, before=before)
                answer = yield Ask(prompt, space, key=f"{key}/act", reward=told(reward), aside=episode)
                stretch, reward = PlayStretch(episode, acts_per_answer), 0
                acts = [answer] if answer is None or isinstance(space, Action) else answer[:-1]
                for action in acts:
                    reward += playing.send(action) or 0
                    watcher.look()
                    if show == "play":
                        stretch.look()
                earned += reward
        except StopIteration as ended:
            came.append(ended.value)
        # Told, not asked: it carries what came of the episode for the scoring.
        words = f"The game is over: {came[-1].earned:g} points." if show == "play" else "The game is over."
        yield Ask(words, key=key, truth=came[-1].as_json(), reward=told((reward or 0) + episode.last_reward))
    if show == "play" and (yield Ask(MAY_KEEP, KEEP, key="keep")) == "yes":
        episodes = [(task[1], one.actions) for task, one in zip(tasks, came, strict=True)]
        play = play_of(plan.game, episodes, made="human", by="")
        return Outcome(own_words(play, seed=plan.seed % 2**32))
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
        "seed": plan.seed,
        "human": _all_human(parameters),
        "starts": rows,
        "per_start": plan.episodes_per_start,
        "made": {way: ways.count(way) for way in dict.fromkeys(ways)},
        "inferred": any(start.inferred for start in plan.starts),
    }


def actions_of(parameters: Any) -> Action | Vector:
    """Return the actions there are under these parameters."""
    space = ALL_ACTIONS
    if parameters["actions"] != "full":
        space = Action(GameEpisode(parameters["game"], rules_of(parameters), np.random.default_rng(0)).names)
    return play_space(space.names, parameters["acts_per_answer"]) if parameters["show"] == "play" else space


def _all_human(parameters: Any) -> bool:
    if not parameters["starts"]:
        return False
    return starts_of(parameters["starts"], game=find_game(parameters["game"]), split=parameters["split"]).human
