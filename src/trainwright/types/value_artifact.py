"""ValueArtifact: an artifact that is one small value, read and written as a Python object."""

from __future__ import annotations

import abc
import os
from typing import Any

from trainwright._paths import check_not_special
from trainwright.types.artifact import Artifact

# The file that holds the value. Executors get the whole path as the artifact's URI.
VALUE_FILE = "value"

_IS_NULL = "__is_null__"


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

    def __init__(self) -> None:
        super().__init__()
        self._set("_value", None)
        self._set("_has_value", False)

    @property
    def value(self) -> Any:
        """The value; `read()` must have been called, as an executor's caller does."""
        if not self._has_value:
            raise ValueError(
                f"The value of {self!r} has not been read yet. Call read() first, or declare the "
                "component's argument with its Python type to get the value itself."
            )
        return self._value

    @value.setter
    def value(self, value: Any) -> None:
        self.write(value)

    def read(self) -> Any:
        """Reads the value from the file, once."""
        if not self._has_value:
            if self.get_int_custom_property(_IS_NULL):
                value = None
            else:
                check_not_special(self.uri, "A value cannot be read:")
                with open(self.uri, "rb") as file:
                    value = self.decode(file.read())
            self._set("_value", value)
            self._set("_has_value", True)
        return self._value

    def write(self, value: Any) -> None:
        """Writes the value to the file. None is remembered as a null of this type."""
        serialized = b"" if value is None else self.encode(value)
        self.set_int_custom_property(_IS_NULL, int(value is None))
        os.makedirs(os.path.dirname(self.uri), exist_ok=True)
        with open(self.uri, "wb") as file:
            file.write(serialized)
        self._set("_value", value)
        self._set("_has_value", True)

    @abc.abstractmethod
    def encode(self, value: Any) -> bytes:
        """Turns a value into the file's bytes; raises TypeError for a wrong type."""

    @abc.abstractmethod
    def decode(self, serialized: bytes) -> Any:
        """Turns the file's bytes into a value."""

    def _check(self, value: Any, *kinds: type) -> None:
        if not isinstance(value, kinds) or (isinstance(value, bool) and bool not in kinds):
            names = " or ".join(kind.__name__ for kind in kinds)
            raise TypeError(
                f"Expecting {names} for an artifact of type {self.type_name}, got "
                f"{type(value).__name__}: {value!r}."
            )
