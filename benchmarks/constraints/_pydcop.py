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
from time import perf_counter, process_time, sleep

import numpy as np
import yaml

for name in ("Iterable", "Callable", "Mapping", "Sequence"):
    setattr(collections, name, getattr(collections.abc, name))
yaml.load = functools.partial(yaml.load, Loader=yaml.SafeLoader)
np.asscalar = lambda array: array.item()


class Watch:
    """Counts what an algorithm's agents write to each other, and notes both clocks at each letter.

    This release knows no limit of cycles: after so many values said, an agent is silent.
    """

    def __init__(self, module: object, cycles: int) -> None:
        from pydcop.infrastructure.computations import VariableComputation

        self.sent, self.last = 0, (perf_counter(), process_time())
        watch, kinds = self, [one for one in vars(module).values() if isinstance(one, type)]
        for kind in (
            one for one in kinds if issubclass(one, VariableComputation) and one.__module__ == module.__name__
        ):
            post, say = kind.post_msg, getattr(kind, "_send_value", None)

            def posted(agent: object, *given: object, post: object = post, **named: object) -> object:
                watch.sent += 1
                watch.last = perf_counter(), process_time()
                return post(agent, *given, **named)

            def said(agent: object, *given: object, say: object = say) -> object:
                return say(agent, *given) if agent.cycle_count < cycles else None

            kind.post_msg = posted
            if cycles and say is not None:
                kind._send_value = said


def main(path: str, algorithm: str, seconds: float, cycles: int) -> dict[str, object]:
    """Solve; its clocks run from the order to run until an agent's last letter or last value, without start-up."""
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
    definition = AlgoDef(algorithm)
    watch = Watch(module, cycles)
    orchestrator = run_local_thread_dcop(definition, graph, distribution, dcop, 10000, collector=seen)
    try:
        # Agents announce themselves in threads; those who come too late are never told to run.
        sleep(2)
        orchestrator.deploy_computations()
        sleep(2)
        began = perf_counter(), process_time()
        orchestrator.run(timeout=seconds)
        orchestrator.wait_ready()
        found = orchestrator.end_metrics()
    finally:
        orchestrator.stop_agents(5)
        orchestrator.stop()
    # It runs until the time is over: a computation is done when the last value was chosen, or the last letter written.
    chosen = max((seen.get()[0] for _ in range(seen.qsize())), default=float("nan"))
    kept = {name: found[name] for name in ("assignment", "cost", "msg_count", "msg_size", "cycle", "status")}
    clocks = {"seconds": max(chosen, watch.last[0]) - began[0], "processor": watch.last[1] - began[1]}
    return {**clocks, "sent": watch.sent, "tree": _tree(graph), **kept}


def _tree(graph: object) -> dict[str, str | None]:
    """Variable → its parent, where the graph is a pseudo-tree."""
    parents = {}
    for node in graph.nodes if hasattr(graph, "roots") else []:
        for link in node.links:
            if link.type == "parent" and link.source == node.name:
                parents[node.name] = link.target
    return parents


if __name__ == "__main__":
    with contextlib.redirect_stdout(io.StringIO()):
        result = main(sys.argv[1], sys.argv[2], float(sys.argv[3]), int(sys.argv[4]))
    print(json.dumps(result, default=str))
    # Its threads outlive what they were for.
    sys.stdout.flush()
    import os

    os._exit(0)
