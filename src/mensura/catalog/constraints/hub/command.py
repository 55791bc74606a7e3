"""`mensura constraints hub` and `mensura constraints agent`: agents in separate processes, over TCP."""

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from mensura.console import json_option, say, show
from mensura.errors import BadParameter
from mensura.signals import ended_by_signals


@click.command("hub")
@click.option("--problem", default="queens:n=4", show_default=True, help="A family with its parameters, or a FILE.")
@click.option("--order", default="lex", show_default=True, help="The public order of agents.")
@click.option("--stop", default="messages=10000000", show_default=True, help="Limits, as in `mensura run constraints`.")
@click.option("--latency", default="0", show_default=True, help="Latencies, in checks, for concurrent clocks.")
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 lets other machines in.")
@click.option(
    "--port", default=42100, show_default=True, type=click.IntRange(0, 65535), help="0 takes any that is free."
)
@click.option(
    "--lost",
    type=click.Choice(["end", "pause"]),
    default="end",
    show_default=True,
    help="What a lost agent does to the run.",
)
@click.option("--direct", is_flag=True, help="Agents write to each other without the hub: counts are their own.")
@click.option("--record", type=click.Path(dir_okay=False, path_type=Path), help="Write the events here, as they come.")
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Draws the problem.")
@json_option
def hub(
    problem: str,
    order: str,
    stop: str,
    latency: str,
    host: str,
    port: int,
    lost: Any,
    direct: bool,
    record: Path | None,
    seed: int,
    as_json: bool,
) -> None:
    """Hold a problem and wait for agents, one in each role; then carry what they send until they agree.

    \b
      mensura constraints hub --problem queens:n=8
      mensura constraints agent --join 127.0.0.1:42100 --as awcs --count 8      in another terminal
    """
    from mensura.catalog.constraints.dialogue import constraints
    from mensura.catalog.constraints.hub.direct import Switchboard
    from mensura.catalog.constraints.hub.hub import Hub
    from mensura.dialogue import Instance

    if direct and (record is not None or lost == "pause"):
        raise BadParameter("What agents write to each other directly is not seen: leave out --record and --lost pause.")
    given = {"problem": problem, "order": order, "stop": stop, "latency": latency, "execution": "real"}
    instance = Instance(constraints, constraints.fill(given), seed)

    def ready(where: str, at: int) -> None:
        say(f"The hub listens at {where}:{at}; it waits for {len(instance.roles)} agents.")

    made: Any = Switchboard(instance, say=say) if direct else Hub(instance, lost=lost, record=record, say=say)
    try:
        with ended_by_signals():
            asyncio.run(made.serve(host, port, ready=ready))
    except KeyboardInterrupt:
        say("Stopped before the agents agreed.")
        sys.exit(1)
    found = made.result()
    lines = [
        f"{name}: {found[name]}" for name in ("verdict", "assignment", "messages", "checks", "nccc") if name in found
    ]
    show(found, lines, as_json=as_json)


@click.command("agent")
@click.option("--join", "address", required=True, help="HOST:PORT of the hub.")
@click.option("--as", "who", required=True, help="An algorithm, or FILE.py:CLASS with one of your own.")
@click.option("--role", default="", help="The agent to be; any that is free without it.")
@click.option("--count", type=click.IntRange(1), default=1, show_default=True, help="How many agents, a process each.")
@click.option("--direct", is_flag=True, help="The hub was started with --direct.")
def agent(address: str, who: str, role: str, count: int, direct: bool) -> None:
    """Be an agent at a hub, in a separate process, until the run is over."""
    from multiprocessing import get_context

    host, port = _read(address)
    find_agent(who)
    if count == 1:
        say(f"The run is over: {_join(who, host, port, role, direct)}.")
        return
    if role:
        raise BadParameter("--role names one agent: leave out --count.")
    workers = [get_context("spawn").Process(target=_join, args=(who, host, port, "", direct)) for _ in range(count)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    failed = sum(worker.exitcode != 0 for worker in workers)
    say(f"{count - failed} of {count} agents have come to the end of the run.")


def _join(who: str, host: str, port: int, role: str, direct: bool) -> str:
    from mensura.catalog.constraints.hub.direct import join_directly
    from mensura.catalog.constraints.hub.joining import join

    return asyncio.run((join_directly if direct else join)(find_agent(who), host, port, role=role))


def _read(address: str) -> tuple[str, int]:
    host, _, port = address.rpartition(":")
    if not host or not port.isdigit():
        raise BadParameter(f"--join takes HOST:PORT, as in 127.0.0.1:42100; got {address!r}.")
    return host, int(port)


def find_agent(who: str) -> Callable[[], Any]:
    """Find an algorithm by its name, or load a class from a file of the user's own."""
    from mensura.catalog.constraints.subjects import SUBJECTS
    from mensura.errors import unknown

    if ".py:" in who:
        import importlib.util

        path, _, name = who.rpartition(":")
        spec = importlib.util.spec_from_file_location("agent", path)
        if spec is None or spec.loader is None or not Path(path).is_file():
            raise BadParameter(f"There is no file {path}.")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        if not hasattr(module, name):
            raise BadParameter(f"{path} has no class {name}.")
        return getattr(module, name)  # type: ignore[no-any-return]
    if who not in SUBJECTS:
        raise unknown("algorithm", who, known=SUBJECTS, see=f"There are {', '.join(SUBJECTS)}.")
    return SUBJECTS[who]
