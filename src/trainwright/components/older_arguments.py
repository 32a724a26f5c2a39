"""Arguments that TFX's components took in earlier versions, back to 0.21."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar, cast

from trainwright._suggest import did_you_mean
from trainwright.dsl.base_component import BaseComponent
from trainwright.types.channel import BaseChannel

_Init = TypeVar("_Init", bound=Callable[..., None])

_INSTANCE_NAME = "instance_name"
_ENABLE_CACHE = "enable_cache"


def takes_older_arguments(
    *, renamed: Mapping[str, str] | None = None, outputs: Mapping[str, str] | None = None
) -> Callable[[_Init], _Init]:
    """Decorates the `__init__` of a component, so that it takes older arguments with one warning.

    Every component takes `instance_name` and `enable_cache`.

    Args:
        renamed: Arguments by the names that they had before.
        outputs: Arguments that replaced a channel of the outputs, and the output's key. What such
            a channel says about its artifacts is kept; the channel itself is the component's own.

    Example: `@takes_older_arguments(renamed={"stats": "statistics"}, outputs={"output": "schema"})`
    """
    new_names = renamed or {}
    output_keys = outputs or {}

    def decorate(init: _Init) -> _Init:
        @functools.wraps(init)
        def init_with_older(self: BaseComponent, *args: Any, **kwargs: Any) -> None:
            older = {
                name: kwargs.pop(name)
                for name in (*new_names, *output_keys, _INSTANCE_NAME, _ENABLE_CACHE)
                if name in kwargs
            }
            # None was the default of each, and some programs pass it on.
            given = {name: value for name, value in older.items() if value is not None}
            for name in new_names.keys() & given.keys():
                _rename(kwargs, name, new_names[name], given[name])
            _check_names(self, init, kwargs)
            init(self, *args, **kwargs)
            if given:
                _apply(self, given, output_keys)
                warnings.warn(_warning(self, given, new_names), DeprecationWarning, stacklevel=2)

        init_with_older.older_arguments = {  # type: ignore[attr-defined]
            **dict.fromkeys((*output_keys, _INSTANCE_NAME, _ENABLE_CACHE), ""),
            **new_names,
        }
        return cast(_Init, init_with_older)

    return decorate


def older_arguments(component_class: type) -> Mapping[str, str]:
    """The arguments of earlier versions that a component takes, with the name of each today.

    The name is empty where the argument has gone without one. Example:
    `older_arguments(Trainer)["transform_output"]` is "transform_graph".
    """
    found: Mapping[str, str] = getattr(component_class.__init__, "older_arguments", {})  # type: ignore[misc]
    return found


def _check_names(component: BaseComponent, init: Callable[..., None], given: Iterable[str]) -> None:
    """Refuses an argument that the component does not take, in Python's words with a guess."""
    parameters = inspect.signature(init).parameters
    if any(one.kind is inspect.Parameter.VAR_KEYWORD for one in parameters.values()):
        return
    for name in given:
        if name not in parameters:
            raise TypeError(
                f"{type(component).__name__}.__init__() got an unexpected keyword argument "
                f"{name!r}{did_you_mean(name, list(parameters)[1:])}"
            )


def _rename(kwargs: dict[str, Any], old: str, new: str, value: Any) -> None:
    if kwargs.get(new) is not None:
        raise ValueError(f"Pass {new} alone: {old} is an older name of it.")
    kwargs[new] = value


def _apply(
    component: BaseComponent, given: Mapping[str, Any], output_keys: Mapping[str, str]
) -> None:
    if _INSTANCE_NAME in given:
        component.with_id(f"{type(component).__name__}.{given[_INSTANCE_NAME]}")
    if _ENABLE_CACHE in given:
        component.with_cache(given[_ENABLE_CACHE])
    for name in output_keys.keys() & given.keys():
        _describe_output(component, output_keys[name], name, given[name])


def _describe_output(component: BaseComponent, key: str, name: str, channel: Any) -> None:
    """Takes over what the user's channel says about the artifacts that it holds."""
    output = component.outputs.get(key)
    if not isinstance(channel, BaseChannel) or (
        output is not None and channel.type_name != output.type_name
    ):
        expected = output.type if output is not None else BaseChannel
        raise TypeError(f"Argument {name} should be a Channel of type {expected} (got {channel}).")
    if output is None:
        return  # the component was told not to make it
    for kind in ("additional_properties", "additional_custom_properties"):
        getattr(output, kind).update(getattr(channel, kind, None) or {})


def _warning(
    component: BaseComponent, given: Mapping[str, Any], new_names: Mapping[str, str]
) -> str:
    advice = []
    for name in given:
        if name in new_names:
            advice.append(f"write {new_names[name]}= for {name}=")
        elif name == _INSTANCE_NAME:
            advice.append(f"write .with_id({component.id!r}) for {name}=")
        elif name == _ENABLE_CACHE:
            advice.append(f"write .with_cache({given[name]}) for {name}=")
        else:
            advice.append(f"leave {name}= out, the component makes its outputs")
    return f"{type(component).__name__} was given deprecated arguments: {'; '.join(advice)}."
