"""`tfx.utils.channel`, the place of channels before TFX 0.14."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from trainwright._deprecation import deprecated
from trainwright.types import channel_utils
from trainwright.types.artifact import Artifact
from trainwright.types.channel import BaseChannel
from trainwright.types.channel import Channel as _Channel
from trainwright.types.channel import as_channel as _as_channel


class Channel(_Channel):
    """A channel under its old name, which warns."""

    @deprecated(
        None, "tfx.utils.types.Channel has been renamed to tfx.types.Channel as of TFX 0.14.0."
    )
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)


@deprecated(
    None,
    "tfx.utils.channel.as_channel has been renamed to tfx.types.channel_utils.as_channel as of "
    "TFX 0.14.0.",
)
def as_channel(source: BaseChannel | Iterable[Artifact]) -> BaseChannel:
    """A channel from a channel or from artifacts."""
    return _as_channel(source)


unwrap_channel_dict = deprecated(
    None,
    "tfx.utils.channel.unwrap_channel_dict has been renamed to "
    "tfx.types.channel_utils.unwrap_channel_dict as of TFX 0.14.0.",
)(channel_utils.unwrap_channel_dict)
