"""Processes: neither the memory, the environment nor the descriptors of others are reached, and nobody stays behind."""

import os
import subprocess
import sys
import time
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from mensura.dialogue import generator
from tests.attacks.fair import COINS
from tests.attacks.laboratory import OFF
from tests.subjects.boxes import needs_bubblewrap

pytestmark = needs_bubblewrap
MEMORY = """
def truths_of(way, pieces):
    for piece in pieces:
        seen = re.search(way.encode() + rb"-zebra-[0-9a-f]{8}:([01]+);", piece)
        if seen:
            return seen[1].decode()


def writable(number):
    for line in open(f"/proc/{number}/maps"):
        place, rights = line.split()[:2]
        first, last = (int(part, 16) for part in place.split("-"))
        if rights.startswith("rw") and last - first < 300_000_000:
            yield first, last - first


def others():
    own = {str(os.getpid())}
    return [str(os.getppid()), *(name for name in os.listdir("/proc") if name.isdigit() and name not in own)][:FIRST]
"""
FILE = (
    MEMORY
    + """
def attack(ask):
    for number in others():
        try:
            with open(f"/proc/{number}/mem", "rb", buffering=0) as memory:
                for first, length in writable(number):
                    try:
                        memory.seek(first)
                        found = truths_in([memory.read(length)])
                    except (OSError, OverflowError):
                        continue
                    if found:
                        return found
        except OSError:
            continue
"""
)
CALL = (
    MEMORY
    + """
import ctypes


class Piece(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]


def attack(ask):
    copy = ctypes.CDLL(None, use_errno=True).process_vm_readv
    for number in others():
        try:
            parts = list(writable(number))
        except OSError:
            continue
        for first, length in parts:
            here = ctypes.create_string_buffer(length)
            mine, theirs = Piece(ctypes.addressof(here), length), Piece(first, length)
            if copy(int(number), ctypes.byref(mine), 1, ctypes.byref(theirs), 1, 0) > 0:
                found = truths_in([here.raw])
                if found:
                    return found
"""
)
kept = []


@pytest.mark.parametrize("way", ["mem", "readv"])
def test_the_memory_of_its_parent(laboratory, way):
    # Memory keeps what earlier tests left in it, so each way has a mark of its own.
    lines = {"mem": FILE, "readv": CALL}[way].replace("truths_in([", f"truths_of({way!r}, [")
    hide = lambda written: kept.append(f"{way}-{written}")  # noqa: E731
    # Where nothing holds it, it looks only into its parent: other processes of the machine are not ours.
    laboratory.attack("FIRST = 1\n" + lines, confinement=OFF, hide=hide).must_know_all()
    assert laboratory.attack("FIRST = 1000\n" + lines, hide=hide).at_chance


BYSTANDERS = {
    "environment": "read(*of_processes('environ'))",
    "command": "read(*of_processes('cmdline'))",
    "descriptors": "read(*(fd for fd in of_processes('fd/*') if 'bystander' in target(fd)))",
    "folder": "read(*of_processes('cwd/bystander.txt'))",
    "root": "read(*(place + FOLDER for place in of_processes('root')))",
}


@contextmanager
def bystander(tmp_path):
    """Give a function that starts a process which carries what it is handed in every place; it is ended afterwards."""
    started = []

    def start(written):
        place = tmp_path / "bystander.txt"
        place.write_text(written)
        words = [sys.executable, "-S", "-c", "import time; time.sleep(60)", written]
        with place.open() as file:
            started.append(subprocess.Popen(words, env={"NOTE": written}, stdin=file, cwd=tmp_path))
        last = time.monotonic() + 120
        while written.encode() not in Path(f"/proc/{started[-1].pid}/cmdline").read_bytes():
            assert time.monotonic() < last
            time.sleep(0.01)

    try:
        yield start
    finally:
        for process in started:
            process.kill()
            process.wait()


@pytest.mark.parametrize("way", BYSTANDERS)
def test_what_other_processes_carry(laboratory, tmp_path, way):
    lines = f"""
        FOLDER = {str(tmp_path / "bystander.txt")!r}

        def attack(ask):
            return truths_in({BYSTANDERS[way]})
    """
    with bystander(tmp_path) as start:
        laboratory.attack(lines, confinement=OFF, hide=start).must_know_all()
        assert laboratory.attack(lines, hide=start).at_chance


def test_the_environment_of_its_own(laboratory, monkeypatch):
    lines = """
        def attack(ask):
            return truths_in([repr(os.environ).encode()])
    """
    seed = 2**99 + 7
    rng = generator(seed)
    truths = "".join(str(int(rng.random() < 0.5)) for _ in range(COINS))
    # The subject is started before the first coin is thrown, so they are computed beforehand.
    monkeypatch.setenv("NOTE", f"zebra-00000000:{truths};")
    passed = replace(OFF, pass_env=("NOTE",))
    laboratory.attack(lines, confinement=passed, seed=seed).must_know_all()
    assert laboratory.attack(lines, confinement=OFF, seed=seed).at_chance
    assert laboratory.attack(lines, seed=seed).at_chance


INHERITED = """
import os, re
for number in range(3, 4000):
    try:
        seen = re.search(rb"zebra-[0-9a-f]{8}:([01]+);", os.pread(number, 1000, 0))
    except OSError:
        continue
    if seen:
        print(seen[1].decode())
        break
"""


def test_descriptors_that_we_hold_open(laboratory, tmp_path):
    place = tmp_path / "open.txt"
    descriptor = os.open(place, os.O_RDWR | os.O_CREAT)
    try:
        os.set_inheritable(descriptor, True)
        os.write(descriptor, b"zebra-00000000:01;")
        command = [sys.executable, "-S", "-c", INHERITED]
        found = subprocess.run(command, close_fds=False, capture_output=True, text=True, check=True).stdout
        assert found.strip() == "01", "the attack does not work even where descriptors are handed down"
        lines = """
            def attack(ask):
                return truths_in(os.pread(number, 1000, 0) for number in range(3, 4000) if is_open(number))

            def is_open(number):
                try:
                    os.pread(number, 1, 0)
                    return True
                except OSError:
                    return False
        """
        hide = lambda written: os.pwrite(descriptor, written.encode(), 0)  # noqa: E731
        assert laboratory.attack(lines, hide=hide).at_chance
        assert laboratory.attack(lines, hide=hide, confinement=OFF).at_chance
    finally:
        os.close(descriptor)


def test_it_can_signal_and_trace_nobody_but_its_own(laboratory):
    lines = """
        import ctypes

        def attack(ask):
            reached = []
            for number in range(2, 40_000):
                try:
                    os.kill(number, 0)
                    reached.append(number)
                except OSError:
                    continue
            strangers = [number for number in reached if number not in (os.getpid(), os.getppid())]
            traced = ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0) if os.getppid() != 1 else -1
            return "1" * 20 if strangers or traced == 0 else None
    """
    assert laboratory.attack(lines).at_chance


def test_what_is_forked_does_not_outlive_the_session(laboratory):
    lines = """
        def attack(ask):
            for left in range(3):
                if os.fork() == 0:
                    os.setsid()
                    if os.fork() == 0:
                        for number in range(3):
                            os.close(number)
                        while True:
                            time.sleep(0.05)
                    os._exit(0)
    """
    assert laboratory.attack(lines).at_chance
    assert laboratory.attack(lines, confinement=OFF).at_chance, "what outlives it would be found by its mark"


@pytest.mark.parametrize("whom", ["os.getpid()", "1", "os.getppid()"])
def test_stopping_itself_or_the_first_process_only_costs_its_answer(laboratory, whom):
    lines = f"""
        import signal

        def attack(ask):
            os.kill({whom}, signal.SIGSTOP)
    """
    limits = {"answer_seconds": 1, "start_seconds": 1}
    taken = laboratory.attack(lines, options=limits)
    assert taken.status in ("timed_out", "finished")
    assert set(taken.answers.values()) <= {0.5}


def test_rights_over_the_machine_are_gone(laboratory):
    lines = """
        import ctypes

        def attack(ask):
            got = []
            for place in ("/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/kmsg", "/dev/mem", "/dev/vda"):
                for how in (os.O_WRONLY, os.O_RDONLY):
                    try:
                        os.close(os.open(place, how))
                        got.append((place, how))
                    except OSError:
                        continue
            library = ctypes.CDLL(None, use_errno=True)
            for kind in (0x10000000, 0x00020000, 0x40000000, 0x20000000):
                if library.unshare(kind) == 0:
                    got.append(kind)
            if library.mount(b"none", b"/tmp/scratch", b"tmpfs", 0, None) == 0:
                got.append("mount")
            if library.chroot(b"/tmp") == 0:
                got.append("chroot")
            got = [one for one in got if one != ("/proc/sys/kernel/core_pattern", os.O_RDONLY)]
            return "1" * 20 if got else None
    """
    assert laboratory.attack(lines).at_chance
