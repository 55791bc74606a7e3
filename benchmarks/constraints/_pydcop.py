"""Solve a file by pyDCOP and print what it cost as JSON; run by the Python of an environment that has pyDCOP.

Its last release (0.1.1) is older than Python 3.10, which took some names out of `collections`, than PyYAML 6, which
wants a loader named, and than NumPy 1.23, which took `asscalar` out: all are put back first.
"""

import collections
import collections.abc
import contextlib
import functools
import io
import json
import sys
from importlib import import_module
from queue import Queue
from time import perf_counter, sleep

import numpy as np
import yaml

for name in ("Iterable", "Callable", "Mapping", "Sequence"):
    setattr(collections, name, getattr(collections.abc, name))
yaml.load = functools.partial(yaml.load, Loader=yaml.SafeLoader)
np.asscalar = lambda array: array.item()


def main(path: str, algorithm: str, seconds: float, parameters: dict[str, object]) -> dict[str, object]:
    """Solve; its clock runs from the order to run until the last value was chosen, without start-up."""
    from pydcop.algorithms.objects import AlgoDef
    from pydcop.dcop.yamldcop import load_dcop_from_file
    from pydcop.infrastructure.run import run_local_thread_dcop

    dcop = load_dcop_from_file([path])
    module = import_module(f"pydcop.algorithms.{algorithm}")
    graph = import_module(f"pydcop.computations_graph.{module.GRAPH_TYPE}").build_computation_graph(dcop)
    distribution = import_module("pydcop.distribution.oneagent").distribute(
        graph,
        dcop.agents.values(),
        hints=None,
        computation_memory=module.computation_memory,
        communication_load=module.communication_load,
    )
    seen: Queue[tuple[float, str, object, float, int]] = Queue()
    definition = AlgoDef(algorithm, **parameters)
    orchestrator = run_local_thread_dcop(definition, graph, distribution, dcop, 10000, collector=seen)
    try:
        # Agents announce themselves in threads; those who come too late are never told to run.
        sleep(2)
        orchestrator.deploy_computations()
        sleep(2)
        began = perf_counter()
        orchestrator.run(timeout=seconds)
        orchestrator.wait_ready()
        found = orchestrator.end_metrics()
    finally:
        orchestrator.stop_agents(5)
        orchestrator.stop()
    # It runs until the time is over: a computation is done when the last value was chosen.
    last = max((seen.get()[0] for _ in range(seen.qsize())), default=float("nan"))
    kept = {name: found[name] for name in ("assignment", "cost", "msg_count", "msg_size", "cycle", "status")}
    return {"seconds": last - began, "tree": _tree(graph), **kept}


def _tree(graph: object) -> dict[str, str | None]:
    """Variable → its parent, where the graph is a pseudo-tree."""
    parents = {}
    for node in graph.nodes:
        for link in node.links:
            if link.type == "parent" and link.source == node.name:
                parents[node.name] = link.target
    return parents


if __name__ == "__main__":
    with contextlib.redirect_stdout(io.StringIO()):
        result = main(sys.argv[1], sys.argv[2], float(sys.argv[3]), json.loads(sys.argv[4]))
    print(json.dumps(result, default=str))
    # Its threads outlive what they were for.
    sys.stdout.flush()
    import os

    os._exit(0)
