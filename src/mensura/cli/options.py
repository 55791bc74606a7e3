"""Options that several verbs share."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from functools import wraps
from typing import TYPE_CHECKING, Any

import click

from mensura.cli.completion import complete_subject
from mensura.console import json_option, say
from mensura.dialogue.parameters import Bare
from mensura.errors import BadParameter, unknown
from mensura.languages import check_language
from mensura.stats.wording import listed

if TYPE_CHECKING:
    from mensura.store import Store

Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]

store_option: Decorator = click.option(
    "--store",
    envvar="MENSURA_STORE",
    default=None,
    metavar="URL",
    help="Where records are kept: a file or a postgresql:// URL.  [default: mensura.db, or $MENSURA_STORE]",
)
language_option: Decorator = click.option(
    "--language",
    default="",
    callback=lambda context, parameter, value: check_language(value),
    help="Language of the pages, such as de; without it what the plan says, else what each browser asks for.",
)
seed_option: Decorator = click.option(
    "--seed", type=int, default=None, help="Make it repeatable; the results then say that the seed is public."
)
as_option: Decorator = click.option(
    "--as",
    "subjects",
    multiple=True,
    metavar="SUBJECT",
    shell_complete=complete_subject,
    help="Who takes it: chance, terminal, human, a reference subject of the test, ./mine.py:respond, "
    "'program:node agent.js', tcp://HOST:PORT, http://..., llm:MODEL@URL, recorded:FILE, 'team:mean(A,B)', "
    "'assisted:A+B', 'solve:cot(A)'. For a test with several roles: --as ROLE=SUBJECT once per role; "
    "a subject without a role plays all others.",
)
generalise_option: Decorator = click.option(
    "--generalise",
    default=None,
    metavar="POPULATION",
    help="What the intervals speak of: these-items, items, sessions, courses or people (items+sessions and "
    "people+items cross two).  [default: what the items, sessions and subjects suggest; it is printed]",
)
trace_option: Decorator = click.option(
    "--trace",
    type=click.Choice(["none", "summary", "full"]),
    default=None,
    help="What is stored: full (with prompts), summary (answers, enough to resume), none (scores only).  "
    "[default: full, or the batch form where test and subject have one]",
)
reduce_option: Decorator = click.option(
    "--reduce",
    default=None,
    metavar="NAME",
    help="What makes one number of all answers to an item of a bank: mean, majority, pass@K or at-least@K.  "
    "[default: what the run was begun with, else mean]",
)
setting_option: Decorator = click.option(
    "--setting", default=None, help="A registered condition of the test; `mensura list TEST` shows them."
)

SANDBOX_OPTIONS = (
    click.option(
        "--sandbox",
        type=click.Choice(["auto", "on", "off"]),
        is_flag=False,
        flag_value="on",
        default="auto",
        help="Where programs and files run: auto (in a sandbox where one works), on (in one or not at all; --sandbox "
        "alone says this too), off. In a sandbox a subject sees its own folder, less the store, its key and the test, "
        "and has no network.  [default: auto]",
    ),
    click.option(
        "--allow",
        multiple=True,
        type=click.Path(),
        help="Let programs and files read this file or folder too: --allow ~/models. May be repeated.",
    ),
    click.option("--network", is_flag=True, help="Let programs and files use the network, say to reach a model."),
    click.option("--gpu", is_flag=True, help="Let programs and files use the graphics cards."),
    click.option(
        "--pass-env",
        multiple=True,
        metavar="NAME",
        help="Pass programs and files this environment variable besides PATH, LANG and HOME: --pass-env OPENAI_API_KEY."
        " May be repeated.",
    ),
)


def reading(command: Callable[..., Any]) -> Callable[..., Any]:
    """Add to a verb the options of all verbs that read a store: --store and --json."""
    return store_option(json_option(command))


def opened(store: str | None) -> "Store":
    """Open the store that a verb was given, until the verb is over."""
    from mensura.store import open_store

    kept = click.get_current_context().with_resource(open_store(store))
    if kept.database.migrated:
        say(
            f"The store {kept.database.place.shown} was written by an older Mensura. It was brought up to date, "
            "everything in it was kept, and older versions can no longer open it."
        )
    return kept


def confining(command: Callable[..., Any]) -> Callable[..., Any]:
    """Let a verb take `confinement`, what programs and files may see and reach, from five options."""

    @wraps(command)
    def confined(
        *arguments: Any,
        sandbox: Any,
        allow: tuple[str, ...],
        network: bool,
        gpu: bool,
        pass_env: tuple[str, ...],
        **given: Any,
    ) -> Any:
        from mensura.subjects.sandbox.confinement import Confinement

        confinement = Confinement(sandbox, tuple(allow), network, gpu, tuple(pass_env))
        return command(*arguments, confinement=confinement, **given)

    for option in reversed(SANDBOX_OPTIONS):
        confined = option(confined)
    return confined


def limiting(command: Callable[..., Any]) -> Callable[..., Any]:
    """Let a verb take `limits`, how long subjects may take, from two options."""

    @click.option("--answer-seconds", default=60.0, show_default=True, help="Longest wait for one answer of a program.")
    @click.option("--session-seconds", default=None, type=float, help="Longest session of a program.")
    @wraps(command)
    def limited(*arguments: Any, answer_seconds: float, session_seconds: float | None, **given: Any) -> Any:
        from mensura.dialogue import Limits

        limits = Limits(answer_seconds=answer_seconds, session_seconds=session_seconds)
        return command(*arguments, limits=limits, **given)

    return limited


concurrency_option: Decorator = click.option(
    "--concurrency",
    type=click.IntRange(1),
    default=None,
    help="How many sessions at once in this process, for language models and other subjects that are waited for; "
    "fewer while an endpoint reports that its rate limit is reached.",
)


def paying(command: Callable[..., Any]) -> Callable[..., Any]:
    """Let a verb take `spending`, how language models are paid, from four options; `sessions` are the epochs."""

    @click.option(
        "--max-cost",
        type=click.FloatRange(0, min_open=True),
        default=None,
        help="Stop before the cost exceeds this, in the unit of the prices; earlier parts of a run count.",
    )
    @click.option(
        "--cache",
        default=None,
        metavar="WHERE",
        help="Take answers that were paid for before from a cache: on, a FOLDER, or epochs (or epochs:FOLDER) where "
        "each item is asked several times.  [default: off]",
    )
    @click.option(
        "--batch",
        type=click.FloatRange(1),
        is_flag=False,
        flag_value=60.0,
        default=None,
        metavar="SECONDS",
        help="Hand all requests in together, by the batch interface of OpenAI or Anthropic, and look for the answers "
        "every SECONDS seconds (60 unless given); slower, and often cheaper.",
    )
    @click.option(
        "--no-probe",
        is_flag=True,
        help="Do not ask language models before the run whether they are there. Those that are not in their server's "
        "list of models are asked for one word, which is paid and counted.",
    )
    @wraps(command)
    def paid(
        *arguments: Any,
        max_cost: float | None,
        cache: str | None,
        batch: float | None,
        no_probe: bool,
        **given: Any,
    ) -> Any:
        from mensura.subjects.model.cost.spending import Spending

        spending = Spending.read(cache=cache, sessions=given.get("sessions", 1), most=max_cost)
        spending = replace(spending, batch=batch, probe=not no_probe)
        return command(*arguments, spending=spending, **given)

    return paid


# A test's own parameters are flags too (--flips 40), so unknown options are collected, not refused.
OPEN = {"ignore_unknown_options": True, "allow_extra_args": True}


def read_flags(arguments: Sequence[str]) -> dict[str, str]:
    """Read `--flips 40 --named=yes` into parameters; a flag without a value says yes.

    >>> read_flags(["--flips", "40", "--adaptive", "--step-cost=2"])
    {'flips': '40', 'adaptive': 'yes', 'step_cost': '2'}
    """
    flags: dict[str, str] = {}
    left = list(arguments)
    while left:
        word = left.pop(0)
        if not word.startswith("--"):
            raise BadParameter(
                f"{word!r} is not understood: who takes a test is given by --as SUBJECT, parameters by --NAME VALUE."
            )
        name, equals, value = word[2:].partition("=")
        if not equals:
            value = left.pop(0) if left and not left[0].startswith("--") else Bare("yes")
        flags[name.replace("-", "_")] = value
    return flags


def read_conditions(given: Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Read `--where tag=easy --where group=physics`.

    >>> read_conditions(["tag=easy", "tag=short"])
    (('tag', 'easy'), ('tag', 'short'))
    """
    conditions = []
    for each in given:
        name, equals, value = each.partition("=")
        if not equals:
            raise BadParameter(f"--where takes NAME=VALUE, as in --where tag=easy; got {each!r}.")
        conditions.append((name, value))
    return tuple(conditions)


def read_cast(
    subjects: Sequence[str], roles: Sequence[str], *, played: Collection[str] = (), test: str = "The test"
) -> str | dict[str, str]:
    """Read `--as X`, or `--as ROLE=X` for each role; with both, X plays the roles that are not named.

    The roles that the test plays itself keep whom it plays them by, unless they are named.

    >>> read_cast(["chance"], ["subject"]), read_cast(["first=chance", "second=defect"], ["first", "second"])
    ('chance', {'first': 'chance', 'second': 'defect'})
    >>> read_cast(["defect", "second=human"], ["first", "second"])
    {'first': 'defect', 'second': 'human'}
    """
    if not subjects:
        raise BadParameter("Say who takes the test: --as chance, or another subject that `mensura take --help` shows.")
    if len(subjects) > 1 and len(roles) == 1:
        raise BadParameter(
            f"{test} has one role. Run each subject by itself with the same --seed, then `mensura report last~1 last`."
        )
    named: dict[str, str] = {}
    for subject in subjects:
        role, equals, name = subject.partition("=")
        if equals and role in named:
            raise BadParameter(f"The role {role} is given to both {named[role]} and {name}; name it once.")
        if equals and role in roles:
            named[role] = name
        elif equals and role.isidentifier():
            raise unknown("role", role, known=roles, see=f"Roles are {', '.join(roles)}.")
    if named and len(named) == len(subjects):
        return named
    if named and len(named) == len(subjects) - 1:
        rest = next(subject for subject in subjects if subject.partition("=")[0] not in named)
        return {role: named.get(role, rest) for role in roles if role in named or role not in played}
    if len(subjects) > 1:
        raise BadParameter(f"Say which role each subject plays: --as ROLE=SUBJECT. The roles are {listed(roles)}.")
    return subjects[0]


def read_control(given: Sequence[str], roles: Sequence[str]) -> dict[str, str]:
    """Read `--control ROLE=SUBJECT`.

    >>> read_control(["machine=recorded:b.jsonl"], ["judge", "machine"])
    {'machine': 'recorded:b.jsonl'}
    """
    read = {}
    for one in given:
        role, equals, name = one.partition("=")
        if not equals or not name:
            raise BadParameter(f"--control takes ROLE=SUBJECT, as in --control machine=recorded:b.jsonl; got {one!r}.")
        if role not in roles:
            raise unknown("role", role, known=roles, see=f"Roles are {', '.join(roles)}.")
        read[role] = name
    return read
