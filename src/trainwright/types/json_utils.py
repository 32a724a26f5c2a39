"""JSON for what users put into `custom_config`: plain values, protos, classes and Jsonables.

The written form is TFX's: sorted keys, and for anything that JSON does not know a dict with
`__tfx_object_type__`, `__module__` and `__class__`.
"""

from __future__ import annotations

import importlib
import json
from typing import Any

from google.protobuf.message import Message

from trainwright.proto import proto_json
from trainwright.types.placeholder import Placeholder

_OBJECT_TYPE = "__tfx_object_type__"
_MODULE = "__module__"
_CLASS = "__class__"
_PROTO_VALUE = "__proto_value__"


class Jsonable:
    """An object that says itself how it becomes a JSON dict and back."""

    def to_json_dict(self) -> dict[str, Any]:
        return dict(self.__dict__)

    @classmethod
    def from_json_dict(cls, dict_data: dict[str, Any]) -> Any:
        instance = cls.__new__(cls)
        instance.__dict__ = dict_data
        return instance


JsonableType = bool | bytes | float | int | str | Jsonable | Message | type | None


class _Encoder(json.JSONEncoder):
    def default(self, o: Any) -> Any:
        if isinstance(o, Jsonable):
            return {**_describe(type(o), "jsonable"), **o.to_json_dict()}
        if isinstance(o, type):
            return _describe(o, "class")
        if isinstance(o, Message):
            described = _describe(type(o), "proto")
            described[_PROTO_VALUE] = proto_json.proto_to_json(o)
            return described
        if isinstance(o, Placeholder):
            raise TypeError(
                f"{o} is known only when the pipeline runs, so it cannot be part of a dict that is "
                "written as JSON now. Give it a parameter of its own."
            )
        return super().default(o)


def _describe(cls: type, object_type: str) -> dict[str, Any]:
    return {_OBJECT_TYPE: object_type, _MODULE: cls.__module__, _CLASS: cls.__name__}


def dumps(value: Any) -> str:
    """Serializes with sorted keys, so that equal values give equal text.

    >>> dumps({"b": 1, "a": None})
    '{"a": null, "b": 1}'
    """
    return json.dumps(value, cls=_Encoder, sort_keys=True)


def loads(text: str) -> Any:
    """The inverse of `dumps`.

    Only protos, classes and Jsonables are rebuilt: a text cannot call anything else.
    """
    return json.loads(text, object_hook=_rebuild)


def _rebuild(data: dict[str, Any]) -> Any:
    if _OBJECT_TYPE not in data:
        return data
    object_type = data.pop(_OBJECT_TYPE)
    module_name, class_name = data.pop(_MODULE), data.pop(_CLASS)
    cls = getattr(importlib.import_module(module_name), class_name)
    if not isinstance(cls, type):
        raise ValueError(f"Cannot rebuild {module_name}.{class_name} from JSON: it is no class.")
    if object_type == "class":
        return cls
    if object_type == "proto" and issubclass(cls, Message):
        return proto_json.json_to_proto(data[_PROTO_VALUE], cls())
    if object_type == "jsonable" and issubclass(cls, Jsonable):
        return cls.from_json_dict(data)
    raise ValueError(f"Cannot rebuild a {object_type} of {module_name}.{class_name} from JSON.")
