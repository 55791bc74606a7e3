"""The sandbox: what a subject is given, what it may use, and what it meets when it tries for more."""

import os
import socket
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import pytest

from mensura.errors import BadParameter, NotInstalled, SubjectCrashed, SubjectFlooded, SubjectTimedOut
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.sandbox import sandbox
from mensura.subjects.sandbox.confinement import ANOTHER_USER, NOT_ISOLATED, Confinement
from mensura.subjects.sandbox.sandbox import means_of
from tests.subjects.boxes import answer_of, hosted_answer, needs_bubblewrap

SMALL = Bounds(answer_seconds=20, memory_bytes=200 << 20, written_bytes=10 << 20, processes=20)
OFF = Confinement(sandbox="off")
BOTH = [pytest.param(Confinement(), marks=needs_bubblewrap), OFF]


@pytest.mark.parametrize("confinement", BOTH, ids=["sandbox", "none"])
def test_the_environment_is_three_variables_and_what_is_passed(tmp_path, monkeypatch, confinement):
    monkeypatch.setenv("MENSURA_STORE", "postgresql://secret")
    monkeypatch.setenv("AGENT_SETTING", "kept")
    body = 'return {name: os.environ[name] for name in os.environ if name not in ("LC_CTYPE", "MENSURA_PROGRAM")}'
    given = answer_of(tmp_path, body, confinement=confinement)
    assert set(given) == {"PATH", "LANG", "HOME"}
    from dataclasses import replace

    passed = answer_of(tmp_path, body, confinement=replace(confinement, pass_env=("AGENT_SETTING", "NOT_SET")))
    assert passed["AGENT_SETTING"] == "kept"
    assert set(passed) == {"PATH", "LANG", "HOME", "AGENT_SETTING"}


@pytest.mark.parametrize("confinement", BOTH, ids=["sandbox", "none"])
def test_it_begins_in_an_empty_folder_that_is_its_home_and_is_removed(tmp_path, monkeypatch, confinement):
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    (tmp_path / "scratch").mkdir()
    body = """
        empty = os.listdir()
        open("note.txt", "w").write("mine")
        return empty, os.getcwd() == os.environ["HOME"], os.listdir()
    """
    (tmp_path / "agent").mkdir()
    assert answer_of(tmp_path / "agent", body, confinement=confinement) == [[], True, ["note.txt"]]
    assert list((tmp_path / "scratch").iterdir()) == []


@needs_bubblewrap
def test_the_network_is_closed_unless_it_is_asked_for(tmp_path):
    body = """
        import socket
        try:
            socket.create_connection(("127.0.0.1", {}), timeout=2).close()
        except OSError as error:
            return type(error).__name__
        return "connected"
    """
    with socket.create_server(("127.0.0.1", 0)) as server:
        body = body.format(server.getsockname()[1])
        assert answer_of(tmp_path, body) == "ConnectionRefusedError"
        assert answer_of(tmp_path, body, confinement=Confinement(network=True)) == "connected"


@needs_bubblewrap
def test_it_sees_no_process_but_its_own_and_cannot_change_the_machine(tmp_path):
    body = """
        numbers = [int(name) for name in os.listdir("/proc") if name.isdigit()]
        writable = []
        for place in ("/proc/sys/kernel/core_pattern", "/proc/sysrq-trigger", "/proc/sys/vm/drop_caches"):
            try:
                os.close(os.open(place, os.O_WRONLY))
                writable.append(place)
            except OSError:
                pass
        rights = [line.split()[1] for line in open("/proc/self/status") if line.startswith("Cap")]
        return len(numbers) <= 4, writable, set(rights) == {"0000000000000000"}, sorted(os.listdir("/proc/self/fd"))[:4]
    """
    few, writable, powerless, descriptors = answer_of(tmp_path, body)
    assert (few, writable, powerless) == (True, [], True)
    assert descriptors == ["0", "1", "2", "3"]


@needs_bubblewrap
def test_it_can_make_no_namespaces_of_its_own(tmp_path):
    body = """
        import ctypes
        return ctypes.CDLL(None, use_errno=True).unshare(0x10000000)
    """
    assert hosted_answer(tmp_path, body) == -1


@needs_bubblewrap
def test_a_fork_bomb_is_stopped_and_named(tmp_path):
    # Each child sleeps, and there are never more than a few hundred: harmless even where nobody stops it.
    body = """
        import time
        for _ in range(300):
            if os.fork() == 0:
                time.sleep(15)
                os._exit(0)
        time.sleep(15)
        return "never stopped"
    """
    begin = time.monotonic()
    with pytest.raises(SubjectCrashed, match="more than 20 processes at once"):
        answer_of(tmp_path, body, bounds=SMALL)
    assert time.monotonic() - begin < 10
    assert not _left(tmp_path)


@needs_bubblewrap
def test_children_that_left_their_group_end_with_it(tmp_path):
    body = """
        if os.fork() == 0:
            os.setsid()
            import time
            time.sleep(30)
        return "answered"
    """
    assert answer_of(tmp_path, body) == "answered"
    assert not _left(tmp_path)


@needs_bubblewrap
@pytest.mark.parametrize("how", ["mmap.mmap(-1, 60 << 20)", "bytearray(60 << 20)"])
def test_memory_that_many_processes_hold_together_is_limited(tmp_path, how):
    body = f"""
        import mmap, time
        for _ in range(6):
            if os.fork() == 0:
                held = {how}
                for place in range(0, len(held), 4096):
                    held[place] = 1
                time.sleep(15)
                os._exit(0)
        time.sleep(15)
        return "never stopped"
    """
    with pytest.raises(SubjectCrashed, match="processes together held more than"):
        answer_of(tmp_path, body, bounds=SMALL)


@needs_bubblewrap
@pytest.mark.parametrize("place", ["big", "/tmp/big", "/dev/shm/big", "/big", "/dev/big"])
def test_what_it_writes_is_limited(tmp_path, place):
    body = f"""
        try:
            with open({place!r}, "wb", buffering=0) as file:
                for _ in range(40):
                    if file.write(bytes(1 << 20)) < 1 << 20:
                        return "full"
        except OSError as error:
            return "full" if error.errno == 28 else "read-only"
        return "written"
    """
    assert answer_of(tmp_path, body, bounds=SMALL) in ("full", "read-only")


@needs_bubblewrap
def test_time_and_output_are_limited_as_outside(tmp_path):
    with pytest.raises(SubjectTimedOut):
        answer_of(tmp_path, "import time; time.sleep(60)", bounds=Bounds(answer_seconds=1, start_seconds=1))
    with pytest.raises(SubjectFlooded):
        answer_of(tmp_path, 'while True: sys.stdout.write("x" * 1000)', bounds=Bounds(output_bytes=100_000))


@needs_bubblewrap
def test_what_it_was_refused_is_named_with_what_opens_it(tmp_path, tmp_path_factory):
    data = tmp_path_factory.mktemp("data") / "data.csv"
    data.write_text("x")
    with pytest.raises(SubjectCrashed) as failure:
        answer_of(tmp_path, f"open({str(data)!r})")
    assert str(failure.value).endswith(f"The file {data} is not open to it: --allow {data} opens it.")
    with pytest.raises(SubjectCrashed) as failure:
        answer_of(tmp_path, f"open({str(data)!r})", confinement=Confinement(hidden=(str(data),)))
    assert str(failure.value).endswith(f"The file {data} is hidden from it.")
    request = 'import urllib.request; urllib.request.urlopen("http://api.example:8080/v1")'
    with pytest.raises(SubjectCrashed) as failure:
        hosted_answer(tmp_path, request)
    assert str(failure.value).endswith("It has no network (it tried api.example:8080): --network opens it.")
    with pytest.raises(SubjectCrashed, match=r"may write only to its scratch folder"):
        hosted_answer(tmp_path, 'open(__file__ + ".txt", "w")')


@pytest.mark.parametrize("confinement", BOTH, ids=["sandbox", "none"])
def test_a_file_that_was_meant_from_its_folder_is_pointed_to(tmp_path, confinement):
    (tmp_path / "words.txt").write_text("hello")
    with pytest.raises(SubjectCrashed, match="starts in a separate empty folder") as failure:
        hosted_answer(tmp_path, 'open("words.txt")', confinement=confinement)
    assert f"name it by its full path, {tmp_path}/words.txt" in str(failure.value)


def test_where_nothing_works_a_sandbox_is_refused_and_auto_does_without(monkeypatch):
    monkeypatch.setattr(sandbox, "_works", lambda means: means == NOT_ISOLATED)
    assert means_of(Confinement()) == means_of(OFF) == NOT_ISOLATED
    with pytest.raises(NotInstalled, match="No sandbox works on this machine: install bubblewrap"):
        means_of(Confinement(sandbox="on"))
    with pytest.raises(BadParameter, match="kept apart by bubblewrap, which does not work here"):
        means_of(Confinement(means="bubblewrap"))


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_without_bubblewrap_root_starts_it_as_another_user(monkeypatch):
    # Our own Python may lie in a folder of root, where nobody else can run it.
    pythons = (python for python in (sys.executable, "/usr/bin/python3") if sandbox._runs_for_others(python))
    if sandbox._apart() is None or (python := next(pythons, None)) is None:
        pytest.skip("another user can run no Python here")
    monkeypatch.setattr(sandbox, "_works", lambda means: means in (ANOTHER_USER, NOT_ISOLATED))
    assert means_of(Confinement()) == NOT_ISOLATED, "nobody is put in place unasked"
    demanded = Confinement(sandbox="on")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        secret = Path(folder, "mensura.db")
        secret.write_text("the truth")
        secret.chmod(0o600)
        body = f"""
            try:
                open({str(secret)!r})
            except OSError as error:
                return os.getuid(), error.errno, sorted(os.environ.keys() - {{"LC_CTYPE", "MENSURA_PROGRAM"}})
        """
        assert answer_of(Path(folder), body, confinement=demanded, python=python) == [
            65534,
            13,
            ["HOME", "LANG", "PATH"],
        ]
        secret.chmod(0o644)
        with pytest.raises(BadParameter, match="Other users could read"):
            answer_of(Path(folder), body, confinement=replace(demanded, hidden=(str(secret),)), python=python)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can become another user")
def test_a_program_that_the_other_user_cannot_run_is_refused_in_words_that_say_so(tmp_path, monkeypatch):
    if sandbox._apart() is None:
        pytest.skip("root cannot become another user here")
    monkeypatch.setattr(sandbox, "_works", lambda means: means in (ANOTHER_USER, NOT_ISOLATED))
    closed = tmp_path / "closed"
    closed.mkdir(mode=0o700)
    agent = closed / "agent"
    agent.write_text("#!/bin/sh\n")
    agent.chmod(0o755)
    with pytest.raises(BadParameter, match=f"another user, who cannot run {agent}: .* closed to others"):
        answer_of(tmp_path, "return 1", confinement=Confinement(sandbox="on"), python=str(agent))


def test_wrong_values_are_said():
    with pytest.raises(BadParameter, match="auto, on or off"):
        Confinement(sandbox="maybe")
    with pytest.raises(BadParameter, match="not its value"):
        Confinement(pass_env=("KEY=value",))
    with pytest.raises(BadParameter, match="no such file or folder"):
        Confinement(allow=("/nonesuch",)).located()


def _left(folder):
    """List the processes whose command names a folder; those that are ending have time for it."""
    end = time.monotonic() + 120
    while (found := _naming(folder)) and time.monotonic() < end:
        time.sleep(0.05)
    return found


def _naming(folder):
    found = []
    for place in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            found += [place] if str(folder).encode() in place.read_bytes() else []
        except OSError:
            continue
    return found
