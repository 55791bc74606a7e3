"""What a subject in a sandbox may not ask of the kernel, and that it may ask for the rest."""

import os
import struct

import pytest

from mensura.subjects.sandbox.calls import MACHINES, call_filter
from tests.subjects.boxes import answer_of, needs_bubblewrap

ALLOWED, NO_CALL, NO_FAMILY = 0x7FFF0000, 0x00050026, 0x00050061


def verdict(machine, convention, number, argument=0):
    """Run a filter as the kernel does."""
    steps = list(struct.iter_unpack("=HBBI", call_filter(machine)))
    seen = struct.pack("=IIQQ", number, convention, 0, argument)
    place = held = 0
    while True:
        code, yes, no, value = steps[place]
        place += 1
        if code == 0x06:
            return value
        if code == 0x20:
            held = struct.unpack_from("=I", seen, value)[0]
        elif code == 0x54:
            held &= value
        else:
            place += yes if held == value else no


@pytest.mark.parametrize("machine", MACHINES)
def test_the_filter_refuses_what_it_names_and_nothing_else(machine):
    for convention in MACHINES[machine]:
        for number in range(500):
            expected = NO_CALL if number in convention.refused else ALLOWED
            assert verdict(machine, convention.name, number) == expected
        assert verdict(machine, convention.name, convention.socket, 2) == ALLOWED
        assert verdict(machine, convention.name, convention.socket, 40) == NO_FAMILY
    assert verdict(machine, 0x12345678, 0) == NO_CALL


def test_the_third_set_of_numbers_is_refused_too():
    assert verdict("x86_64", 0xC000003E, 0x40000000 + 29) == NO_CALL


def test_a_machine_that_we_do_not_know_has_no_filter():
    assert call_filter("riscv64") == b""


@needs_bubblewrap
@pytest.mark.skipif(os.uname().machine not in MACHINES, reason="no filter on this machine")
def test_memory_of_system_v_and_sockets_out_of_the_machine_are_refused(tmp_path):
    body = """
        import ctypes, socket
        library = ctypes.CDLL(None, use_errno=True)
        said = [library.shmget(0, 4096, 0o1600), ctypes.get_errno()]
        for family in (socket.AF_INET, socket.AF_UNIX, 40):
            try:
                socket.socket(family, socket.SOCK_STREAM).close()
                said.append(0)
            except OSError as error:
                said.append(error.errno)
        return said
    """
    assert answer_of(tmp_path, body) == [-1, 38, 0, 0, 97]
