"""TFDV's custom validations, which are not supported."""

from __future__ import annotations

from typing import Any

CUSTOM_VALIDATION_CONFIG_KEY = "custom_validation_config"


def refuse_custom_validations(config: Any | None) -> None:
    """Raises if there are any: data must not pass for valid by checks that nobody made."""
    if config is not None:
        raise ValueError(
            f"A validator was given a custom_validation_config, {str(config)!r}. Its SQL "
            "expressions need ZetaSQL, which is not part of Trainwright. Say what you expect in "
            "the schema, or check the statistics in a component of your own, as docs/schema.md "
            "shows."
        )
