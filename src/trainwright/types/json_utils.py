"""JSON for what users put into `custom_config`: plain values, protos, classes and Jsonables.

The written form is TFX's: sorted keys, and for anything that JSON does not know a dict with
`__tfx_object_type__`, `__module__` and `__class__`.
"""

from __future__ import annotations

import importlib
import json
import sys
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from pathlib import Path
from types import ModuleType
from typing import Any, Union

from google.protobuf.message import Message

from trainwright._deprecation import get_first_nondeprecated_class
from trainwright.proto import proto_json

_OBJECT_TYPE = "__tfx_object_type__"
_MODULE = "__module__"
_CLASS = "__class__"
_PROTO_VALUE = "__proto_value__"

# Messages are written under the module that TFX's users import them from, so that TFX reads what is
# written here and the other way round.
_PUBLIC_PROTOS = {
    "trainwright.proto.mlmd.": "ml_metadata.proto.",
    "trainwright.proto.tfma.": "tensorflow_model_analysis.proto.",
    "trainwright.proto.": "tfx.proto.",
}

# Finds the runtime parameters inside a JSON string, which may itself be a string of another one.
RUNTIME_PARAMETER_PATTERN = r'({\\*"__class__\\*": \\*"RuntimeParameter\\*", .*?})'


class Jsonable:
    """An object that says itself how it becomes a JSON dict and back.

    Without methods of its own it is written as its attributes, and read back without a call of
    `__init__`.

    >>> class Schedule(Jsonable):
    ...     def __init__(self, rate):
    ...         self.rate = rate
    >>> Schedule(0.1).to_json_dict()
    {'rate': 0.1}
    """

    def to_json_dict(self) -> dict[str, Any]:
        return dict(self.__dict__)

    @classmethod
    def from_json_dict(cls, dict_data: dict[str, Any]) -> Any:
        instance = cls.__new__(cls)
        instance.__dict__ = dict_data
        return instance


# Plain values are what JSON itself can hold; jsonable ones are all that `dumps` takes. As typing's
# unions, because annotations that name each other cannot be written with `|`.
JsonValue = Union[None, bool, float, int, str, "JsonDict", "JsonList"]
JsonDict = Mapping[str, JsonValue]
JsonList = Sequence[JsonValue]
JsonableValue = Union[JsonValue, Jsonable, Message, type, "JsonableDict", "JsonableList"]
JsonableDict = Mapping[str, JsonableValue]
JsonableList = Sequence[JsonableValue]
JsonableType = JsonableValue


class _Encoder(json.JSONEncoder):
    def encode(self, o: Any) -> str:
        return _parameter_text(o) if _is_text_parameter(o) else super().encode(o)

    def default(self, o: Any) -> Any:
        if _is_text_parameter(o):
            return _parameter_text(o)
        if isinstance(o, Jsonable):
            return _described_jsonable(o)
        if isinstance(o, type):
            return _describe(get_first_nondeprecated_class(o), "class")
        if isinstance(o, Message):
            described = _describe(type(o), "proto")
            described[_PROTO_VALUE] = proto_json.proto_to_json(o)
            return described
        _refuse_placeholder(o)
        return super().default(o)


def _refuse_placeholder(value: object) -> None:
    from trainwright.types.placeholders.placeholder import Placeholder  # which is Jsonable's user

    if isinstance(value, Placeholder):
        raise TypeError(
            f"{value} is known only when the pipeline runs, so it cannot be part of a dict that is "
            "written as JSON now. Give it a parameter of its own."
        )


def _is_text_parameter(value: object) -> bool:
    """Whether this is a runtime parameter that stands for a string.

    It is written as a string, not as a dict, so that what takes its place when the pipeline runs
    is one, too. Asked by name: RuntimeParameter is a Jsonable and imports this module.
    """
    return (
        type(value).__name__ == "RuntimeParameter"
        and isinstance(value, Jsonable)
        and getattr(value, "ptype", None) is str
    )


def _parameter_text(parameter: Any) -> str:
    return dumps({**_describe(type(parameter), "jsonable"), **parameter.to_json_dict()})


def _described_jsonable(value: Jsonable) -> dict[str, Any]:
    return {**_describe(type(value), "jsonable"), **value.to_json_dict()}


def _describe(cls: type, object_type: str) -> dict[str, Any]:
    module = cls.__module__
    if issubclass(cls, Message):
        for ours, public in _PUBLIC_PROTOS.items():
            if module.startswith(ours):
                module = public + module.removeprefix(ours)
    return {_OBJECT_TYPE: object_type, _MODULE: module, _CLASS: cls.__name__}


def dumps(obj: Any) -> str:
    """Serializes with sorted keys, so that equal values give equal text.

    >>> dumps({"b": 1, "a": None})
    '{"a": null, "b": 1}'
    """
    return json.dumps(obj, cls=_Encoder, sort_keys=True)


def loads(s: str) -> Any:
    """The inverse of `dumps`.

    Only protos, classes and Jsonables are rebuilt: a string cannot call anything else.
    """
    return json.loads(s, object_hook=_rebuild)


# Whether the text that is being read may have modules imported.
_may_import: ContextVar[bool] = ContextVar("_may_import", default=True)
_OUR_ROOT = Path(__file__).parents[2]
_OUR_PACKAGES = ("tfx", "trainwright")
_MESSAGE_PACKAGES = ("google.protobuf.", "tensorflow_metadata.proto.")


def loads_data(s: str) -> Any:
    """Like `loads`, for text from a file that anybody may have written, such as an artifact.

    Importing a module runs it. So classes come only from modules that this process has imported
    already, from this package and from those of the protos.

    Raises:
        ValueError: if the text names a class of another module.
    """
    token = _may_import.set(False)
    try:
        return loads(s)
    finally:
        _may_import.reset(token)


def import_named_module(name: str) -> ModuleType:
    """Imports the module of a class that JSON names, if that JSON may have it imported."""
    if not _may_import.get() and name not in sys.modules and not _is_harmless(name):
        raise ValueError(
            f"A file names a class of the module {name!r}, which is not imported here. Reading "
            f"data does not import modules, because that runs them: if you trust the file, import "
            f"{name} before it is read."
        )
    return importlib.import_module(name)


def _is_harmless(name: str) -> bool:
    if name.startswith(_MESSAGE_PACKAGES):
        return name.endswith("_pb2")
    # Looked up as a file: `tfx` also finds modules of a checkout that is on sys.path.
    parts = name.split(".")
    place = _OUR_ROOT.joinpath(*parts)
    is_module = place.with_name(f"{parts[-1]}.py").is_file() or (place / "__init__.py").is_file()
    return parts[0] in _OUR_PACKAGES and parts[-1] != "__main__" and is_module


def _rebuild(data: dict[str, Any]) -> Any:
    if _OBJECT_TYPE not in data:
        return data
    object_type = data.pop(_OBJECT_TYPE)
    cls = _find_class(data.pop(_MODULE, None), data.pop(_CLASS, None))
    if object_type == "class":
        return cls
    if object_type == "proto":
        if not issubclass(cls, Message):
            raise ValueError(f"Cannot rebuild: Class {cls} must be a subclass of proto.Message.")
        if _PROTO_VALUE not in data:
            raise ValueError(f"Missing proto value in json dict of a {cls.__name__}.")
        return proto_json.json_to_proto(data[_PROTO_VALUE], cls())
    if object_type == "jsonable":
        if not issubclass(cls, Jsonable):
            raise ValueError(f"Cannot rebuild: Class {cls} must be a subclass of Jsonable.")
        return cls.from_json_dict(data)
    raise ValueError(f"Cannot rebuild a {object_type} of {cls} from JSON.")


def _find_class(module_name: object, class_name: object) -> type:
    if not isinstance(module_name, str) or not isinstance(class_name, str):
        raise ValueError(
            f"Cannot rebuild an object from JSON: {_MODULE} and {_CLASS} must be strings, got "
            f"{module_name!r} and {class_name!r}."
        )
    for ours, public in _PUBLIC_PROTOS.items():
        if module_name.startswith(public):
            module_name = ours + module_name.removeprefix(public)
    cls = getattr(import_named_module(module_name), class_name)
    if not isinstance(cls, type):
        raise ValueError(f"Cannot rebuild {module_name}.{class_name} from JSON: it is not a class.")
    return cls
