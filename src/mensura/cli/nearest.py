"""The nearest right thing to an option or a verb that is not there, across verbs and the words of other tools."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import TYPE_CHECKING

import click

from mensura.dialogue.parameters import Bare, flag_of
from mensura.errors import UnknownName
from mensura.stats.wording import listed

if TYPE_CHECKING:
    from mensura.dialogue import Test

MODEL = "--as llm:MODEL, or --as llm:MODEL@URL for a server of your own"
SETTINGS = """part of the subject: --as 'llm:MODEL#settings={"temperature":0,"max_tokens":500}'"""
WHERE_TO = "--store FILE, where the answers are kept; `mensura export last --to FILE` writes them as a table"
HOW_OFTEN = "--sessions N, how many sessions; of a bank, how often each item is asked"
ENVIRONMENT = "the test itself: mensura run gym:CartPole-v1 --as chance"
AT_ONCE = "--concurrency N for models, or --on processes:N for programs"
TEST = "the first word: mensura run TEST --as SUBJECT; `mensura list` shows the tests"
# Option names of other tools, without dashes and with _, and what they are here.
OTHER_TOOLS = {
    **dict.fromkeys(("model", "models", "model_name", "model_id", "model_args", "llm", "engine", "provider"), MODEL),
    **dict.fromkeys(("subject", "subjects", "agent", "policy", "player", "participant", "who"), "--as SUBJECT"),
    **dict.fromkeys(("solver", "num_fewshot", "fewshot", "few_shot"), "a solver: --as 'solve:few-shot(SUBJECT)'"),
    **dict.fromkeys(("temperature", "top_p", "top_k", "max_tokens", "max_new_tokens", "gen_kwargs"), SETTINGS),
    **dict.fromkeys(("system_message", "system_prompt", "stop_seqs", "reasoning_effort", "generate_config"), SETTINGS),
    **dict.fromkeys(("base_url", "api_base", "model_base_url", "endpoint"), "part of the name: --as llm:MODEL@URL"),
    **dict.fromkeys(("api_key", "token"), "an environment variable, such as OPENAI_API_KEY: keys are never options"),
    **dict.fromkeys(("output", "output_path", "output_dir", "log_dir", "log_file", "save", "save_dir"), WHERE_TO),
    **dict.fromkeys(("log_samples", "results"), WHERE_TO),
    **dict.fromkeys(("db", "database", "db_url", "storage"), "--store FILE or --store postgresql://USER@HOST/DATABASE"),
    **dict.fromkeys(("epochs", "repeats", "repeat", "trials", "runs", "n", "num_runs", "n_runs"), HOW_OFTEN),
    **dict.fromkeys(("episodes", "num_episodes", "n_episodes", "n_eval_episodes", "num_sessions"), HOW_OFTEN),
    **dict.fromkeys(("samples", "num_samples", "max_samples", "num_examples", "n_samples"), "--limit N, of a bank"),
    **dict.fromkeys(("sample_id", "filter", "tag", "tags"), "--where NAME=VALUE, of a bank"),
    **dict.fromkeys(("env", "env_id", "env_name", "environment", "gym"), ENVIRONMENT),
    **dict.fromkeys(("task", "tasks", "test", "tests", "eval", "benchmark", "dataset"), TEST),
    **dict.fromkeys(("workers", "num_workers", "n_jobs", "jobs", "parallel", "num_processes", "num_envs"), AT_ONCE),
    **dict.fromkeys(("max_connections", "batch_size", "max_tasks", "max_subprocesses", "threads"), AT_ONCE),
    **dict.fromkeys(("random_seed", "rng", "random_state"), "--seed N"),
    **dict.fromkeys(("timeout", "time_limit", "max_seconds"), "--answer-seconds N, or --session-seconds N"),
    **dict.fromkeys(("cost_limit", "budget", "max_budget", "token_limit"), "--max-cost AMOUNT"),
    **dict.fromkeys(("role", "roles", "players"), "--as ROLE=SUBJECT, once for each role"),
    **dict.fromkeys(("config", "params", "parameters", "task_args"), "one option for each parameter: --NAME VALUE"),
    **dict.fromkeys(("docker", "isolate"), "--sandbox"),
    **dict.fromkeys(("verbose", "debug", "log_level"), "`mensura show RUN`, which prints everything about a run"),
    **dict.fromkeys(("render", "record", "video"), "`mensura serve`, which plays sessions back"),
}
# Verbs of other tools, and what is typed here instead.
OTHER_VERBS = {
    **dict.fromkeys(("eval", "evaluate", "benchmark", "bench"), "run TEST --as SUBJECT"),
    **dict.fromkeys(("test", "play", "start", "begin", "try"), "take TEST --as human"),
    **dict.fromkeys(("ls", "tests", "tasks", "catalog"), "list tests"),
    **dict.fromkeys(("runs", "history"), "list runs"),
    **dict.fromkeys(("log", "logs", "view", "results", "info", "inspect", "status"), "show RUN"),
    "studies": "list studies",
    "subjects": "list subjects",
    "settings": "list settings",
    **dict.fromkeys(("describe", "parameters"), "list TEST"),
    **dict.fromkeys(("init", "create"), "new NAME"),
    **dict.fromkeys(("validate", "lint", "verify"), "check TEST"),
    **dict.fromkeys(("diff", "difference"), "compare RUN RUN"),
    **dict.fromkeys(("plot", "summary", "summarize", "html"), "report RUN -o report.html"),
    **dict.fromkeys(("save", "dump", "convert"), "export RUN --to FILE"),
    "load": "import FILE.zip",
    **dict.fromkeys(("server", "web", "ui", "gui", "app", "dashboard"), "serve"),
    **dict.fromkeys(("config", "env", "paths", "cache", "path"), "where"),
    **dict.fromkeys(("completions", "autocomplete"), "completion bash"),
    **dict.fromkeys(("continue", "retry"), "resume RUN"),
    "version": "--version",
}


def check_flags(ctx: click.Context, flags: Mapping[str, object], test: "Test") -> None:
    """Raise the nearest right thing to a flag that is neither an option of the verb nor a parameter of the test."""
    for name, value in flags.items():
        if name not in test.parameters:
            own = [flag_of(parameter) for parameter in test.parameters]
            see = nearest_option(ctx, name, own=own) or f"{test.name} has {', '.join(own) or 'none'}."
            if OTHER_TOOLS.get(name) is MODEL and not isinstance(value, Bare):
                see = (
                    f"Here that is --as llm:{str(value).rpartition('/')[2]}, or --as llm:MODEL@URL for another server."
                )
            words = f"{test.name} has no parameter {flag_of(name)}, and `mensura {ctx.info_name}` no such option. {see}"
            raise UnknownName(words)


def nearest_option(ctx: click.Context, name: str, *, own: list[str] | None = None) -> str:
    """Return the nearest right thing to an option as a sentence: here, in another verb, or by another tool's name."""
    flag = flag_of(name)
    known = [*(own or ()), *options_of(ctx.command)]
    # A name of another tool would often be near to something quite different.
    if (ours := OTHER_TOOLS.get(name.lower().lstrip("-").replace("-", "_"))) is not None:
        return f"Here that is {ours}."
    if near := get_close_matches(flag, known, n=2, cutoff=0.7):
        return f"Did you mean {' or '.join(near)}?"
    others = list(_options_of_others(ctx))
    if verbs := [f"`mensura {verb}`" for verb, option in others if option == flag]:
        return f"{flag} is an option of {listed(verbs[:3])}."
    if near := get_close_matches(flag, [option for _, option in others], n=1, cutoff=0.8):
        verb = next(verb for verb, option in others if option == near[0])
        return f"Did you mean {near[0]} of `mensura {verb}`?"
    return ""


def nearest_verb(name: str, known: list[str]) -> str:
    """Return the nearest right thing to a verb that is not there, as a sentence."""
    from mensura.catalog.find import newest

    if (ours := OTHER_VERBS.get(name.lower())) is not None:
        return f"Here that is `mensura {ours}`."
    if newest(name) is not None:
        return f"{name} is a test: `mensura take {name} --as human`, or `mensura run {name} --as chance`."
    if near := get_close_matches(name, known, n=2, cutoff=0.7):
        return f"Did you mean {' or '.join(near)}?"
    if near := get_close_matches(name.lower(), OTHER_VERBS, n=1, cutoff=0.75):
        return f"Did you mean `mensura {OTHER_VERBS[near[0]]}`?"
    return "`mensura help` shows all of them."


def other_kind(what: str, name: str) -> str:
    """Return what a name is where it is not a run, or not a test: the other of the two; empty where it is neither."""
    import re

    from mensura.catalog.find import newest

    if what == "run" and newest(name) is not None:
        return f"{name} is a test: `mensura list {name}` shows it, and `mensura list runs {name}` its runs."
    if what == "test" and re.search(r"-[0-9a-f]{8}$|^last(~\d+)?$", name):
        return f"{name} names a run: `mensura show {name}`."
    return ""


def options_of(command: click.Command) -> list[str]:
    """Return the long options of a verb."""
    return [
        option for one in command.params if isinstance(one, click.Option) for option in one.opts if option[:2] == "--"
    ]


def _options_of_others(ctx: click.Context) -> Iterator[tuple[str, str]]:
    """Yield each verb with each of its options, those of the verbs beneath it too; all verbs are imported for this."""
    from mensura.cli.main import VERBS, cli

    root = ctx.find_root()
    for verb in ("run", *(verb for verb in VERBS if verb != "run")):
        command = cli.get_command(root, verb)
        if command is None or command is ctx.command:
            continue
        yield from ((verb, option) for option in options_of(command))
        if isinstance(command, click.Group):
            for name, beneath in command.commands.items():
                yield from ((f"{verb} {name}", option) for option in options_of(beneath))
