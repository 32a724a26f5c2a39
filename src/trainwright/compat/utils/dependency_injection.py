"""A small dependency injection: functions are called with arguments found by name and type.

module = DependencyModule()
module.provide_value(42, name="x")
module.call(lambda x: x + 1)  # 43
"""

from __future__ import annotations

import abc
import functools
import inspect
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from trainwright.types.type_hints import is_compatible, maybe_unwrap_optional

T = TypeVar("T")


class NotProvidedError(Exception):
    """No provider has a value for an argument without a default."""


class FalseMatchError(Exception):
    """Raised by a provider's factory: the match did not hold, so ask the next provider."""


class InvalidTypeHintError(TypeError):
    """A provider matches, but cannot make sense of the type hint."""


class Provider(abc.ABC, Generic[T]):
    """Provides the values of some arguments."""

    @abc.abstractmethod
    def match(self, name: str, type_hint: Any) -> bool:
        """Whether this provider is for such an argument; the hint is None if there is none."""

    @abc.abstractmethod
    def make_factory(self, name: str, type_hint: Any) -> Callable[..., T]:
        """What makes the value. Its own arguments are found in the same way."""


class ValueProvider(Provider[T]):
    """Provides one value, for an argument of this name, or of any name if it is None."""

    def __init__(self, value: T, *, name: str | None) -> None:
        self._value = value
        self._name = name

    def match(self, name: str, type_hint: Any) -> bool:
        if self._name and name != self._name:
            return False
        return type_hint is None or is_compatible(self._value, type_hint)

    def make_factory(self, name: str, type_hint: Any) -> Callable[..., T]:
        return lambda: self._value

    def __repr__(self) -> str:
        named = f"name={self._name}, value=" if self._name else ""
        return f"ValueProvider({named}{self._value})"


class ClassProvider(Provider[T]):
    """Provides instances of a class, for arguments annotated with it or one of its bases."""

    def __init__(self, cls: type[T]) -> None:
        self._cls = cls

    def match(self, name: str, type_hint: Any) -> bool:
        return type_hint is not None and issubclass(self._cls, type_hint)

    def make_factory(self, name: str, type_hint: Any) -> Callable[..., T]:
        return self._cls

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._cls.__name__})"


class NamedClassProvider(ClassProvider[T]):
    """Provides instances of a class, for arguments of one name."""

    def __init__(self, name: str, cls: type[T]) -> None:
        super().__init__(cls)
        self._name = name

    def match(self, name: str, type_hint: Any) -> bool:
        return name == self._name and (type_hint is None or super().match(name, type_hint))


class SingletonProvider(Provider[T]):
    """Provides what another provider made the first time."""

    def __init__(self, provider: Provider[T]) -> None:
        self._wrapped = provider
        self._values: list[T] = []

    def match(self, name: str, type_hint: Any) -> bool:
        return self._wrapped.match(name, type_hint)

    def make_factory(self, name: str, type_hint: Any) -> Callable[..., T]:
        factory = self._wrapped.make_factory(name, type_hint)

        @functools.wraps(factory)
        def make_once(*args: Any, **kwargs: Any) -> T:
            if not self._values:
                self._values.append(factory(*args, **kwargs))
            return self._values[0]

        return make_once

    def __repr__(self) -> str:
        return f"SingletonProvider({self._wrapped})"


class DependencyModule:
    """Providers, asked in the order in which they were added."""

    def __init__(self) -> None:
        self._providers: list[Provider[Any]] = []

    def add_provider(self, provider: Provider[Any]) -> None:
        self._providers.append(provider)

    def provide_value(self, value: Any, *, name: str | None = None) -> None:
        self.add_provider(ValueProvider(value, name=name))

    def provide_class(self, cls: type[Any], *, singleton: bool = False) -> None:
        self._add(ClassProvider(cls), singleton)

    def provide_named_class(self, name: str, cls: type[Any], *, singleton: bool = False) -> None:
        self._add(NamedClassProvider(name, cls), singleton)

    def _add(self, provider: Provider[Any], singleton: bool) -> None:
        self.add_provider(SingletonProvider(provider) if singleton else provider)

    def call(self, f: Callable[..., T]) -> T:
        """Calls a function with arguments from the providers, or their defaults."""
        arguments = {}
        for name, parameter in inspect.signature(f).parameters.items():
            is_annotated = parameter.annotation is not inspect.Parameter.empty
            try:
                arguments[name] = self.get(name, parameter.annotation if is_annotated else None)
            except NotProvidedError:
                if parameter.default is inspect.Parameter.empty:
                    raise
        return f(**arguments)

    def get(self, name: str, type_hint: Any) -> Any:
        """The value for an argument; None if the hint is Optional and nobody provides it."""
        for provider in self._providers:
            if provider.match(name, type_hint):
                try:
                    return self.call(provider.make_factory(name, type_hint))
                except FalseMatchError:
                    continue
        if maybe_unwrap_optional(type_hint)[0]:
            return None
        raise NotProvidedError(
            f"No matching providers found for name={name}, type_hint={type_hint}. "
            f"Available providers: {self._providers}"
        )
