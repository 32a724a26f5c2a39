"""Resolver functions: how inputs are chosen, written as calls of operators.

@resolver_function
def newest(examples, n=1):
    return LatestSpan(examples, n=n)

trainer = Trainer(examples=newest(example_gen.outputs["examples"], n=3), ...)
"""

from __future__ import annotations

import contextlib
import functools
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, overload

from trainwright.dsl.input_resolution.loops import Loopable
from trainwright.dsl.input_resolution.resolved_channel import Invocation, ResolvedChannel
from trainwright.dsl.input_resolution.resolver_op import (
    ARTIFACT_LIST,
    ARTIFACT_MULTIMAP,
    DictNode,
    InputNode,
    Node,
    data_type_name,
)
from trainwright.types.artifact import Artifact
from trainwright.types.channel import BaseChannel
from trainwright.types.type_hints import is_compatible

ArtifactTypes = type[Artifact] | Mapping[str, type[Artifact]]


def _mirror_input_type(*args: Any, **kwargs: Any) -> ArtifactTypes | None:
    """The type of the only argument; None if there are several."""
    if len(args) == 1:
        if isinstance(args[0], BaseChannel):
            return args[0].type
        if is_compatible(args[0], Mapping[str, BaseChannel]):
            return {key: channel.type for key, channel in args[0].items()}
    return None


class ResolverFunction:
    """A function of operators. Called with channels, it gives channels.

    What it gives depends on what the function returns: a channel for a list, a dict of channels
    for a dict of lists, and for a list of dicts what `ForEach` takes.

    Args:
        f: The function.
        output_type: The type of what it chooses: an artifact type, or one for each key.
        output_type_inferrer: Tells the type from the arguments. By default it is that of the only
            argument.
        loopable_transform: Applied to the variable of a `ForEach`.
    """

    def __init__(
        self,
        f: Callable[..., Any],
        *,
        output_type: ArtifactTypes | None = None,
        output_type_inferrer: Callable[..., ArtifactTypes | None] = _mirror_input_type,
        loopable_transform: Callable[[Mapping[str, BaseChannel]], Any] | None = None,
    ) -> None:
        self.__name__ = getattr(f, "__name__", type(f).__name__)
        functools.update_wrapper(self, f)
        self.__signature__ = inspect.signature(f)
        self._function = f
        self._output_type = output_type
        self._output_type_inferrer = output_type_inferrer
        self._loopable_transform = loopable_transform
        self._invocation: Invocation | None = None

    def output_type_inferrer(
        self, f: Callable[..., ArtifactTypes | None]
    ) -> Callable[..., ArtifactTypes | None]:
        """Decorates the function that tells the type of the output from the arguments."""
        self._output_type_inferrer = f
        return f

    @contextlib.contextmanager
    def given_output_type(self, output_type: ArtifactTypes) -> Iterator[ResolverFunction]:
        """Sets the type of the output for the calls within a `with` block."""
        if not is_compatible(output_type, ArtifactTypes):
            raise ValueError(
                f"Invalid output_type: {output_type}, should be an artifact type or a dict of them."
            )
        before = self._output_type
        self._output_type = output_type
        try:
            yield self
        finally:
            self._output_type = before

    @contextlib.contextmanager
    def given_invocation(
        self, f: Callable[..., Any], *, args: Sequence[Any], kwargs: Mapping[str, Any]
    ) -> Iterator[ResolverFunction]:
        """Lets the calls within a `with` block pass for calls of another function."""
        if self._invocation is not None:
            raise RuntimeError(f"{self.__name__} has already given an invocation.")
        self._invocation = Invocation(function=f, args=args, kwargs=kwargs)
        try:
            yield self
        finally:
            self._invocation = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        output_type = self._output_type or self._output_type_inferrer(*args, **kwargs)
        if output_type is None:
            raise RuntimeError(
                "Unable to infer output type. Please use resolver_function.with_output_type(). "
                f"{self._how_to_call(args, kwargs)}"
            )
        args = tuple(map(_as_node, args))
        kwargs = {key: _as_node(value) for key, value in kwargs.items()}
        output = self.trace(*args, **kwargs)
        invocation = self._invocation or Invocation(function=self, args=args, kwargs=kwargs)
        return self._as_channels(output, output_type, invocation)

    def _how_to_call(self, args: Sequence[Any], kwargs: Mapping[str, Any]) -> str:
        given = [*args, *kwargs.values()]
        if any(isinstance(one, (BaseChannel, Mapping)) for one in given):
            return (
                f"Decorate {self.__name__} with @resolver_function(output_type=...), or use "
                "given_output_type()."
            )
        return (
            f"{self.__name__} chooses from channels and was given "
            f"{', '.join(map(repr, given)) or 'nothing'}: call it for example as "
            f"{self.__name__}(Channel(type=Model)) or {self.__name__}(trainer.outputs['model'])."
        )

    def trace(self, *args: Any, **kwargs: Any) -> Node:
        """Calls the function with nodes and gives the node that it returns."""
        result = self._function(*args, **kwargs)
        if is_compatible(result, Mapping[str, Node]):
            result = DictNode(result)
        if not isinstance(result, Node):
            raise RuntimeError(
                f"Invalid resolver function trace result {result}. Expected to return an output "
                "of ResolverOp or a dict of outputs."
            )
        return result

    def _as_channels(self, output: Node, output_type: ArtifactTypes, invocation: Invocation) -> Any:
        is_loop = output.output_data_type not in (ARTIFACT_LIST, ARTIFACT_MULTIMAP)
        if self._loopable_transform is not None and not is_loop:
            raise TypeError(
                "loopable_transform is not applicable for "
                f"{data_type_name(output.output_data_type)} output"
            )
        expected = (
            type[Artifact]
            if output.output_data_type == ARTIFACT_LIST
            else Mapping[str, type[Artifact]]
        )
        if not is_compatible(output_type, expected):
            raise RuntimeError(f"Invalid output_type {output_type}. Expected {expected}")
        if isinstance(output_type, type):
            return ResolvedChannel(output_type, output, invocation=invocation)

        def channels(for_each_context: Any = None) -> dict[str, BaseChannel]:
            return {
                key: ResolvedChannel(one, output, key, invocation, for_each_context)
                for key, one in output_type.items()
            }

        if not is_loop:
            return channels()
        transform = self._loopable_transform or (lambda by_key: by_key)
        return Loopable(lambda for_each_context: transform(channels(for_each_context)))


def _as_node(value: Any) -> Any:
    if isinstance(value, BaseChannel):
        return InputNode(value)
    if is_compatible(value, Mapping[str, BaseChannel]):
        return DictNode({key: InputNode(channel) for key, channel in value.items()})
    return value


@overload
def resolver_function(f: Callable[..., Any]) -> ResolverFunction: ...
@overload
def resolver_function(
    *,
    output_type: ArtifactTypes | None = ...,
    unwrap_dict_key: str | Sequence[str] | None = ...,
) -> Callable[[Callable[..., Any]], ResolverFunction]: ...
def resolver_function(
    f: Callable[..., Any] | None = None,
    *,
    output_type: ArtifactTypes | None = None,
    unwrap_dict_key: str | Sequence[str] | None = None,
) -> Any:
    """Decorates a function of operators.

    Args:
        f: The function.
        output_type: The type of what it chooses, if that is not the type of its only argument.
        unwrap_dict_key: Lets the variable of a `ForEach` be the channel of this key, or the
            channels of these keys, instead of a dict.
    """
    if f is not None:
        return ResolverFunction(f)
    transform = _unwrapping(unwrap_dict_key) if unwrap_dict_key else None
    return lambda f: ResolverFunction(f, output_type=output_type, loopable_transform=transform)


def _unwrapping(keys: str | Sequence[str]) -> Callable[[Mapping[str, BaseChannel]], Any]:
    if isinstance(keys, str):
        return lambda by_key: by_key[keys]
    if not is_compatible(keys, Sequence[str]):
        raise ValueError(f"Invalid unwrap_dict_key: Expected str or Sequence[str] but got {keys}")
    return lambda by_key: tuple(by_key[key] for key in keys)
