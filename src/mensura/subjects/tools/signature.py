"""Signature: a typed Python function as something that a model can call, and its arguments checked before it is."""

import inspect
import json
from collections.abc import Callable, Mapping
from typing import Any, get_type_hints

from mensura.errors import BadParameter
from mensura.subjects.model.request import Function

PLAIN = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)


class Signature:
    """A function with a type for each of its parameters.

    Examples
    --------
    >>> def add(first: int, second: int = 1) -> int:
    ...     "Add two numbers."
    ...     return first + second
    >>> signature = Signature(add)
    >>> signature.function.name, signature.function.about, signature.function.schema["required"]
    ('add', 'Add two numbers.', ['first'])
    >>> signature.check({"first": 2})
    {'first': 2, 'second': 1}
    """

    def __init__(self, called: Callable[..., Any]) -> None:
        if not inspect.isroutine(called):
            raise BadParameter(f"A tool is a function with a type for each parameter; got {called!r:.80}.")
        self.called = called
        self.name = called.__name__
        self._model = _model(called, self.name)
        schema = self._model.model_json_schema()
        self.function = Function(self.name, inspect.getdoc(called) or "", _untitled(schema))

    def check(self, arguments: Mapping[str, Any]) -> dict[str, Any]:
        """Return the arguments as the function takes them.

        Raises
        ------
        ValueError
            Where they do not fit; the message says which, and why.
        """
        from pydantic import ValidationError

        try:
            checked = self._model.model_validate(dict(arguments))
        except ValidationError as error:
            wrong = "; ".join(
                f"{'.'.join(map(str, each['loc'])) or 'arguments'}: {each['msg']}" for each in error.errors()[:5]
            )
            raise ValueError(f"The arguments of {self.name} do not fit: {wrong}.") from None
        return {name: getattr(checked, name) for name in type(checked).model_fields}


def signatures_of(thing: Any) -> dict[str, Signature]:
    """Return the signatures of a function, or of each in a list, by name."""
    found = [Signature(each) for each in (thing if isinstance(thing, (list, tuple)) else [thing])]
    if not found:
        raise BadParameter("The list of tools is empty; expected a list of functions.")
    names = [each.name for each in found]
    if twice := [name for name in names if names.count(name) > 1]:
        raise BadParameter(f"Two tools are called {twice[0]!r}; rename one.")
    return dict(zip(names, found, strict=True))


def in_words(result: Any) -> str:
    """Write what a function returned: text as it is, all else as JSON where it is some.

    >>> in_words({"a": 1}), in_words("a"), in_words(1 + 2j)
    ('{"a": 1}', 'a', '(1+2j)')
    """
    if isinstance(result, str):
        return result
    try:
        return json.dumps(result, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        return str(result)


def _model(called: Callable[..., Any], name: str) -> Any:
    from pydantic import ConfigDict, create_model
    from pydantic.errors import PydanticUserError

    try:
        hints = get_type_hints(called, include_extras=True)
        fields: dict[str, Any] = {}
        for parameter in inspect.signature(called).parameters.values():
            if parameter.kind not in PLAIN or parameter.name not in hints:
                raise BadParameter(f"The tool {name} must say the type of {parameter}: def {name}(number: int) -> str")
            given = ... if parameter.default is parameter.empty else parameter.default
            fields[parameter.name] = (hints[parameter.name], given)
        return create_model(name, __config__=ConfigDict(extra="forbid", arbitrary_types_allowed=False), **fields)
    except (NameError, TypeError, ValueError, PydanticUserError) as error:
        raise BadParameter(f"The types of the tool {name} cannot be read: {error}") from None


def _untitled(schema: Any, *, names: bool = False) -> Any:
    """Leave out the titles, which only repeat names; a parameter may be called title itself."""
    if isinstance(schema, list):
        return [_untitled(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    return {
        key: _untitled(part, names=key in ("properties", "$defs") and not names)
        for key, part in schema.items()
        if names or key != "title" or not isinstance(part, str)
    }
