"""Calls: what a subject in a sandbox may not ask of the kernel, as a filter that bubblewrap hands to it.

Memory of System V belongs to no process and no folder, so that nobody could count it; AF_VSOCK leads out of a virtual
machine past every network namespace; and io_uring would open such a socket without a call that could be refused.
"""

import os
import struct
from collections.abc import Iterator
from errno import EAFNOSUPPORT, ENOSYS
from typing import NamedTuple

LOAD, EQUAL, MASK, RETURN = 0x20, 0x15, 0x54, 0x06
NUMBER, CONVENTION, FIRST_ARGUMENT = 0, 4, 16
"""Where the kernel lays out what a filter may look at; both machines have the low half of an argument first."""
ALLOW, REFUSE = 0x7FFF0000, 0x00050000
NOT_X32 = 0xBFFFFFFF
"""The same calls have a third set of numbers on x86_64, which differ by one bit; none of the others has it."""
VSOCK = 40
URING = 425


class Convention(NamedTuple):
    """A way of calling the kernel: its name there, the calls that are refused, and the one that opens a socket."""

    name: int
    refused: tuple[int, ...]
    socket: int


MACHINES = {
    # The old calls `ipc` and `socketcall` of 32-bit programs hide in memory what is asked; they are refused whole.
    "x86_64": (Convention(0xC000003E, (29, URING), 41), Convention(0x40000003, (395, 117, 102, URING), 359)),
    "aarch64": (Convention(0xC00000B7, (194, URING), 198), Convention(0x40000028, (307, 117, 102, URING), 281)),
}


def call_filter(machine: str | None = None) -> bytes:
    """Return the filter for a machine, this one unless named; empty for those whose numbers we do not know."""
    conventions = MACHINES.get(machine or os.uname().machine, ())
    if not conventions:
        return b""
    steps = [_step(LOAD, CONVENTION)]
    for convention in conventions:
        body = list(_body(convention))
        steps += [_step(EQUAL, convention.name, otherwise=len(body)), *body]
    return b"".join([*steps, _step(RETURN, REFUSE | ENOSYS)])


def _body(convention: Convention) -> Iterator[bytes]:
    yield _step(LOAD, NUMBER)
    yield _step(MASK, NOT_X32)
    for number in convention.refused:
        yield _step(EQUAL, number, otherwise=1)
        yield _step(RETURN, REFUSE | ENOSYS)
    yield _step(EQUAL, convention.socket, otherwise=3)
    yield _step(LOAD, FIRST_ARGUMENT)
    yield _step(EQUAL, VSOCK, otherwise=1)
    yield _step(RETURN, REFUSE | EAFNOSUPPORT)
    yield _step(RETURN, ALLOW)


def _step(code: int, value: int, *, otherwise: int = 0) -> bytes:
    """Write one step; `otherwise` is how many to skip where a comparison fails."""
    return struct.pack("=HBBI", code, 0, otherwise, value)
