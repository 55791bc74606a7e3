"""`mensura account`: who may log in to the laboratory."""

import click

from mensura.cli.options import opened, reading, store_option
from mensura.console import next_step, print_json, say


@click.group("account")
def command() -> None:
    """List who may log in to the laboratory and with which rights, or change it.

    \b
      mensura account add ada --role experimenter
      mensura account list
      mensura account disable ada
      mensura account reset ada            a link to a new password
      mensura account second-factor ada    a code beside the password
    """


@command.command("add")
@click.argument("name")
@click.option("--role", default="experimenter", show_default=True, help="experimenter, analyst, rater or member.")
@click.option("--password", envvar="MENSURA_PASSWORD", help="Asked for if it is not given.  [$MENSURA_PASSWORD]")
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


@command.command("reset")
@click.argument("name")
@click.option("--hours", type=click.FloatRange(0.1, 168), default=24.0, show_default=True, help="How long it works.")
@click.option("--url", default="http://localhost:8000", show_default=True, help="Where `mensura serve` is reached.")
@store_option
def reset(name: str, hours: float, url: str, store: str | None) -> None:
    """Make a link by which NAME sets a new password, once. That ends all their logins and tokens."""
    from mensura.errors import BadParameter

    kept = opened(store)
    account = kept.accounts.find(name)
    if account.disabled:
        raise BadParameter(f"{name} is disabled and cannot log in: mensura account disable {name} --again")
    click.echo(f"{url.rstrip('/')}{kept.keys.give_link(account, seconds=3600 * hours)}")
    kept.trail.note("command line", "made a link to a new password", name)
    say(f"It is shown only now, works once and for {hours:g} hours; earlier links of {name} no longer work.")


@command.command("second-factor")
@click.argument("name")
@click.option("--off", is_flag=True, help="Stop asking for a code, for example when the telephone is lost.")
@store_option
def second_factor(name: str, off: bool, store: str | None) -> None:
    """Let NAME log in with a code from an authenticator app beside the password (TOTP, RFC 6238)."""
    from mensura.store.people.one_time_code import grouped, otpauth

    kept = opened(store)
    account = kept.accounts.find(name)
    if off:
        kept.second_factors.end(account)
        kept.trail.note("command line", "took off a second factor", name)
        say(f"{name} logs in by the password alone.")
        return
    secret = kept.second_factors.begin(account)
    say(f"Type this key into an authenticator app: {grouped(secret)}\nor open {otpauth(secret, name)}")
    recovery = kept.second_factors.confirm(account, click.prompt("The code that it shows now", err=True))
    kept.keys.take_back_all(account, kind="login")
    kept.trail.note("command line", "set up a second factor", name)
    say("Logging in needs a code from now on. Each of these recovery codes works once; they are shown only now:")
    for code in recovery:
        click.echo(code)


@command.command("disable")
@click.argument("name")
@click.option("--again", is_flag=True, help="Let the account log in again.")
@store_option
def disable(name: str, again: bool, store: str | None) -> None:
    """Stop anyone from logging in as NAME."""

    kept = opened(store)
    accounts = kept.accounts
    accounts.find(name)
    accounts.disable(name, disabled=not again)
    kept.trail.note("command line", "enabled account" if again else "disabled account", name)
    say(f"{name} can {'log in again' if again else 'no longer log in'}.")
    next_step("mensura account list")
