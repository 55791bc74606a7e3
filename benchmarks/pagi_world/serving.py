"""A served room: commands a second between two processes, lateness under the clock of the wall, time of a replay."""

import json
import signal
import socket
import subprocess
import sys
import threading
import time
from collections import deque
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from mensura.catalog.pagi_world.dialogue import pagi_world
from mensura.catalog.pagi_world.protocol.server import ClientSeat, PagiServer, score_file
from mensura.catalog.pagi_world.rooms.room import find_room

SERVE = "from mensura.cli.main import main; main()"
AGENTS = ("a", "b", "c", "d")


def serve(folder: Path, *options: str) -> tuple[Any, int]:
    """Start a server; returns its process and port."""
    process = subprocess.Popen(
        [sys.executable, "-c", SERVE, "pagi-world", "serve", "--port", "0", "--json", *options],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=folder,
    )  # fmt: skip
    while "is served at" not in (line := process.stderr.readline()):  # type: ignore[union-attr]
        if process.poll() is not None:
            raise SystemExit(line)
    # What it says later must not fill the pipe.
    threading.Thread(target=process.stderr.read, daemon=True).start()  # type: ignore[union-attr]
    return process, int(line.split("127.0.0.1:")[1].split(",")[0])


def stop(process: Any) -> dict[str, Any]:
    """Stop a server and return its report."""
    process.send_signal(signal.SIGINT)
    found: dict[str, Any] = json.loads(process.communicate(timeout=60)[0])
    return found


class Client:
    """Asks for its place at every tick, as an agent does."""

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.file = self.socket.makefile("rwb")

    def ask(self, line: str) -> bytes:
        """Write a line and read one."""
        self.file.write(line.encode() + b"\n")
        self.file.flush()
        return self.file.readline()


def counted(folder: Path, count: int = 3000) -> float:
    """Return how many commands of one step each are answered in a second, each written down before."""
    process, port = serve(folder, "--room", "open", "--record", "counted.jsonl")
    client = Client(port)
    client.ask("step,1")
    began = time.perf_counter()
    for _ in range(count):
        client.ask("step,1")
    rate = count / (time.perf_counter() - began)
    stop(process)
    return rate


def four_agents(folder: Path, *, seconds: float) -> str:
    """Write the room `open` with four bodies; returns its file."""
    room = dict(find_room("open"))
    room["agents"] = [{"role": role, "at": [5 * n - 8, -8.8]} for n, role in enumerate(AGENTS)]
    room["seconds"] = seconds + 60
    (folder / "four.json").write_text(json.dumps(room))
    return "four.json"


def wall(folder: Path, seconds: float) -> dict[str, float]:
    """Return how late ticks were with four clients that ask in every tick."""
    room = four_agents(folder, seconds=seconds)
    process, port = serve(folder, "--room", room, "--clock", "wall", "--record", "wall.jsonl")
    over = time.perf_counter() + seconds

    def talk() -> None:
        client = Client(port)
        while time.perf_counter() < over:
            client.ask("sensorRequest,BP")

    threads = [threading.Thread(target=talk) for _ in AGENTS]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    late: dict[str, float] = stop(process)["lateness_ms"]
    return late


class _Nowhere:
    """A writer that writes nowhere."""

    transport = SimpleNamespace(get_write_buffer_size=lambda: 0)

    def is_closing(self) -> bool:
        return False

    def write(self, data: bytes) -> None:
        pass


def replayed(folder: Path, *, water: bool, ticks: int = 3600) -> float:
    """Play a minute of the clock of the wall, each tick with commands; return the seconds its replay takes."""
    room = dict(find_room("open"), seconds=120)
    if water:
        room["water"] = {"boxes": [[-29, -10, -21, -5.3]]}
    (folder / "minute.json").write_text(json.dumps(room))
    record = folder / f"minute-{water}.jsonl"
    parameters = pagi_world.fill({"room": str(folder / "minute.json"), "pace": "wall"})
    server = PagiServer(pagi_world, parameters, 1, record=record)
    seat = ClientSeat(_Nowhere(), "subject", "commas", deque())  # type: ignore[arg-type]
    server.seats["subject"] = seat
    server._begin()
    for tick in range(ticks):
        force = 200.0 if tick % 120 < 60 else -200.0
        seat.queue += [("addForce", "BMH", force), ("sensorRequest", "BP"), ("sensorRequest", "R4")]
        server._edge()
    server._file.close()  # type: ignore[union-attr]
    began = time.process_time()
    (found,) = score_file(pagi_world, record)
    assert found["ticks"] == ticks
    return time.process_time() - began
