"""Fills: those who take too much memory, disk, processes or patience are stopped, and nobody else suffers."""

import time

import pytest

from tests.subjects.boxes import needs_bubblewrap

pytestmark = needs_bubblewrap
SMALL = {"memory_bytes": 100 << 20, "written_bytes": 10 << 20, "processes": 20, "answer_seconds": 20}
STOPPED = {
    "processes": """
        for _ in range(2000):
            if os.fork() == 0:
                time.sleep(150)
                os._exit(0)
        time.sleep(150)
    """,
    "processes that fork again": """
        for _ in range(11):
            os.fork()
        time.sleep(150)
    """,
    "threads": """
        import threading
        for _ in range(1500):
            threading.Thread(target=time.sleep, args=(150,), daemon=True).start()
        time.sleep(150)
    """,
    "memory of one": """
        held = bytearray(300 << 20)
        time.sleep(150)
    """,
    "memory of many": """
        for _ in range(8):
            if os.fork() == 0:
                held = bytes(range(256)) * (40 << 12)
                time.sleep(150)
                os._exit(0)
        time.sleep(150)
    """,
    "shared memory without a name": """
        import mmap
        held = mmap.mmap(-1, 300 << 20)
        for place in range(0, 300 << 20, 4096):
            held[place] = 1
        time.sleep(150)
    """,
    "empty files": """
        for number in range(150_000):
            os.close(os.open(f"/tmp/{number}", os.O_CREAT | os.O_WRONLY))
        time.sleep(150)
    """,
    "output": """
        while True:
            sys.stdout.write("x" * 100_000)
    """,
    "last words": """
        while True:
            sys.stderr.write("x" * 100_000)
    """,
}
HELD = {
    "a memory file": """
        held = os.memfd_create("held")
        for _ in range(300):
            os.write(held, bytes(1 << 20))
        time.sleep(0.5)
        return "1" * 20
    """,
    "memory of System V": """
        import ctypes
        library = ctypes.CDLL(None)
        library.shmat.restype = ctypes.c_void_p
        for _ in range(15):
            place = library.shmat(library.shmget(0, 20 << 20, 0o1600), None, 0)
            ctypes.memset(place, 1, 20 << 20)
            library.shmdt(ctypes.c_void_p(place))
        time.sleep(0.5)
        return "1" * 20
    """,
    "empty files in /dev/shm": """
        for number in range(150_000):
            os.close(os.open(f"/dev/shm/{number}", os.O_CREAT | os.O_WRONLY))
        time.sleep(0.5)
        return "1" * 20
    """,
}


def attacking(body):
    """Make an attack of some lines."""
    return "def attack(ask):\n" + body


@pytest.mark.parametrize("body", STOPPED.values(), ids=STOPPED.keys())
def test_whoever_takes_too_much_is_stopped_soon(laboratory, body):
    begin = time.monotonic()
    taken = laboratory.attack(attacking(body), options={**SMALL, "output_bytes": 1_000_000})
    assert taken.answers == {} or taken.at_chance, taken
    assert time.monotonic() - begin < 140


@pytest.mark.parametrize("body", HELD.values(), ids=HELD.keys())
def test_whoever_holds_what_is_not_mapped_is_stopped_too(laboratory, body):
    taken = laboratory.attack(attacking(body), options=SMALL)
    assert taken.answers == {}, "three times the memory, or more than 100 000 files, were held in peace"


def test_answers_to_another_number_do_not_buy_time(laboratory):
    lines = """
        def attack(ask):
            last = time.monotonic() + 100
            while time.monotonic() < last:
                sys.stdout.write('{"number": 999, "answer": 1}\\n' * 1000)
    """
    begin = time.monotonic()
    taken = laboratory.attack(lines, options={"answer_seconds": 1, "start_seconds": 1, "output_bytes": 1_000_000})
    assert taken.answers == {}, "many times its second and its output were granted for one answer"
    assert time.monotonic() - begin < 90


@pytest.mark.parametrize("place", ["full", "/tmp/full", "/dev/shm/full", "/full", "/dev/full1", "/proc/full", "OWN"])
def test_no_more_is_written_than_its_room(laboratory, place):
    lines = f"""
        def attack(ask):
            place, written = {place!r}.replace("OWN", OWN + "/full"), 0
            with open(place, "wb", buffering=0) as file:
                while written < 40 << 20:
                    written += file.write(bytes(1 << 20))
            return "1" * 20
    """
    assert laboratory.attack(lines, options=SMALL).at_chance
    assert not (laboratory.folder / "full").exists()
