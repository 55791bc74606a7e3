"""Boxes: subjects for tests of the sandbox, made from a few lines of Python."""

import sys
from textwrap import dedent, indent

import numpy as np
import pytest

from mensura.dialogue import Ask, Text
from mensura.subjects.outside.bounds import Bounds
from mensura.subjects.outside.hosted import Hosted
from mensura.subjects.outside.program import Program
from mensura.subjects.sandbox.confinement import BUBBLEWRAP, Confinement
from mensura.subjects.sandbox.sandbox import means_of
from mensura.subjects.source import Source

WORKS = means_of(Confinement()) == BUBBLEWRAP
needs_bubblewrap = pytest.mark.skipif(
    not WORKS, reason="bubblewrap does not work here; `make sandbox` installs it when run as root"
)
# A busy machine takes long to start a process; what is too slow here is meant to be, and has bounds of its own.
PATIENT = Bounds(answer_seconds=120, start_seconds=120)
PLAIN = """
import json, os, sys
for text in sys.stdin:
    if json.loads(text)["type"] == "ask":
        def answer():
{body}
        print(json.dumps({{"answer": answer()}}), flush=True)
"""


def answer_of(folder, body, *, confinement=Confinement(), bounds=PATIENT, name="agent.py", python=sys.executable):
    """Let a program that lies in a folder run a few lines, and give what they return."""
    (folder / name).write_text(PLAIN.format(body=indent(dedent(body).strip(), " " * 12)))
    words = [python, "-S", "-E", name]
    return _asked(Program(words, folder=folder, confinement=confinement, bounds=bounds))


def hosted_answer(folder, body, *, confinement=Confinement()):
    """Let a function in a file of a folder run a few lines, and give what they return."""
    (folder / "mine.py").write_text("import os\n\ndef respond(ask):\n" + indent(dedent(body).strip(), "    ") + "\n")
    return _asked(Hosted(Source.read("mine.py:respond", folder=folder), confinement=confinement, bounds=PATIENT))


def _asked(subject):
    try:
        subject.begin(np.random.default_rng(1))
        return subject(Ask("?", Text()))
    finally:
        subject.close()
