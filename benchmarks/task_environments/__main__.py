"""Task environments: `python -m benchmarks task_environments [PART] [--original PATH]`.

`steps` takes `--original PATH`, a checkout of the authors' program, to run it in turn with ours.
"""

import sys
from collections.abc import Callable

from benchmarks.task_environments import learning, oracle, steps

PARTS: dict[str, Callable[..., None]] = {"steps": steps.main, "oracle": oracle.main, "learning": learning.main}


def main(*words: str) -> None:
    """Run one part, or all of them."""
    if words and words[0] in PARTS:
        PARTS[words[0]](*words[1:])
        return
    for name, part in PARTS.items():
        print(f"\n## {name}")
        part(*(words if name == "steps" else ()))


if __name__ == "__main__":
    main(*sys.argv[1:])
