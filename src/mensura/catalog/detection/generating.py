"""`mensura generate detection`: a world from a seed, with one option per parameter."""

from dataclasses import fields
from pathlib import Path
from typing import Any

import click

from mensura.catalog.detection.world.parameters import WorldParameters, meaning


def _with_parameters(command: Any) -> Any:
    for each in reversed(fields(WorldParameters)):
        command = click.option(
            f"--{each.name.replace('_', '-')}",
            each.name,
            type=int if each.type is int else float,
            default=each.default,
            help=f"{meaning(each)}  [default: {each.default}]",
        )(command)
    return command


@click.command("detection")
@click.option("--out", type=click.Path(path_type=Path, file_okay=False), help="Folder to write.")
@click.option("--audit", "worlds", type=click.IntRange(1), help="Write nothing; look for leaks in this many worlds.")
@click.option("--seed", type=click.IntRange(0), help="The same seed makes the same bytes; drawn if not given.")
@_with_parameters
def generate(out: Path | None, worlds: int | None, seed: int | None, **given: Any) -> None:
    """Make a world with hidden threats: evidence, event patterns, ground truth, and evidence as a baseline.

    \b
      mensura generate detection --seed 1 --out DIR
      mensura generate detection --individuals 100000 --seed 1 --out DIR
      mensura generate detection --audit 40
    """
    import numpy as np

    from mensura.catalog.detection.world.making import make_world
    from mensura.catalog.detection.world.parameters import parameters_from
    from mensura.catalog.detection.world.writing import write_world

    parameters = parameters_from(given)
    entropy = np.random.SeedSequence().entropy if seed is None else seed
    streams = (np.random.SeedSequence(entropy, spawn_key=(number,)) for number in range(1 + (worlds or 1)))
    world_rng, known_rng, *more = map(np.random.default_rng, streams)
    if worlds is not None:
        return _audit((make_world(parameters, rng) for rng in (world_rng, *more)), known_rng)
    if out is None:
        raise click.UsageError("Say where to write with --out DIR, or how many worlds to look at with --audit 40.")
    world = make_world(parameters, world_rng)
    paths = write_world(world, folder=out, rng=known_rng)
    click.echo(
        f"Simulated {parameters.individuals} persons, {len(world.transactions)} transactions "
        f"({len(world.evidence)} reported), {len(world.exploitations)} exploitations, "
        f"{len(world.exploitations.attacks)} attacks. Seed {entropy}.",
        err=True,
    )
    for path in paths:
        click.echo(path)
    click.echo(
        f"Next: mensura score detection --spec {out}/specification.yaml --reference {out}/truth/reference.jsonl "
        f"--hypotheses {out}/evidence/cases.jsonl",
        err=True,
    )


def _audit(worlds: Any, rng: Any) -> None:
    from mensura.catalog.detection.world.audit import audit

    signs = audit(worlds, rng)
    for each in signs:
        verdict = "TELLS" if each.tells else ""
        click.echo(f"{each.hidden:26}{each.sign:22}area {each.area:.3f}  p {each.p:<8.2g}{verdict}")
    telling = sum(each.tells for each in signs)
    click.echo(f"{telling} of {len(signs)} signs tell what is hidden (an area of 0.5 is chance).", err=True)
    if telling:
        raise click.exceptions.Exit(3)
