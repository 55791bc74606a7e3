"""`mensura account`: who may log in to the laboratory."""

import click

from mensura.cli.options import opened, reading, store_option
from mensura.console import next_step, print_json, say


@click.group("account")
def command() -> None:
    """Say who may log in to the laboratory, and as what.

    \b
      mensura account add ada --role experimenter
      mensura account list
      mensura account disable ada
    """


@command.command("add")
@click.argument("name")
@click.option("--role", default="experimenter", show_default=True, help="experimenter, analyst, rater or member.")
@click.option("--password", envvar="MENSURA_PASSWORD", help="Asked for where it is not given.  [$MENSURA_PASSWORD]")
@store_option
def add(name: str, role: str, password: str | None, store: str | None) -> None:
    """Make an account for NAME."""
    from mensura.store.people.accounts import ROLES

    if role in ROLES and password is None:
        password = click.prompt("Password", hide_input=True, confirmation_prompt=True, err=True)
    kept = opened(store)
    account = kept.accounts.add(name, password=password or "", role=role)
    kept.trail.note("command line", "added account", account.name, role=account.role)
    say(f"{account.name} can log in as {account.role}.")
    next_step("mensura serve")


@command.command("list")
@reading
def show(store: str | None, as_json: bool) -> None:
    """Show all accounts."""

    accounts = opened(store).accounts.all()
    if as_json:
        print_json([{"name": one.name, "role": one.role, "disabled": one.disabled} for one in accounts])
        return
    for one in accounts:
        click.echo(f"{one.name}\t{one.role}{chr(9) + 'disabled' if one.disabled else ''}")
    next_step("mensura account add NAME --role experimenter")


@command.command("disable")
@click.argument("name")
@click.option("--again", is_flag=True, help="Let the account log in again.")
@store_option
def disable(name: str, again: bool, store: str | None) -> None:
    """Let nobody log in as NAME any more."""

    kept = opened(store)
    accounts = kept.accounts
    accounts.find(name)
    accounts.disable(name, disabled=not again)
    kept.trail.note("command line", "enabled account" if again else "disabled account", name)
    say(f"{name} can {'log in again' if again else 'no longer log in'}.")
    next_step("mensura account list")
