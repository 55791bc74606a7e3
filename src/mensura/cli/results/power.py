"""`mensura power`: how many observations a difference needs, before anyone looks for it."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mensura.cli.options import opened, reading
from mensura.console import next_step, say, show
from mensura.errors import BadParameter
from mensura.text_file import write_text

if TYPE_CHECKING:
    from mensura.stats import Power


@click.command("power")
@click.option("--difference", type=float, default=None, help="The smallest true difference worth finding.")
@click.option("--sd", type=float, default=None, help="Standard deviation of scores in a group; of pairs' differences.")
@click.option("--proportion", type=float, default=None, help="A true share, to be shown below a bound.")
@click.option("--below", type=float, default=None, help="The bound of the share; one-sided.")
@click.option("--pilot", nargs=2, default=None, metavar="RUN RUN", help="Take the spread from two stored runs.")
@click.option("--score", default=None, help="Score of the pilot runs to plan by.")
@click.option("-n", "--number", type=int, default=None, help="Observations per group, or pairs: gives their power.")
@click.option("--power", "wanted", type=float, default=0.8, show_default=True, help="Wanted chance of finding it.")
@click.option(
    "--alpha",
    type=float,
    default=0.05,
    show_default=True,
    help="Chance of a false alarm; two-sided, for a share one-sided.",
)
@click.option("--paired", is_flag=True, help="The same items or people twice, instead of two groups.")
@click.option("--picture", type=click.Path(path_type=Path), default=None, help="Also draw it, as SVG.")
@reading
def command(
    difference: float | None,
    sd: float | None,
    proportion: float | None,
    below: float | None,
    pilot: tuple[str, str] | None,
    score: str | None,
    number: int | None,
    wanted: float,
    alpha: float,
    paired: bool,
    picture: Path | None,
    store: str | None,
    as_json: bool,
) -> None:
    """Compute how many observations a difference needs, or what a number of them can find.

    \b
      mensura power --difference 0.05 --sd 0.08             how many per group?
      mensura power --difference 0.05 --sd 0.08 -n 30       how likely with 30 per group?
      mensura power --sd 0.08 -n 30                         which difference can 30 find?
      mensura power --difference 0.1 --pilot RUN RUN --score NAME --paired
      mensura power --proportion 0.5 --below 0.7            how many trials show a share below 0.7?
    """
    if proportion is not None or below is not None:
        others = {"--difference": difference, "--sd": sd, "--pilot": pilot, "--score": score, "--picture": picture}
        _of_share(proportion, below, number, wanted, alpha, [n for n, v in others.items() if v is not None], as_json)
        return
    from mensura.stats import detectable_difference, power_of_difference, sample_size
    from mensura.stats.power import Design

    design: Design = "paired" if paired else "unpaired"
    if (sd is None) == (pilot is None):
        raise BadParameter("Say how much scores spread: --sd NUMBER, or --pilot RUN RUN, and not both.")
    if picture is not None and picture.suffix != ".svg":
        raise BadParameter(f"The picture is written as .svg; got {str(picture)!r}.")
    if pilot is not None:
        plan = _from_pilot(pilot, score, difference, wanted, design, alpha, number, store)
    elif difference is None and number is None:
        raise BadParameter("Say what to plan: --difference NUMBER for a sample size, or -n NUMBER.")
    elif difference is None:
        plan = detectable_difference(sd=sd or 0.0, n=number or 0, power=wanted, design=design, alpha=alpha)
    elif number is None:
        plan = sample_size(difference, sd=sd or 0.0, power=wanted, design=design, alpha=alpha)
    else:
        plan = power_of_difference(difference, sd=sd or 0.0, n=number, design=design, alpha=alpha)
    show(plan.as_json(), [plan.sentence], as_json=as_json)
    if picture is not None:
        from mensura.exhibit.power import power_figure

        say(f"Wrote {write_text(picture, power_figure(plan).svg)}.")
    next_step("mensura study run FILE")


def _of_share(
    proportion: float | None,
    below: float | None,
    number: int | None,
    wanted: float,
    alpha: float,
    others: list[str],
    as_json: bool,
) -> None:
    from mensura.stats import proportion_power, proportion_sample_size

    if proportion is None or below is None:
        raise BadParameter("A share is planned by both: --proportion NUMBER (the true one) and --below NUMBER.")
    if others:
        raise BadParameter(f"{others[0]} is for differences of means; leave it out with --proportion.")
    if number is None:
        plan = proportion_sample_size(proportion, below=below, power=wanted, alpha=alpha)
    else:
        plan = proportion_power(proportion, below=below, n=number, alpha=alpha)
    show(plan.as_json(), [plan.sentence], as_json=as_json)
    next_step("mensura study run FILE")


def _from_pilot(
    runs: tuple[str, str],
    score: str | None,
    difference: float | None,
    wanted: float,
    design: "str",
    alpha: float,
    number: int | None,
    store: str | None,
) -> "Power":
    from mensura.running.results.pilot import plan_by_pilot, read_pilot
    from mensura.stats import power_of_difference

    if difference is None:
        raise BadParameter("State the difference worth finding: --difference NUMBER. A pilot's own is too uncertain.")
    pilot = read_pilot(*runs, store=opened(store), score=score)
    plan = plan_by_pilot(pilot, difference=difference, power=wanted, design=design, alpha=alpha)  # type: ignore[arg-type]
    if number is None:
        return plan
    return power_of_difference(difference, sd=plan.sd, n=number, design=plan.design, alpha=alpha)
