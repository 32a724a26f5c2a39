"""TFX's wrapper around a node's inputs or outputs, which had attributes in early versions."""

from __future__ import annotations

from collections.abc import ItemsView, Iterator, KeysView, Mapping, ValuesView

from trainwright.types.channel import BaseChannel
from trainwright.types.json_utils import Jsonable


class _PropertyDictWrapper(Jsonable):
    """Channels by key: `outputs["model"]` or `outputs.model`, also under older keys."""

    def __init__(
        self, data: dict[str, BaseChannel], compat_aliases: Mapping[str, str] | None = None
    ) -> None:
        self._data = data
        self._compat_aliases = dict(compat_aliases or {})

    def __iter__(self) -> Iterator[str]:
        yield from self._data

    def __getitem__(self, key: str) -> BaseChannel:
        return self._data[self._compat_aliases.get(key, key)]

    def __getattr__(self, key: str) -> BaseChannel:
        # Copying and unpickling ask an object that has no attributes yet.
        if key.startswith("_"):
            raise AttributeError(key)
        try:
            return self[key]
        except KeyError as error:
            known = ", ".join(self._data) or "none"
            raise AttributeError(f"There is no {key!r}. The keys are: {known}.") from error

    def __repr__(self) -> str:
        return repr(self._data)

    def get_all(self) -> dict[str, BaseChannel]:
        return self._data

    def keys(self) -> KeysView[str]:
        return self._data.keys()

    def values(self) -> ValuesView[BaseChannel]:
        return self._data.values()

    def items(self) -> ItemsView[str, BaseChannel]:
        return self._data.items()
