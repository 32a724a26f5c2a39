"""Checks that all pipelines with work on Google Cloud share."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from trainwright.compat.google_cloud.unsupported import UnsupportedDriver
from trainwright.components.pusher.component import Pusher
from trainwright.dsl.base_driver import BaseDriver
from trainwright.types.channel import BaseChannel


def needs_google_cloud(work: str, instead: str) -> str:
    """Why something cannot be done here, and what can.

    Args:
        work: What is asked for, with its verb.
        instead: What to use, as a sentence.
    """
    return (
        f"{work} needs Google Cloud, TFX and an account there; Trainwright works on this machine. "
        f"{instead}"
    )


class CloudPusher(Pusher):
    """Base of the Pushers whose settings are in `custom_config`, not in a `push_destination`."""

    DRIVER_CLASS: ClassVar[type[BaseDriver]] = UnsupportedDriver

    def __init__(
        self,
        model: BaseChannel | None = None,
        model_blessing: BaseChannel | None = None,
        infra_blessing: BaseChannel | None = None,
        custom_config: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(
            model=model,
            model_blessing=model_blessing,
            infra_blessing=infra_blessing,
            custom_config=custom_config,
        )
