"""The argument `custom_config` of components, as an execution property holds it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from trainwright.types import json_utils
from trainwright.types.runtime_parameter import RuntimeParameter


def encode_custom_config(
    custom_config: Mapping[str, Any] | RuntimeParameter | None,
) -> str | RuntimeParameter:
    """The dict as JSON; a runtime parameter stays one, for its value is not known yet.

    >>> encode_custom_config({"units": 8})
    '{"units": 8}'
    """
    if isinstance(custom_config, RuntimeParameter):
        return custom_config
    return json_utils.dumps(_checked(custom_config))


def decode_custom_config(encoded: str | None) -> dict[str, Any] | None:
    """The dict from an execution property; None if there is none.

    >>> decode_custom_config('{"units": 8}')
    {'units': 8}
    """
    decoded: dict[str, Any] | None = _checked(json_utils.loads(encoded) if encoded else None)
    return decoded


def _checked(custom_config: Any) -> Any:
    if custom_config is not None and not isinstance(custom_config, Mapping):
        # TFX's words, which its users' tests compare.
        raise ValueError(
            "custom_config in execution properties needs to be a dict. "
            f"Got {type(custom_config)} instead."
        )
    return custom_config
