"""The cache key: equal keys mean that a finished execution can stand for a new one."""

from __future__ import annotations

import contextlib
import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

# Part of every key: raise it when the meaning of a key changes.
_KEY_VERSION = 2

_SHOWN_CHARACTERS = 60


@dataclass(frozen=True, kw_only=True)
class CacheKeyParts:
    """Everything that is known before a node runs and that its result depends on.

    The parts are kept beside the execution, so that the next run can say which of them changed.

    Args:
        pipeline_name: The pipeline that the node is in.
        node_id: The node's id.
        node_type: Its stored type name.
        executor: What stands for the executor's code.
        inputs: The ids of the input artifacts: a reused artifact keeps its id, a new one has a
            new id.
        output_types: The type names of the outputs.
        exec_properties: The properties of the run; those whose name begins with an underscore do
            not count.
        source_files: The digests of files outside of artifacts, by path; None for one that cannot
            be read.
        environment: The environment variables of this node alone.
        num_processes: How many processes divide the work, which may change the result. A key of
            one process is what it was before there could be several.
    """

    pipeline_name: str
    node_id: str
    node_type: str
    executor: Mapping[str, Any]
    inputs: Mapping[str, Sequence[int]]
    output_types: Mapping[str, str]
    exec_properties: Mapping[str, Any]
    source_files: Mapping[str, str | None]
    environment: Mapping[str, str]
    num_processes: int = 1

    def to_json(self) -> dict[str, Any]:
        """The parts as JSON holds them, without what does not count."""
        counted: dict[str, Any] = {
            "pipeline": self.pipeline_name,
            "node": self.node_id,
            "type": self.node_type,
            "executor": self.executor,
            "inputs": {key: list(ids) for key, ids in self.inputs.items() if ids},
            "outputs": self.output_types,
            "exec_properties": {
                name: value
                for name, value in self.exec_properties.items()
                if value is not None and not name.startswith("_")
            },
            "source_files": self.source_files,
            # As digests: a variable may hold a secret.
            "environment": {name: _digest(value) for name, value in self.environment.items()},
        }
        if self.num_processes > 1:
            counted["processes"] = self.num_processes
        decoded: dict[str, Any] = json.loads(json.dumps(counted, default=str))
        return decoded

    def key(self) -> str:
        """The digest of all parts."""
        return _digest(json.dumps({"version": _KEY_VERSION, **self.to_json()}, sort_keys=True))


def describe_changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What differs between two sets of parts (as JSON), each difference in a few words.

    >>> describe_changes({"exec_properties": {"steps": 1}}, {"exec_properties": {"steps": 2}})
    ['property steps changed from 1 to 2']
    """
    return [
        *_changes(before, now, "inputs", _describe_input),
        *_changes(before, now, "exec_properties", _describe_property),
        *_changes(before, now, "source_files", _describe_file),
        *_changes(before, now, "environment", _describe_variable),
        *_changes(before, now, "outputs", _describe_output),
        *(["the code of its executor changed"] if _differ(before, now, "executor") else []),
        *_changed_processes(before.get("processes", 1), now.get("processes", 1)),
        *(["its component type changed"] if _differ(before, now, "type") else []),
    ]


def field_differences(was: Any, is_now: Any) -> list[tuple[str, Any, Any]]:
    """Where two values that hold fields, as protos do, differ: the path, the old value, the new.

    Empty if one of them holds none, or if they only differ in how they are written.

    >>> field_differences('{"specs": [{"bound": 0.6}]}', '{"specs": [{"bound": 0.7}]}')
    [('specs[0].bound', 0.6, 0.7)]
    """
    old, new = _as_object(was), _as_object(is_now)
    return list(_differing_fields(old, new)) if old and new else []


def _as_object(value: Any) -> dict[str, Any] | None:
    """A property that holds fields: in a dict or in JSON."""
    if isinstance(value, str) and value.startswith("{"):
        with contextlib.suppress(ValueError):
            value = json.loads(value)
    return value if isinstance(value, dict) else None


def _differing_fields(old: Any, new: Any, path: str = "") -> Iterator[tuple[str, Any, Any]]:
    if isinstance(old, dict) and isinstance(new, dict):
        for name in [*new, *(name for name in old if name not in new)]:
            if old.get(name) != new.get(name):
                inside = f"{path}.{name}" if path else name
                yield from _differing_fields(old.get(name), new.get(name), inside)
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for number, (before, now) in enumerate(zip(old, new, strict=True)):
            if before != now:
                yield from _differing_fields(before, now, f"{path}[{number}]")
    else:
        yield path, old, new


_ABSENT = object()


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _changes(
    before: Mapping[str, Any], now: Mapping[str, Any], part: str, describe: Any
) -> Iterator[str]:
    old, new = before.get(part) or {}, now.get(part) or {}
    for name in [*new, *(name for name in old if name not in new)]:
        was, is_now = old.get(name, _ABSENT), new.get(name, _ABSENT)
        if was != is_now:
            yield describe(name, was, is_now)


def _differ(before: Mapping[str, Any], now: Mapping[str, Any], part: str) -> bool:
    return before.get(part) != now.get(part)


def _changed_processes(was: int, is_now: int) -> list[str]:
    return [f"its number of processes changed from {was} to {is_now}"] if was != is_now else []


def _describe_input(key: str, was: Any, is_now: Any) -> str:
    if was is _ABSENT:
        return f"input {key} is new"
    if is_now is _ABSENT:
        return f"input {key} is empty now"
    old, new = (", ".join(map(str, ids)) for ids in (was, is_now))
    return f"input {key} changed (artifact {new} instead of {old})"


def _describe_property(name: str, was: Any, is_now: Any) -> str:
    if was is _ABSENT:
        return f"property {name} is set to {_shown(is_now)} now"
    if is_now is _ABSENT:
        return f"property {name} is no longer set"
    fields = [
        f"{path} from {_shown(old)} to {_shown(new)}"
        for path, old, new in field_differences(was, is_now)
    ]
    if fields:
        return f"property {name} changed ({', '.join(fields)})"
    return f"property {name} changed from {_shown(was)} to {_shown(is_now)}"


def _describe_file(path: str, was: Any, is_now: Any) -> str:
    if was is _ABSENT:
        return f"file {path} is new"
    if is_now is _ABSENT:
        return f"file {path} is not read any more"
    return f"file {path} " + ("is gone" if is_now is None else "changed")


def _describe_variable(name: str, was: Any, is_now: Any) -> str:
    return f"environment variable {name} " + ("is new" if was is _ABSENT else "changed")


def _describe_output(key: str, was: Any, is_now: Any) -> str:
    if was is _ABSENT or is_now is _ABSENT:
        return f"output {key} " + ("is new" if was is _ABSENT else "is no longer made")
    return f"output {key} changed its type from {was} to {is_now}"


def _shown(value: Any) -> str:
    """A value in a line of text, and only the beginning of a long one."""
    text = value if isinstance(value, str) else json.dumps(value)
    text = " ".join(text.split())
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}..."
