"""The command of Λ*: `mensura generate lambda-star` makes an environment and films an episode in it."""

import json
from pathlib import Path
from shlex import quote

import click

from mensura.errors import BadParameter


@click.command("lambda-star", context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--as", "subject", default="local-search", show_default=True, help="Any subject, as in a run.")
@click.option("--team", default="", help="A mixture instead: local-search:3,q-learning#rate=0.5:2.")
@click.option("--rules", type=click.Choice(["paper", "original"]), default="paper", show_default=True)
@click.option("--size", default="10", show_default=True, help="10, or 8x12.")
@click.option("--agents", default=1, show_default=True)
@click.option("--iterations", default=50, show_default=True)
@click.option("--sight", default=1, show_default=True, help="How far agents see.")
@click.option("--complexity", default="", help="K of the patterns: 5, or a range 2-10.")
@click.option("--episode", default=0, show_default=True, help="Which environment of the session, from 0.")
@click.option("--seed", type=int, default=None, help="Make it repeatable.")
@click.option(
    "--out", type=click.Path(path_type=Path), default=None, help="Where the film goes: a .gif, or a .html page."
)
@click.option("--json", "as_json", is_flag=True, help="Print the episode as JSON on stdout.")
def generate(
    subject: str,
    team: str,
    rules: str,
    size: str,
    agents: int,
    iterations: int,
    sight: int,
    complexity: str,
    episode: int,
    seed: int | None,
    out: Path | None,
    as_json: bool,
) -> None:
    """Make an environment, let an agent play it, and film it.

    \b
      mensura generate lambda-star --as stigmergy --agents 5 --seed 1 --out episode.gif
      mensura generate lambda-star --as oracle --complexity 12 --seed 1 --out episode.html
      mensura generate lambda-star --as ./mine.py:Best --seed 1 --out episode.gif
    """
    from mensura.catalog.lambda_star.dialogue import draw_key, lambda_star
    from mensura.catalog.lambda_star.film.episode import film_episode
    from mensura.catalog.lambda_star.film.gif import write_gif
    from mensura.catalog.lambda_star.film.page import write_page
    from mensura.catalog.lambda_star.film.picture import draw_frames
    from mensura.catalog.lambda_star.parameters import read_setup
    from mensura.dialogue import Seed, generator
    from mensura.subjects import SubjectSpec
    from mensura.subjects.subject import close, collective

    if out is not None and out.suffix not in (".gif", ".html"):
        raise BadParameter(f"A film is written as .gif or .html; got --out {out}.")
    setup = read_setup(
        rules=rules,
        size=size,
        agents=agents,
        team=team,
        episodes=episode + 1,
        iterations=iterations,
        sight=sight,
        complexity=complexity,
        rehearsals=0,
    )
    name = "team" if team else subject
    player = SubjectSpec(name).make(lambda_star)
    # An agent of one's own is one for each role, as in a run.
    others = {} if collective(player) else {role: SubjectSpec(name).make(lambda_star) for role in setup.roles[1:]}
    cast = {**dict.fromkeys(setup.roles, player), **others}
    key = draw_key(generator(Seed.choose(seed).value))
    title = f"Λ*: {team or subject}"
    try:
        film = film_episode(cast, setup, key=key, episode=episode, iterations=iterations, sight=sight, title=title)
    finally:
        for member in {id(each): each for each in cast.values()}.values():
            close(member)
    if out is not None and out.suffix == ".gif":
        write_gif(draw_frames(film), out)
    elif out is not None:
        write_page(film, out)
    if as_json:
        click.echo(
            json.dumps(
                {
                    "complexity": film.complexity,
                    "entropy_bits": film.torus.entropy_bits,
                    "good": list(film.good),
                    "evil": list(film.evil),
                    "agents": [list(cells) for cells in film.agents],
                    "rewards": [list(rewards) for rewards in film.rewards],
                    "score": film.score,
                }
            )
        )
    click.echo(f"K = {film.complexity}, mean reward of {team or subject} {film.score:.3f}.", err=True)
    click.echo(f"Wrote {out}; open it in a browser." if out else "With --out episode.gif it is filmed.", err=True)
    who = f"--team {quote(team)}" if team else f"--as {quote(subject)}"
    click.echo(f"Next: mensura run lambda-star {who} --size {size} --episodes 1000", err=True)
