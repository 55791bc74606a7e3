"""Grading: lm-eval's exact match, after its stop sequences and filters; a pure function of reply and target."""

import re
import string
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mensura.errors import BadFile

PASSED = ("metric", "aggregation", "higher_is_better", "weight_by_size")
SWITCHES = ("ignore_case", "ignore_punctuation", "ignore_numbers")
FIXED: Mapping[str, Callable[[str], str]] = {
    "take_first": lambda text: text,
    "remove_whitespace": str.strip,
    "lowercase": str.lower,
    "uppercase": str.upper,
}
"""Filters without settings. Each item is asked once in a dialogue, so the first reply is the reply."""


@dataclass(frozen=True)
class RegexFilter:
    """Find a pattern in a text, as lm-eval's filter `regex` does."""

    regex_pattern: str = r"#### (\-?[0-9\.\,]+)"
    group_select: int = 0
    fallback: str = "[invalid]"

    def __post_init__(self) -> None:
        try:
            re.compile(self.regex_pattern)
        except (re.error, TypeError) as error:
            raise BadFile(f"{self.regex_pattern!r} is not a regular expression: {error}.") from None

    def __call__(self, text: str) -> str:
        """Return the match that `group_select` names, of a pattern with groups the first that is not empty.

        >>> RegexFilter(r"(\\d+) apples|(\\d+) pears", -1)("3 apples, 4 pears")
        '4'
        """
        matches = re.findall(self.regex_pattern, text)
        if not -len(matches) <= self.group_select < len(matches):
            return self.fallback
        match = matches[self.group_select]
        if isinstance(match, tuple):
            match = next(filter(None, match), self.fallback)
        return str(match).strip()


@dataclass(frozen=True)
class Grading:
    """What happens to a reply before it is compared, and what a comparison passes over."""

    filters: Mapping[str, Sequence[RegexFilter | str]]
    until: Sequence[str] = ()
    ignored: Sequence[str] = ()
    """Regular expressions that are taken out of both sides."""
    switches: frozenset[str] = frozenset()

    @classmethod
    def read(cls, *, filters: Any, metric: Mapping[str, Any], until: Sequence[Any]) -> "Grading":
        """Read `filter_list`, the entry of `metric_list` and the stop sequences; refuse other filters by name."""
        for key in metric:
            if key not in (*PASSED, "regexes_to_ignore", *SWITCHES):
                raise BadFile(f"The setting {key} of {metric.get('metric')} is not supported. Leave it out.")
        read = {str(one.get("name")): [_filter(part) for part in one.get("filter", [])] for one in filters}
        return cls(
            read or {"none": ["take_first"]},
            tuple(str(stop) for stop in until if stop),
            tuple(metric.get("regexes_to_ignore") or ()),
            frozenset(switch for switch in SWITCHES if metric.get(switch)),
        )

    def grade(self, reply: str, targets: str | Sequence[str]) -> dict[str, float]:
        """Return for each filter 1 where a reply is what is right, else 0; of several targets one is enough.

        >>> number = Grading({"last": [RegexFilter(r"(\\d+)", -1)]}, until=["Q:"], ignored=[","])
        >>> number.grade("3 + 4 makes 7. Q: 5 + 5?", "7")
        {'last': 1.0}
        """
        wanted = {self._compared(one) for one in ([targets] if isinstance(targets, str) else targets)}
        return {name: float(self._compared(self.filtered(reply, name)) in wanted) for name in self.filters}

    def filtered(self, reply: str, name: str) -> str:
        """Return what a filter makes of a reply that ends at the first stop sequence."""
        for stop in self.until:
            reply = reply.split(stop)[0]
        for one in self.filters[name]:
            reply = FIXED[one](reply) if isinstance(one, str) else one(reply)
        return reply

    def _compared(self, text: str) -> str:
        for pattern in self.ignored:
            text = re.sub(pattern, "", text)
        if "ignore_case" in self.switches:
            text = text.lower()
        for switch, signs in (("ignore_punctuation", string.punctuation), ("ignore_numbers", string.digits)):
            if switch in self.switches:
                text = text.translate(str.maketrans("", "", signs))
        return text


def _filter(part: Mapping[str, Any]) -> RegexFilter | str:
    given = {key: value for key, value in part.items() if key != "function"}
    name = str(part.get("function"))
    if name == "regex":
        try:
            return RegexFilter(**given)
        except TypeError:
            raise BadFile(f"The filter regex is not supported with {', '.join(given)}. Leave that out.") from None
    if name not in FIXED or given:
        raise BadFile(f"The filter {name} is not supported, only regex, {', '.join(FIXED)}. Run it with lm-eval.")
    return name
