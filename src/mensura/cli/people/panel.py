"""`mensura panel`: raters score artefacts blind to condition."""

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mensura.cli.options import concurrency_option, language_option, opened, reading, store_option
from mensura.cli.people.panel_judge import judge, label
from mensura.cli.progress import progress_bar
from mensura.console import next_step, print_json, say, show

if TYPE_CHECKING:
    from mensura.running.panel import PanelAgreement, PanelResults

NAME = click.argument("name")


@click.group("panel")
def command() -> None:
    """Let raters score artefacts blind to condition, and say how far they agree.

    \b
      mensura panel create FILE      read rubric, artefacts and raters; give every artefact a code
      mensura panel rate NAME        let its programs and language models rate
      mensura panel invite NAME      links for its people
      mensura panel status NAME      how far raters are
      mensura panel agree NAME       how far they agree
      mensura panel adjudicate NAME --more-than 2 --by carol
      mensura panel settle NAME CODE ITEM VALUE --why "..."
      mensura panel close NAME       end rating, and reveal conditions
      mensura panel apply NAME       bring the ratings back to the sessions' scores
      mensura panel judge RUN --by llm:MODEL@URL --truth
      mensura panel label NAME --rater ann
    """


command.add_command(judge)
command.add_command(label)


@command.command("create")
@click.argument("file", type=click.Path(path_type=Path))
@reading
def create(file: Path, store: str | None, as_json: bool) -> None:
    """Open the panel that the YAML FILE describes, screen its artefacts and assign them to raters."""
    from mensura.running.panel import read_panel

    plan = read_panel(file)
    panel, assigned = plan.carry_out(store=opened(store))
    work = {one.rater: len(one.work) for one in assigned}
    data = {"panel": panel.name, "codes": panel.codes, "work": work, "screening": panel.screening.as_json()}
    apart = {one.rater: ", kept apart" if one.kind == "additional" else "" for one in assigned}
    raters = (f"  {one.rater} ({one.subject}{apart[one.rater]}): {len(one.work)}" for one in assigned)
    show(data, [f"{panel.name}: {len(panel.codes)} artefacts", *raters], as_json=as_json)
    say(panel.screening.sentence)
    people = any(one.subject == "human" for one in assigned)
    next_step(f"mensura panel {'invite' if people else 'rate'} {panel.name}")


@command.command("rate")
@NAME
@concurrency_option
@reading
def rate_now(name: str, concurrency: int | None, store: str | None, as_json: bool) -> None:
    """Let the programs and language models of panel NAME rate what is still open."""
    from mensura.running.executors import executor
    from mensura.running.panel import rate
    from mensura.running.run import RunOptions

    with progress_bar(1):
        done = rate(name, store=opened(store), options=RunOptions(executor(concurrency=concurrency)))
    words = f"{sum(one.counts['finished'] for one in done)} of {len(done)} raters finished."
    show([one.as_json() for one in done], [words], as_json=as_json)
    next_step(f"mensura panel agree {name}")


@command.command("invite")
@NAME
@click.option("--url", default="http://localhost:8000", show_default=True, help="Where `mensura serve` is reached.")
@click.option("--days", type=float, default=None, help="For how many days links work.")
@language_option
@reading
def invite(name: str, url: str, days: float | None, language: str, store: str | None, as_json: bool) -> None:
    """Make a link for each person of panel NAME who has none. A link is shown only once."""
    from mensura.running.panel import invite_raters

    made = invite_raters(name, store=opened(store), days=days, language=language)
    links = [{"rater": one.rater, "link": f"{url}/p/{one.token}"} for one in made]
    show(links, (f"{link['rater']}\t{link['link']}" for link in links), as_json=as_json)
    next_step("mensura serve")


@command.command("status")
@NAME
@reading
def status(name: str, store: str | None, as_json: bool) -> None:
    """Show the progress of the raters of panel NAME, without their ratings."""
    from mensura.running.panel import progress_of

    state = progress_of(name, store=opened(store))
    raters = (f"  {one.rater} ({one.kind}): {one.rated} of {one.artefacts}" for one in state.raters)
    head = f"{state.name}: {state.artefacts} artefacts, {'closed' if state.closed else 'open'}"
    show(state.as_json(), [head, *raters], as_json=as_json)
    next_step(f"mensura panel {'agree' if not state.behind else 'rate'} {name}")


@command.command("agree")
@NAME
@reading
def agree(name: str, store: str | None, as_json: bool) -> None:
    """Measure how far the raters of panel NAME agree, separately for people and language models."""
    from mensura.running.panel import agreement_of

    found = agreement_of(name, store=opened(store))
    print_json(found.as_json()) if as_json else _show_agreement(found)
    next_step(f"mensura panel close {name}")


@command.command("adjudicate")
@NAME
@click.option("--more-than", type=float, required=True, help="Points by which raters must differ.")
@click.option("--item", "items", multiple=True, help="Only these items of the rubric.")
@click.option("--by", default="", help="Name of a third rater. Without it, differences are only listed.")
@click.option("--as", "subject", default="human", show_default=True, help="Who answers for the third rater.")
@reading
def adjudicate_items(
    name: str, more_than: float, items: tuple[str, ...], by: str, subject: str, store: str | None, as_json: bool
) -> None:
    """List what the raters of panel NAME differ on, and give it to a third rater."""
    from mensura.running.panel import Rater, adjudicate, disputes

    limits = dict.fromkeys(items, more_than) if items else more_than
    kept = opened(store)
    if by:
        _, found = adjudicate(name, more_than=limits, by=Rater(by, subject), store=kept)
    else:
        found = disputes(name, more_than=limits, store=kept)
    values = [", ".join(f"{rater} {value:g}" for rater, value in one.values.items()) for one in found]
    lines = (f"{one.code} {one.item}: {said}" for one, said in zip(found, values, strict=True))
    show([{"code": one.code, "item": one.item, "values": one.values} for one in found], lines, as_json=as_json)
    given = f", given to {by}" if by and found else ""
    say(f"Items on which raters differ by more than {more_than:g}: {len(found)}{given}.")
    if not found:
        next_step(f"mensura panel close {name}")
    elif by:
        next_step(f"mensura panel {'invite' if subject == 'human' else 'rate'} {name}")
    else:
        next_step(f"mensura panel adjudicate {name} --more-than {more_than:g} --by NAME")


@command.command("settle")
@NAME
@click.argument("code")
@click.argument("item")
@click.argument("value", type=float)
@click.option("--why", required=True, help="The reason, in a sentence.")
@click.option("--who", default="discussion", show_default=True, help="Who settled it.")
@store_option
def settle_item(name: str, code: str, item: str, value: float, why: str, who: str, store: str | None) -> None:
    """Write down the VALUE on which raters agreed for ITEM of artefact CODE; their own ratings are kept."""
    from mensura.running.panel import settle

    settle(name, code, item, value=value, why=why, who=who, store=opened(store))
    next_step(f"mensura panel close {name}")


@command.command("close")
@NAME
@click.option("--unfinished", is_flag=True, help="Close it though raters are not done; what is missing stays unknown.")
@click.option("-o", "--out", "path", type=click.Path(path_type=Path), default=None, help="Also write a report.")
@reading
def close_panel(name: str, unfinished: bool, path: Path | None, store: str | None, as_json: bool) -> None:
    """End rating in panel NAME, reveal conditions and print the final scores. It cannot be opened again."""
    from mensura.running.panel import close, results

    kept = opened(store)
    close(name, store=kept, unfinished=unfinished)
    found = results(name, store=kept)
    print_json(found.as_json()) if as_json else _show_results(found)
    if path is not None:
        from mensura.report import write_report_of
        from mensura.report.panel import panel_report

        again = f"panel close {shlex.quote(name)}"
        say(f"Wrote {write_report_of(kept.panels.runs(name), panel_report(found), path, store=kept, again=again)}.")
    next_step(f"open {path} in a browser" if path is not None else f"mensura panel close {name} -o {name}.html")


@command.command("apply")
@NAME
@reading
def apply_ratings(name: str, store: str | None, as_json: bool) -> None:
    """Bring the ratings of the closed panel NAME back to the sessions they are about, and score these again."""
    from mensura.cli.printing import print_result
    from mensura.running.panel import apply_panel

    done = apply_panel(name, store=opened(store))
    if as_json:
        print_json(
            {"panel": name, "ratings": done.ratings, "unknown": done.unknown, "runs": [r.as_json() for r in done.runs]}
        )
    else:
        for result in done.runs:
            print_result(result, as_json=False)
    say(f"{done.ratings} ratings applied{f', {done.unknown} artefacts unrated' if done.unknown else ''}.")


def _show_agreement(found: "PanelAgreement") -> None:
    for one in found.items:
        click.echo(one.sentence)
        for pair, kappa in one.kappas.items():
            click.echo(f"  {kappa.name}, {pair}: {kappa.coefficient}")
        if one.intraclass is not None:
            click.echo(f"  {one.intraclass.name.removeprefix('The ')}: {one.intraclass.coefficient}")
    for model, items in found.models.items():
        for one in items:
            click.echo(f"{model} (a language model, apart) and people, {one.sentence}")
            for kappa in one.kappas.values():
                click.echo(f"  {kappa.name}: {kappa.coefficient}")
            if one.intraclass is not None:
                click.echo(f"  {one.intraclass.name.removeprefix('The ')}: {one.intraclass.coefficient}")


def _show_results(found: "PanelResults") -> None:
    if found.judged:
        for run in found.judged:
            click.echo(run.sentence)
        _show_agreement(found.agreement)
        return
    for one in found.artefacts:
        settled = f", settled: {', '.join(one.settled)}" if one.settled else ""
        score = "unknown" if one.score != one.score else f"{one.score:.3f}"
        click.echo(f"{one.code}  {one.condition}  {score} (n={one.raters} raters{settled})")
    for condition, estimates in found.estimates().items():
        click.echo(f"{condition or 'no condition'}: score {estimates['score']}")
    differences = found.differences()
    if differences is not None:
        for comparison in differences.comparisons:
            click.echo(comparison.sentence)
        if len(differences.comparisons) > 1:
            click.echo(differences.sentence)
    for model in found.models:
        say(f"{model} is a language model: its ratings are kept apart and are not part of these scores.")
