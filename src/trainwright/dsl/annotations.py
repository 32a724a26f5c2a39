"""The words for the arguments and results of an `@component` function."""

from __future__ import annotations

import types
import typing
from typing import TYPE_CHECKING, Annotated, Any, Generic, NoReturn, TypeVar

from trainwright.types.artifact import Artifact
from trainwright.types.json_compat import is_json_compatible

T = TypeVar("T")

_SCALARS = (int, float, str, bool)


def without_none(hint: Any) -> tuple[Any, bool]:
    """Splits Optional[T] into T and whether None was allowed."""
    if typing.get_origin(hint) in (typing.Union, types.UnionType):
        options = typing.get_args(hint)
        rest = [option for option in options if option is not type(None)]
        if len(rest) == 1 and len(options) == 2:
            return rest[0], True
    return hint, False


class Annotation:
    """What `InputArtifact[T]` and its like are: an object that has the type T."""

    EXPECTED = ""

    def __init__(self, type: Any, _init_via_getitem: bool = False) -> None:
        if not _init_via_getitem:
            name = self.__class__.__name__
            raise ValueError(
                f"{name} should be instantiated via the syntax `{name}[T]`, where T is "
                f"{self.EXPECTED}."
            )
        self.type = type

    def __class_getitem__(cls, type: Any) -> Any:
        if not cls.accepts(type):
            cls.refuse(type)
        return cls(type, _init_via_getitem=True)

    @classmethod
    def accepts(cls, type: Any) -> bool:
        return False

    @classmethod
    def refuse(cls, type: Any) -> NoReturn:
        raise ValueError(
            f"Generic type `{cls.__name__}[T]` expects the single parameter T to be "
            f"{cls.EXPECTED} (got {type!r} instead)."
        )

    def __repr__(self) -> str:
        return f"{self.__class__.__name__}[{self.type}]"


class ArtifactAnnotation(Annotation):
    """An annotation with the type of one artifact."""

    EXPECTED = "a concrete subclass of `tfx.types.Artifact`"

    @classmethod
    def accepts(cls, type: Any) -> bool:
        return isinstance(type, _TYPE) and issubclass(type, Artifact) and bool(type.TYPE_NAME)


class ValueAnnotation(Annotation):
    """An annotation with the type of a value: a scalar, something of JSON, or a proto."""

    EXPECTED = (
        "`int`, `float`, `str`, `bool` or JSON-compatible types (Dict[str, T], List[T]), or a "
        "protobuf message"
    )

    @classmethod
    def accepts(cls, type: Any) -> bool:
        inner, _ = without_none(type)
        is_proto = isinstance(inner, _TYPE) and hasattr(inner, "DESCRIPTOR")
        return inner in (*_SCALARS, list, dict) or is_proto or is_json_compatible(type)


class BeamPipelineAnnotation(Annotation):
    """An annotation whose type is `beam.Pipeline`; Beam itself need not be imported here."""

    EXPECTED = "`beam.Pipeline`"

    @classmethod
    def accepts(cls, type: Any) -> bool:
        is_class = isinstance(type, _TYPE) and type.__name__ == "Pipeline"
        return is_class and type.__module__.partition(".")[0] == "apache_beam"


_TYPE = type

if TYPE_CHECKING:
    # To a type checker an argument is what the function body sees.
    AsyncOutputArtifact = Annotated[T, "output"]
    BeamComponentParameter = Annotated[T, "beam pipeline"]
    InputArtifact = Annotated[T, "input"]
    OutputArtifact = Annotated[T, "output"]
    Parameter = Annotated[T, "parameter"]
else:

    class InputArtifact(ArtifactAnnotation):
        """An artifact that the function reads: `examples: InputArtifact[Examples]`.

        `InputArtifact[list[Examples]]` gets all the artifacts of the channel.
        """

        EXPECTED = f"{ArtifactAnnotation.EXPECTED} or a List of `tfx.types.Artifact`"

        @classmethod
        def accepts(cls, type: Any) -> bool:
            inner, _ = without_none(type)
            if typing.get_origin(inner) is list:
                [inner] = typing.get_args(inner)
            return super().accepts(inner)

    class OutputArtifact(ArtifactAnnotation):
        """An artifact that the function fills: `model: OutputArtifact[Model]`."""

    class AsyncOutputArtifact(Generic[T]):
        """An artifact that is published while the function still runs.

        No runner that TFX is published with can do that: `@component` refuses it.
        """

    class Parameter(ValueAnnotation):
        """A value: `steps: Parameter[int] = 100`.

        T is int, float, str, bool, a list or a dict such as `dict[str, list[float]]`, or a proto.
        """

    class BeamComponentParameter(BeamPipelineAnnotation):
        """A Beam pipeline, for functions under `@component(use_beam=True)`:
        `pipeline: BeamComponentParameter[beam.Pipeline] = None`."""


class OutputDict:
    """The values that a function returns, by name: `-> OutputDict(loss=float, steps=int)`.

    A `TypedDict` does the same, and type checkers understand it.
    """

    def __init__(self, **kwargs: Any) -> None:
        self.kwargs = kwargs
