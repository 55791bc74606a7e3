"""Task document: what a task of lm-eval makes of one row: the question, its options, what is right, an example."""

from collections.abc import Mapping
from typing import Any

from mensura.catalog.bank.lm_eval.task import CHOICE, HarnessTask
from mensura.catalog.bank.lm_eval.template import fill, fill_choices, fill_target, fill_text
from mensura.catalog.bank.spaces import TEXT, read_options
from mensura.dialogue import Choice, Item
from mensura.dialogue.spaces.text import storable
from mensura.errors import BadFile


class TaskDocument:
    """One row under a task; `says` is the task's own words, or those for its examples."""

    def __init__(self, task: HarnessTask, row: Mapping[str, Any], says: Mapping[str, Any] | None = None) -> None:
        self.task = task
        self.row = row
        self.says = task.says if says is None else says
        self.of_choices = task.get("doc_to_choice") is not None

    @property
    def text(self) -> str:
        """The question, and how the reply begins where the task says so."""
        return self._asked + self._prefix

    @property
    def description(self) -> str:
        """What is said first of all."""
        return str(fill(self.task.get("description", ""), self.row))

    @property
    def example(self) -> str:
        """The question with what is right, as an example for others."""
        target, answer = self.target, self._prefix
        if target is None or target == "":
            return self.text
        if self.choices and isinstance(target, int):
            target = self.choices[target]
        target = str(target[0] if isinstance(target, list) else target)
        if answer:
            answer += "" if answer[-1].isspace() or target[:1].isspace() else " "
            asked = self._asked
        else:
            asked = self._asked + str(self._say("target_delimiter", " "))
        return asked + answer + target + str(self._say("fewshot_delimiter", "\n\n"))

    @property
    def choices(self) -> list[str]:
        """The options as the task writes them; none where it has none."""
        template = self._say("doc_to_choice", None)
        return [] if template is None else fill_choices(template, self.row)

    @property
    def target(self) -> Any:
        """What is right: a number of an option, a text, or a list of texts of which each is right."""
        return fill_target(self._say("doc_to_target", ""), self.row, choices=self.of_choices)

    def item(self, before: str) -> Item:
        """Make the item, with what stands in front of it."""
        text = self.text
        if not text.strip():
            raise BadFile("The question is empty. Correct `doc_to_text`, or the row.")
        if not storable(before + text):
            raise BadFile("The question holds a character that cannot be stored: NUL, or half of a surrogate pair.")
        if self.task.kind != CHOICE:
            return Item(text, TEXT, self._free_answer(), before=before)
        options = read_options(self.choices)
        place = self._place()
        return Item(text, Choice(options), None if place is None else options[place], before=before)

    def _place(self) -> int | None:
        """Return the number of the right option; None where the row does not tell it, as of a test kept secret."""
        target, choices = self.target, self.choices
        if isinstance(target, list):
            raise BadFile("Several options are right at once, which is not supported. Leave the row out: #bad=skip")
        if target is None or target == "" or target == -1:
            return None
        if isinstance(target, str) and target in choices:
            return choices.index(target)
        if isinstance(target, int) and 0 <= target < len(choices):
            return int(target)
        raise BadFile(f"What is right, {target!r}, is neither an option nor its number. Correct `doc_to_target`.")

    def _free_answer(self) -> Any:
        target = self.target
        if self.choices and isinstance(target, int):
            target = self.choices[target]
        if isinstance(target, list):
            return [str(one) for one in target] or None
        return None if target is None else str(target)

    @property
    def _asked(self) -> str:
        """The question, and a delimiter where the beginning of a reply must be parted from it."""
        asked = fill_text(self._say("doc_to_text", ""), self.row, choices=self.of_choices)
        prefix = self._prefix
        parted = not prefix or not asked or asked[-1].isspace() or prefix[0].isspace()
        return asked if parted else asked + str(self._say("target_delimiter", " "))

    @property
    def _prefix(self) -> str:
        template = self._say("gen_prefix", None)
        return "" if not template else str(fill(template, self.row))

    def _say(self, name: str, default: Any) -> Any:
        found = self.says.get(name)
        return default if found is None else found
