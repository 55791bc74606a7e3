"""`mensura arcade`: sets of starts, searches for them, and learners."""

from collections.abc import Callable
from pathlib import Path
from shlex import quote
from typing import Any

import click

from mensura.catalog.arcade.showing.command import curves, gallery, replay, store_option
from mensura.console import json_option, next_step, say, show

HELP = {"help_option_names": ["-h", "--help"]}
FILE = click.Path(path_type=Path)


out_option: Callable[[Any], Any] = click.option("-o", "--out", type=FILE, required=True, help="The file to write.")


@click.group("arcade", context_settings=HELP)
def command() -> None:
    """Make starts of Atari games, and train learners from them.

    \b
      mensura arcade games                                   which games there are
      mensura arcade starts import FILE.npy --game G --out S the published human starts of 2016
      mensura arcade starts search --game G --out S          starts without a human
      mensura arcade starts card S                           which starts carry a mean
      mensura arcade starts gallery S -o gallery.html        what they look like
      mensura arcade replay last -o replay.html              an episode, played again
      mensura arcade train --game G --method hcr --starts S --frames 10e6 --out FILE --resume
      mensura arcade curves FILE -o curves.html              how learners learned
      mensura run arcade --game G --as random --starts S --setting paper
      mensura take arcade --as human --setting person        play in the browser
    """


@command.command("games")
@json_option
def games_(as_json: bool) -> None:
    """List the games whose cartridges come with the emulator."""
    from mensura.catalog.arcade.world.games import games

    names = [game.replace("_", "-") for game in games()]
    show({"games": names}, [", ".join(names)], as_json=as_json)


@command.group("starts", context_settings=HELP)
def starts() -> None:
    """Make sets of starts, and look at them."""


starts.add_command(gallery)
command.add_command(replay)
command.add_command(curves)


@starts.command("import")
@click.argument("file", type=FILE)
@click.option("--game", default="", help="The game; the cartridge's sum in the file decides where it is not given.")
@out_option
@json_option
def import_(file: Path, game: str, out: Path, as_json: bool) -> None:
    """Convert FILE, states of 2016 as their authors published them, to today's emulator.

    Of each the memory is compared byte by byte with what the file holds. Sessions are inferred from the order of
    frames, and whole sessions are put to training and to testing.
    """
    from mensura.catalog.arcade.starts.authors import import_states
    from mensura.catalog.arcade.starts.file import write_starts
    from mensura.catalog.arcade.starts.splitting import demand_clean

    found = import_states(file, game=game)
    check = demand_clean(found.found)
    write_starts(found.found, out)
    told = found.as_json()
    lines = [
        f"{told['states']} states, {told['distinct']} distinct; memory equal in {told['ram_equal']}.",
        f"{told['sessions']} sessions inferred from the order of frames; {told['train']} starts to train, "
        f"{told['test']} to test.",
        _check_words(check.as_json()),
    ]
    show({**told, "out": str(out), "splits": check.as_json()}, lines, as_json=as_json)
    next_step(f"mensura arcade starts card {quote(str(out))}")


@starts.command("show")
@click.argument("file", type=FILE)
@click.option("--game", default="", help="The game, for published files that do not say.")
@json_option
def show_(file: Path, game: str, as_json: bool) -> None:
    """Show each start of FILE: frame, score, lives, how it was made, its split and its memory."""
    from mensura.catalog.arcade.starts.file import read_starts
    from mensura.catalog.arcade.starts.splitting import check_split

    found = read_starts(file, game=game)
    told = {**found.as_json(), "splits": check_split(found).as_json()}
    lines = [f"{found.game}: {len(found.starts)} starts, {found.distinct} distinct, made by {', '.join(found.made)}."]
    lines += [
        f"{start.id}  frame {start.frame:>6}  score {'?' if start.score is None else start.score:>6}  "
        f"lives {start.lives}  {start.made:<8} {start.split or '-':<5} {start.session}"
        for start in found.starts
    ]
    show(told, [*lines, _check_words(told["splits"])], as_json=as_json)
    next_step(f"mensura run arcade --game {found.game.replace('_', '-')} --as random --starts {quote(str(file))}")


@starts.command("card")
@click.argument("file", type=FILE)
@click.option("--game", default="", help="The game, for published files that do not say.")
@click.option(
    "--episodes", default=2, show_default=True, type=click.IntRange(1), help="Random episodes to the end, per start."
)
@click.option(
    "--near",
    "near",
    default=5,
    show_default=True,
    type=click.IntRange(1),
    help="Random tries of 30 seconds, per start.",
)
@click.option(
    "--search-frames",
    default=0,
    show_default=True,
    help="Search for the next reward of each start, for this number of frames.",
)
@click.option(
    "--cap-frames",
    default=108_000,
    show_default=True,
    type=click.IntRange(4),
    help="Frames after which an episode is cut.",
)
@click.option("--seed", default=1, show_default=True)
@json_option
def card(
    file: Path, game: str, episodes: int, near: int, search_frames: int, cap_frames: int, seed: int, as_json: bool
) -> None:
    """Show what the starts of FILE are worth: duplicates, quartiles, rooms, and which few carry the mean."""
    from mensura.catalog.arcade.starts.card import CardBudget, make_card
    from mensura.catalog.arcade.starts.file import read_starts

    found = make_card(read_starts(file, game=game), CardBudget(episodes, near, search_frames, cap_frames), seed=seed)
    show(found.as_json(), found.lines(), as_json=as_json)
    next_step(f"mensura run arcade --game {found.game.replace('_', '-')} --as random --starts {quote(str(file))}")


@starts.command("search")
@click.option("--game", required=True)
@click.option("--frames", "--budget", default="500e3", show_default=True, help="Frames of the game to search for.")
@click.option("--states", default=100, show_default=True, type=click.IntRange(1), help="How many starts to keep.")
@click.option(
    "--cells",
    default="auto",
    show_default=True,
    type=click.Choice(["auto", "ram", "screen"]),
    help="What counts as a new place.",
)
@click.option("--seed", default=1, show_default=True)
@click.option("--trajectories", type=FILE, default=None, help="Also write the ways there, for `--method er-search`.")
@out_option
@json_option
def search_(
    game: str, frames: str, states: int, cells: str, seed: int, trajectories: Path | None, out: Path, as_json: bool
) -> None:
    """Make starts without a human: go back to a place, explore from it, keep new places (after Go-Explore).

    It uses the emulator's states, and for some games where memory keeps the room: starts are labelled `search`.
    """
    from mensura.catalog.arcade.search.explore import explore
    from mensura.catalog.arcade.search.keeping import as_starts, write_trajectories
    from mensura.catalog.arcade.starts.file import write_starts

    found = explore(game, frames=read_count(frames, "frames"), cells=cells, seed=seed)
    kept = as_starts(found, states=states, seed=seed)
    write_starts(kept, out)
    if trajectories is not None:
        write_trajectories(found, trajectories)
    told = {**found.as_json(), "states": len(kept.starts), "out": str(out)}
    rewards = ", ".join(f"{score:g} after {frame} frames" for score, frame in found.milestones[:6])
    lines = [
        f"{told['frames']} frames: {told['cells']} places, {len(told['rooms'])} rooms, best score {told['best']}.",
        f"First rewards: {rewards or 'none'}.",
        f"{len(kept.starts)} starts, labelled search, in {out}.",
    ]
    show(told, lines, as_json=as_json)
    next_step(f"mensura arcade starts card {quote(str(out))}")


@starts.command("record")
@click.argument("play")
@click.option("--states", default=10, show_default=True, type=click.IntRange(1), help="How many starts to keep.")
@click.option("--split", default="", type=click.Choice(["", "train", "test"]), help="The split they belong to.")
@click.option("--seed", default=1, show_default=True)
@click.option("--play-out", type=FILE, default=None, help="Also write the play itself, for `--method her`.")
@store_option
@out_option
@json_option
@click.pass_obj
def record(
    sessions: Any,
    play: str,
    states: int,
    split: str,
    seed: int,
    play_out: Path | None,
    store: str | None,
    out: Path,
    as_json: bool,
) -> None:
    """Cut starts out of PLAY, recorded sessions: random frames, one from each of as many stretches of time.

    PLAY is a run of the test whose players allowed it, such as last, or a file that holds states and the action of
    every frame, and says who made it; a search writes such a file too.
    """
    from mensura.catalog.arcade.learners.experience import write_sessions
    from mensura.catalog.arcade.showing.taken import TEST, taken_of
    from mensura.catalog.arcade.starts.file import write_starts
    from mensura.catalog.arcade.starts.own import kept_play
    from mensura.catalog.arcade.starts.recording import cut_starts, read_play

    if Path(play).exists():
        told = read_play(Path(play))
    else:
        told = kept_play(taken_of(sessions.scored(play, test=TEST, store=store), run=play))
    if play_out is not None:
        write_sessions(play_out, game=told.game, rom=told.rom, sessions=told.sessions)
    found = cut_starts(told, states=states, split=split, seed=seed)
    write_starts(found, out)
    said = {"states": len(found.starts), "distinct": found.distinct, "made": dict(found.made), "out": str(out)}
    show(said, [f"{len(found.starts)} starts, made by {', '.join(found.made)}, in {out}."], as_json=as_json)
    next_step(f"mensura arcade starts card {quote(str(out))}")


@command.command("train")
@click.option("--game", required=True)
@click.option("--method", default="dqn", show_default=True, help="dqn, hcr, her or er-search.")
@click.option("--setting", default="paper", show_default=True, help="paper, program or modern.")
@click.option("--frames", required=True, help="Frames of the game in all, as 10e6.")
@out_option
@click.option(
    "--starts", "starts_", type=FILE, default=None, help="A set of starts, for hcr; its training split is used."
)
@click.option(
    "--memory", type=FILE, default=None, help="Recorded play, for her; trajectories of a search, for er-search."
)
@click.option("--resume", is_flag=True, help="Resume from the save, if it is there.")
@click.option("--seconds", type=float, default=float("inf"), help="Stop after so long, with a save.")
@click.option(
    "--until-return", type=float, default=float("inf"), help="Stop when the last 100 episodes have this mean."
)
@click.option("--games", default=8, show_default=True, type=click.IntRange(1), help="Games played side by side.")
@click.option(
    "--processes",
    default=0,
    show_default=True,
    help="Processes to play them in; 0 plays them here, and resumes to the same bits on a CPU.",
)
@click.option("--device", default="auto", show_default=True, type=click.Choice(["auto", "cpu", "cuda"]))
@click.option("--seed", default=1, show_default=True)
@click.option("--batch", type=int, default=None, help="Transitions in a minibatch (32).")
@click.option("--acts-per-update", type=int, default=None, help="Acts for which one update is made (4).")
@click.option("--rate", type=float, default=None, help="Learning rate (0.00025).")
@click.option("--warm-up-acts", type=int, default=None, help="Acts by chance before learning (50 000).")
@click.option("--memory-acts", type=int, default=None, help="Transitions remembered (1 000 000).")
@click.option("--target-acts", type=int, default=None, help="Acts between copies of the target network (40 000).")
@click.option("--epsilon-frames", type=float, default=None, help="Frames over which ε falls (4e6; program 16e6).")
@click.option("--cap-frames", type=int, default=None, help="Frames after which an episode is cut (hcr 1 800).")
@click.option("--life-penalty", type=float, default=None, help="What a lost life costs (0).")
@click.option("--double", is_flag=True, default=None, help="Double Q-learning.")
@click.option("--prioritised", is_flag=True, default=None, help="Prioritised replay.")
@json_option
def train_(
    game: str,
    method: str,
    setting: str,
    frames: str,
    out: Path,
    starts_: Path | None,
    memory: Path | None,
    resume: bool,
    seconds: float,
    until_return: float,
    games: int,
    processes: int,
    device: str,
    seed: int,
    epsilon_frames: float | None,
    as_json: bool,
    **changes: Any,
) -> None:
    """Train a deep Q-learner, in calls that can be cut and resumed.

    \b
      mensura arcade train --game pong --frames 30e6 --out pong.pt --games 240 --processes 15
      mensura arcade train --game montezuma-revenge --method hcr --starts S --frames 10e6 --out FILE --resume
    """
    from mensura.catalog.arcade.learners.calling import TrainingCall, train

    changes["epsilon_frames"] = None if epsilon_frames is None else int(epsilon_frames)
    call = TrainingCall(
        game=game,
        setting=setting,
        method=method,
        frames=read_count(frames, "frames"),
        out=out,
        seed=seed,
        starts=starts_,
        memory=memory,
        games=games,
        processes=processes,
        device=device,
        resume=resume,
        seconds=seconds,
        until_return=until_return,
        changes=changes,
    )
    found = train(call, tell=lambda point: say(f"{point['frames']} frames, q_mean {point['q_mean']}"))
    learned = "" if found["q_mean"] is None else f", mean greatest value {found['q_mean']:.3g}"
    lines = [
        f"{found['frames']} frames, {found['acts']} acts, {found['updates']} updates, {found['fps']} frames/s"
        f"{learned}.",
        f"From people: {', '.join(found['human'])}. The source's 50 million frames were "
        f"{'reached' if found['reached_source'] else 'not reached'}.",
    ]
    if found["cut_off"]:
        lines.append(f"{found['cut_off']} call(s) before were cut off; training went on from the last save.")
    if not found["updates"]:
        lines.append(
            f"It made no update yet, so {out} has learned nothing. Continue with the same command and --resume."
        )
    show(found, lines, as_json=as_json)
    if found["updates"]:
        run = f"mensura run arcade --game {game} --as {quote(f'{method}#save={out}')} --setting {setting}"
        next_step(f"{run}{_test_starts(starts_, game)}")


def _test_starts(starts: Path | None, game: str) -> str:
    """Return the options that play the starts of a set which nobody was trained at; "" where there are none."""
    from mensura.catalog.arcade.starts.file import read_starts

    if starts is None or not any(start.split == "test" for start in read_starts(starts, game=game).starts):
        return ""
    return f" --starts {quote(str(starts))} --split test"


def read_count(text: str, option: str) -> int:
    """Read a count, which may be written as 10e6.

    >>> read_count("10e6", "frames")
    10000000
    """
    from mensura.errors import BadParameter

    try:
        value = float(text.replace("_", ""))
    except ValueError:
        value = -1.0
    if not 1 <= value < 1e15 or value != int(value):
        raise BadParameter(f"--{option} is a whole number of at least 1, as 500000 or 10e6; got {text!r}.")
    return int(value)


def _check_words(check: dict[str, Any]) -> str:
    if check["nearest_bytes"] is None:
        return "The set is not split."
    apart = f"the nearest of the two differ in {check['nearest_bytes']} of 128 bytes of memory"
    frames = "" if check["nearest_frames"] is None else f", and by {check['nearest_frames']} frames in one session"
    shared = "share nothing" if check["clean"] else "share states or sessions"
    return f"Training and testing {shared}; {apart}{frames}."
