"""`mensura pagi-world`: list rooms and kinds, build rooms, serve one over TCP, replay what was served."""

from pathlib import Path
from typing import Any

import click

from mensura.catalog.pagi_world.showing.command import film
from mensura.console import json_option, next_step, print_json, say, show
from mensura.errors import BadParameter
from mensura.json_file import read_json
from mensura.signals import ended_by_signals

HELP = {"help_option_names": ["-h", "--help"]}


@click.group("pagi-world", context_settings=HELP)
def command() -> None:
    """Look at rooms with physics, and serve them to agents over TCP.

    \b
      mensura pagi-world rooms                              the rooms that come with it
      mensura pagi-world kinds                              what rooms are made of
      mensura pagi-world show catch-ball                    a room as JSON, to begin one of your own
      mensura pagi-world schema                             what a room's file may hold, as JSON Schema
      mensura pagi-world check FILE.json                    whether a room can be played
      mensura pagi-world edit catch-ball -o mine.json       build a room in the browser, without programming
      mensura pagi-world serve --room open --clock counted  a room behind TCP, port 42209
      mensura pagi-world replay FILE.jsonl                  what was served, again, with its scores
      mensura pagi-world film last -o film.gif              a session, to be looked at: .gif, .mp4 or .html
    """


@command.command("rooms")
@json_option
def rooms(as_json: bool) -> None:
    """List the rooms that come with it."""
    from mensura.catalog.pagi_world.rooms.room import find_room, list_rooms, room_roles

    found = [
        {"name": name, "about": find_room(name).get("about", ""), "roles": room_roles(find_room(name))}
        for name in list_rooms()
    ]
    show({"rooms": found}, [f"{one['name']:<18}{one['about']}" for one in found], as_json=as_json)
    next_step("mensura run pagi-world --room catch-ball --as reflex --sessions 200")


@command.command("kinds")
@json_option
def kinds(as_json: bool) -> None:
    """List the kinds of things, with mass, behaviour and endorphins."""
    from dataclasses import asdict

    from mensura.catalog.pagi_world.world.kinds import KINDS

    found = [asdict(kind) for kind in KINDS.values()]
    lines = [
        f"{one['name']:<24}{'fixed' if one['mass'] is None else format(one['mass'], 'g') + ' kg':>8}  {one['does']}"
        for one in found
    ]
    show({"kinds": found}, lines, as_json=as_json)
    next_step("mensura pagi-world show catch-ball")


@command.command("show")
@click.argument("room")
@click.option("--seed", type=click.IntRange(0), help="Draw one room of the family.")
def show_room(room: str, seed: int | None) -> None:
    """Print ROOM as JSON: its file, or with --seed one room that is drawn from it.

    ROOM is a name, a FILE.json or a FILE.tsk of the program of 2018.
    """
    import numpy as np

    from mensura.catalog.pagi_world.play import PlayTerms, RoomPlay
    from mensura.catalog.pagi_world.rooms.room import draw_room, find_room

    described = find_room(room)
    print_json(
        described
        if seed is None
        else RoomPlay(draw_room(described, np.random.default_rng(seed)), PlayTerms()).as_room()
    )


@command.command("schema")
def schema() -> None:
    """Print what a room's file may hold, as JSON Schema, for editors and checkers."""
    from mensura.catalog.pagi_world.rooms.schema import room_schema

    print_json(room_schema())


@command.command("check")
@click.argument("room")
@json_option
def check(room: str, as_json: bool) -> None:
    """Check that ROOM can be played: everything is read, things do not lie in each other, names are its own."""
    from mensura.catalog.pagi_world.rooms.checking import look_over
    from mensura.catalog.pagi_world.rooms.room import find_room

    described = find_room(room)
    plan, found = look_over(described, 0, Path(room))
    for fault in found:
        if fault.refused:
            raise BadParameter(fault.words)
    things = 0 if plan is None else len(plan.things)
    overlaps = [one.names for one in found if len(one.names) == 2]
    words = [one.words for one in found] or ["This room can be played."]
    show(
        {
            "room": described.get("name", "room"),
            "things": things,
            "overlaps": overlaps,
            "found": [one.words for one in found],
        },
        words,
        as_json=as_json,
    )
    next_step(f"mensura run pagi-world --room {room} --as random")


@command.command("edit")
@click.argument("room", required=False)
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Save here; else over FILE.json, and what has no file is downloaded.",
)
@click.option("--port", default=0, show_default=True, type=click.IntRange(0, 65535), help="0 takes any that is free.")
@click.option("--open/--no-open", "opens", default=True, show_default=True, help="Open the browser.")
def edit(room: str | None, output: Path | None, port: int, opens: bool) -> None:
    """Build a room in the browser, from ROOM or from nothing, and save it as JSON.

    \b
      mensura pagi-world edit -o mine.json
      mensura pagi-world edit jump-the-gap -o mine.json
      mensura run pagi-world --room mine.json --as random
    """

    from mensura.catalog.pagi_world.rooms.room import find_room
    from mensura.catalog.pagi_world.showing.editor import BLANK, RoomEditor
    from mensura.catalog.pagi_world.showing.local_page import serve_page

    if room is None and output is not None and output.exists():
        room = str(output)
    begin = BLANK if room is None else find_room(room)
    path = output
    if room is not None and room.endswith(".json"):
        # As it was written: what is filled in when it is played is no part of the file.
        path, begin = output or Path(room), read_json(room)

    def ready(address: str) -> None:
        say(f"The editor is at {address}, for this computer only; Ctrl-C stops it.")
        if opens:
            click.launch(address)

    serve_page(RoomEditor(begin, path), port=port, ready=ready)
    next_step(f"mensura run pagi-world --room {path or 'FILE.json'} --as random")


@command.command("serve")
@click.option("--room", default="open", show_default=True, help="A room by name, or FILE.json, or FILE.tsk.")
@click.option(
    "--clock",
    type=click.Choice(["counted", "wall"]),
    default="counted",
    show_default=True,
    help="Who lets the room go on: clients by `step`, or the clock, 60 ticks a second.",
)
@click.option("--host", default="127.0.0.1", show_default=True, help="0.0.0.0 lets other machines in.")
@click.option(
    "--port", default=42209, show_default=True, type=click.IntRange(0, 65535), help="0 takes any that is free."
)
@click.option("--seed", type=click.IntRange(0), default=1, show_default=True, help="Draws the room.")
@click.option(
    "--physics",
    type=click.Choice(["paper", "original"]),
    default="paper",
    show_default=True,
    help="The paper's rules, or those of the program of 2018.",
)
@click.option("--names/--no-names", default=True, show_default=True, help="Whether senses name things.")
@click.option(
    "--latency",
    type=click.IntRange(0, 10_000),
    default=0,
    show_default=True,
    help="Milliseconds until a call takes effect.",
)
@click.option("--sessions", type=click.IntRange(1), help="Stop after this many sessions; else after Ctrl-C.")
@click.option(
    "--record",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write events here before they are acknowledged; a file that exists is continued.",
)
@click.option("--watch", is_flag=True, help="Serve a page too, on this machine only, on which the room is watched.")
@json_option
def serve(
    room: str, clock: str, host: str, port: int, seed: int, physics: str, names: bool, latency: int,
    sessions: int | None, record: Path | None, watch: bool, as_json: bool,
) -> None:  # fmt: skip
    """Serve a room to agents that write lines over TCP, in the JSON of 2018 or the commas of 2015.

    \b
      mensura pagi-world serve --room catch-ball --clock counted --port 42209 --seed 1
      mensura pagi-world serve --room open --clock wall --watch
      echo '{"messageType":"sensorRequest","stringContent":"BP"}' | nc 127.0.0.1 42209
    """
    import asyncio
    import sys
    from threading import Thread

    from mensura.catalog.pagi_world.dialogue import pagi_world
    from mensura.catalog.pagi_world.protocol.server import PagiServer
    from mensura.catalog.pagi_world.showing.door import WatchDoor
    from mensura.catalog.pagi_world.showing.watching import RoomWatch

    given = {"room": room, "pace": clock, "physics": physics, "names": names, "latency": latency}
    onlooker = RoomWatch() if watch else None
    server = PagiServer(
        pagi_world, pagi_world.fill(given), seed, record=record, say=say, most_sessions=sessions, onlooker=onlooker
    )

    page = None if onlooker is None else WatchDoor(server, onlooker)

    def listen(loop: asyncio.AbstractEventLoop) -> None:
        for line in sys.stdin:
            if line.strip():
                loop.call_soon_threadsafe(server.type, line.strip()[:500])

    def ready(where: str, at: int) -> None:
        say(f"{room} is served at {where}:{at}, clock {clock}; Ctrl-C stops it.")
        if sys.stdin.isatty():
            say("What you type here the agents hear.")
            Thread(target=listen, args=(asyncio.get_running_loop(),), daemon=True).start()
        if page is not None:
            say(f"Watch it at {page.open()}")

    try:
        with ended_by_signals():
            asyncio.run(server.serve(host, port, ready=ready))
    except KeyboardInterrupt:
        say("Stopped.")
    finally:
        if page is not None:
            page.close()
    found: dict[str, Any] = server.report()
    lines = [f"session {one['session']}: {'solved' if one['success'] else 'not solved'}" for one in found["sessions"]]
    show(found, [*lines, f"{found['commands']} commands, {found['errors']} errors"], as_json=as_json)


@command.command("replay")
@click.argument("record", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@json_option
def replay(record: Path, as_json: bool) -> None:
    """Replay the sessions of RECORD, which `serve --record` wrote, and print their scores."""
    from mensura.catalog.pagi_world.dialogue import pagi_world
    from mensura.catalog.pagi_world.protocol.server import score_file

    found = score_file(pagi_world, record)
    if not found:
        raise BadParameter(f"{record} holds no session.")
    lines = [
        f"session {one['number']}: {one['status']}, {one['ticks']} ticks, success {one['scores']['success']:g}"
        for one in found
    ]
    show({"sessions": found}, lines, as_json=as_json)


command.add_command(film)
