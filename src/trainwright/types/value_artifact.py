"""ValueArtifact: an artifact that is one small value, read and written as a Python object."""

from __future__ import annotations

import abc
import builtins
import errno
import os
from typing import TYPE_CHECKING, Any

from trainwright._paths import check_not_special, is_remote
from trainwright.storage import objects
from trainwright.types.artifact import Artifact
from trainwright.types.classes import is_subclass
from trainwright.types.system_types import SystemArtifact

if TYPE_CHECKING:
    from typing_extensions import Self

    from trainwright.proto.mlmd import metadata_store_pb2

# The file that holds the value. Executors get the whole path as the artifact's URI.
VALUE_FILE = "value"

_IS_NULL = "__is_null__"


class MissingValueError(FileNotFoundError, RuntimeError):
    """There is no file with the artifact's value; TFX's callers expect a RuntimeError."""


class ValueArtifact(Artifact, abc.ABC):
    """An artifact whose payload is a value. Subclasses say how it becomes bytes.

    >>> import tempfile, os
    >>> from trainwright.types.standard_artifacts import Integer
    >>> answer = Integer()
    >>> answer.uri = os.path.join(tempfile.mkdtemp(), "value")
    >>> answer.write(42)
    >>> answer.read()
    42
    """

    _value: Any = None
    _has_value = False

    @property
    def value(self) -> Any:
        """The value; `read()` must have been called, as an executor's caller does."""
        if not self._has_value:
            raise ValueError(
                "The artifact value has not yet been read from storage. Call read() first, or "
                "declare the component's argument with its Python type to get the value itself; "
                f"it is {self._brief()}."
            )
        return self._value

    @value.setter
    def value(self, value: Any) -> None:
        self.write(value)
        self._value, self._has_value = value, True  # also where a test replaces `write`

    def read(self) -> Any:
        """Reads the value from the file, once; raises MissingValueError if there is none."""
        if not self._has_value:
            content = self._read_content()
            is_null = self.get_int_custom_property(_IS_NULL)
            self._value, self._has_value = None if is_null else self.decode(content), True
        return self._value

    def _read_content(self) -> bytes:
        try:
            if is_remote(self.uri):
                return objects.read(self.uri)
            check_not_special(self.uri, "A value cannot be read:")
            with open(self.uri, "rb") as file:
                return file.read()
        except (FileNotFoundError, NotADirectoryError, IsADirectoryError):
            raise MissingValueError(
                errno.ENOENT, "Given path does not exist or is not a valid file", self.uri
            ) from None

    def write(self, value: Any) -> None:
        """Writes the value to the file. None is remembered as a null of this type."""
        serialized = b"" if value is None else self.encode(value)
        if isinstance(serialized, str):
            serialized = serialized.encode("utf-8")
        self.set_int_custom_property(_IS_NULL, int(value is None))
        if is_remote(self.uri):
            objects.write(self.uri, serialized)
        else:
            os.makedirs(os.path.dirname(self.uri), exist_ok=True)
            with open(self.uri, "wb") as file:
                file.write(serialized)
        self._value, self._has_value = value, True

    @classmethod
    def annotate_as(
        cls, type_annotation: builtins.type[SystemArtifact] | None = None
    ) -> builtins.type[Self]:
        """The same artifact class with an annotation, for example `String.annotate_as(Model)`.

        Its name and its type's name have the annotation's behind them.
        """
        if type_annotation is None:
            return cls
        if not issubclass(type_annotation, SystemArtifact):
            raise ValueError(
                f"type_annotation {type_annotation} is not a subclass of SystemArtifact. Take one "
                "of tfx.v1.dsl.standard_annotations."
            )
        suffix = f"_{type_annotation.__name__}"
        parts = {
            "TYPE_NAME": f"{cls.TYPE_NAME}{suffix}",
            "TYPE_ANNOTATION": type_annotation,
            "__module__": cls.__module__,
        }
        return builtins.type(f"{cls.__name__}{suffix}", (cls,), parts)

    @abc.abstractmethod
    def encode(self, value: Any) -> Any:
        """The value as bytes or text for the file; raises TypeError for a wrong type."""

    @abc.abstractmethod
    def decode(self, serialized_value: bytes) -> Any:
        """Turns the file's bytes into a value."""

    def _check(self, value: Any, expected: str, *kinds: builtins.type[Any]) -> None:
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            raise TypeError(
                f"Expecting {expected} but got value {value} of type {type(value)}, for an "
                f"artifact of type {self.type_name}."
            )


def _ValueArtifactType(
    mlmd_artifact_type: metadata_store_pb2.ArtifactType, base: type[ValueArtifact]
) -> type[ValueArtifact]:
    """TFX's way to make the class of a value artifact from the message of its type."""
    from trainwright.types.artifact_types import class_from_message

    if not (is_subclass(base, ValueArtifact)):
        raise ValueError(
            f'Input argumment "base" must be a subclass of ValueArtifact; got : {base}.'
        )
    return class_from_message(mlmd_artifact_type, base)
