"""Killing: runs in a process that is killed while a scripted model still thinks."""

import os
import signal
import time

from mensura.running.run import resume_run, run
from mensura.store import open_store


def killed(server, name, url, *, after, test="coin", resumed=False, **more):
    """Run, or resume, in a process that is killed once so many requests came."""
    child = os.fork()
    if child == 0:
        try:
            with open_store(url) as store:
                if resumed:
                    resume_run("last", store=store)
                else:
                    run(test, name, store=store, seed=1, **more)
        finally:
            os._exit(0)
    while len(server.requests) < after:
        time.sleep(0.005)
    os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
