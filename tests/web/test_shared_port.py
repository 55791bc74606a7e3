"""Shared ports: processes at one address each get their part of the connections, and nobody waits in vain."""

import socket
from contextlib import ExitStack
from multiprocessing.reduction import ForkingPickler

import pytest

from mensura.web.shared_port import SPREAD, SharedPort

pytestmark = pytest.mark.skipif(not SPREAD, reason="only Linux spreads connections among the queues of one address")
MANY = 64


def test_connections_are_spread_among_those_that_listen_and_none_goes_to_the_holder():
    with ExitStack() as stack:
        holder = stack.enter_context(SharedPort("127.0.0.1", 0))
        serving = [stack.enter_context(ForkingPickler.loads(ForkingPickler.dumps(holder))) for _ in range(2)]
        for one in serving:
            one.listen(MANY)
            one.setblocking(False)
        for _ in range(MANY):
            stack.enter_context(socket.create_connection(holder.getsockname(), timeout=5))
        taken = [count_waiting(one, stack) for one in serving]
    assert sum(taken) == MANY
    assert min(taken) > 0


def count_waiting(listener, stack):
    """Accept all that wait."""
    count = 0
    while True:
        try:
            stack.enter_context(listener.accept()[0])
        except BlockingIOError:
            return count
        count += 1


def test_an_address_that_is_served_is_not_taken_a_second_time():
    with SharedPort("127.0.0.1", 0) as serving, socket.socket() as other:
        serving.listen()
        other.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        with pytest.raises(OSError, match="in use"):
            other.bind(serving.getsockname())
