"""The process in which Inspect evaluates a task: it reads what to do as JSON from stdin, and leaves a log."""

import sys

from mensura.json_file import loads


def main() -> None:
    """Evaluate one task; a sample that fails is logged as failed and stops nothing."""
    from inspect_ai import eval as evaluate

    request = loads(sys.stdin.read())
    evaluate(**request, display="none", log_format="eval", fail_on_error=False, log_realtime=False, score_display=False)


if __name__ == "__main__":
    main()
