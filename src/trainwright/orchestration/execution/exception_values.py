"""The plain values of an exception, as they travel from a node's process to the runner's.

They are JSON, so that nothing is unpickled: arguments and attributes that are numbers, strings,
bytes, paths, None, and lists, tuples and dicts of those. Whatever else an exception
holds stays behind, and so does what is large.
"""

from __future__ import annotations

import contextlib
import itertools
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from trainwright.processes.frame import encode_json

_SCALARS = (str, int, float, bool, type(None))
# JSON has one kind of sequence and text only: an object with one of these keys stands for the rest.
_TUPLE, _BYTES, _PATH, _DICT = "tuple", "bytes", "path", "dict"
# In all, as it is sent: what is longer than `failures.py` allows would be lost whole.
_MOST_CHARACTERS = 48 * 1024
_MOST_VALUES = 1000
_MOST_ATTRIBUTES = 100
_UNICODE = ("encoding", "object", "start", "end", "reason")
# What Python keeps beside an exception's __dict__. Not what its way of printing a traceback reads:
# `name` of a NameError gets suggestions added that come from the wrong process.
_DOCUMENTED: Mapping[type[BaseException], tuple[str, ...]] = {
    OSError: ("errno", "strerror", "filename", "filename2"),
    UnicodeDecodeError: _UNICODE,
    UnicodeEncodeError: _UNICODE,
    UnicodeTranslateError: _UNICODE[1:],
    ImportError: ("name", "path"),
}


class _NotPlainError(ValueError):
    """A value that stays behind."""


def encode_arguments(error: BaseException) -> str:
    """The arguments, or nothing if one of them is not a plain value."""
    arguments = vars(BaseException)["args"].__get__(error)  # a class of the user's may hide them
    return _encode(arguments) or ""


def encode_attributes(error: BaseException) -> str:
    """Those attributes that are plain values; empty if there are none."""
    encoded: dict[str, str] = {}
    size = 0
    with contextlib.suppress(Exception):  # whatever a class of the user's makes of its attributes
        for name, value in itertools.islice(_attributes(error), _MOST_ATTRIBUTES):
            text = _encode(value)
            length = len(encode_json({name: text}))
            if text is not None and size + length <= _MOST_CHARACTERS:
                encoded[name] = text
                size += length
    return encode_json(encoded) if encoded else ""


def decode_arguments(text: str) -> tuple[Any, ...] | None:
    """The arguments again; None if they did not travel."""
    arguments = _decode(text)
    return arguments if isinstance(arguments, tuple) else None


def decode_attributes(text: str) -> dict[str, Any]:
    try:
        encoded = json.loads(text) if text else {}
        return {name: _decode(value) for name, value in encoded.items()}
    except (ValueError, AttributeError, RecursionError):  # not what a worker sends
        return {}


def _attributes(error: BaseException) -> Iterator[tuple[str, Any]]:
    for class_, names in _DOCUMENTED.items():
        if isinstance(error, class_):
            values = {name: getattr(error, name, None) for name in names}
            # Set to None they are another thing than not set: an OSError shows them.
            yield from ((name, value) for name, value in values.items() if value is not None)
    yield from ((name, value) for name, value in vars(error).items() if not name.startswith("__"))


def _encode(value: Any) -> str | None:
    try:
        text = encode_json(_to_json(value, itertools.count()))
    except Exception:  # not plain, or one of Python's limits
        return None
    return text if len(text) <= _MOST_CHARACTERS else None


def _to_json(value: Any, counter: Iterator[int]) -> Any:
    """The value in JSON's types. Subclasses are not plain: what they add would be lost."""
    kind = type(value)
    if next(counter) > _MOST_VALUES or (kind in (str, bytes) and len(value) > _MOST_CHARACTERS):
        raise _NotPlainError
    if kind in _SCALARS:
        return value
    if kind is bytes:
        return {_BYTES: value.hex()}
    if kind is type(Path()):
        return {_PATH: str(value)}
    if kind in (list, tuple):
        items = [_to_json(item, counter) for item in value]
        return items if kind is list else {_TUPLE: items}
    if kind is dict and all(type(key) is str for key in value):
        return {_DICT: {key: _to_json(item, counter) for key, item in value.items()}}
    raise _NotPlainError


def _decode(text: str) -> Any:
    """The value again; None for what `_encode` did not write."""
    try:
        return _from_json(json.loads(text))
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None


def _from_json(value: Any) -> Any:
    if isinstance(value, list):
        return [_from_json(item) for item in value]
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    if kind == _BYTES:
        return bytes.fromhex(content)
    if kind == _PATH:
        return Path(content)
    if kind == _TUPLE:
        return tuple(_from_json(item) for item in content)
    return {name: _from_json(item) for name, item in content.items()}
