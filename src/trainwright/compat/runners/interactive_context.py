"""InteractiveContext: declared, so that a notebook's imports work; making one says how to go on."""

from __future__ import annotations

from typing import Any


class InteractiveContext:
    """Runs single components in a notebook, in TFX; here making one says what to use instead."""

    def __init__(
        self,
        pipeline_name: str | None = None,
        pipeline_root: str | None = None,
        metadata_connection_config: Any = None,
        beam_pipeline_args: list[str] | None = None,
    ) -> None:
        raise RuntimeError(
            "InteractiveContext is not part of this version. A pipeline with enable_cache=True "
            "that is run again with one component more does the same: LocalDagRunner().run("
            "Pipeline(..., components=[example_gen, statistics_gen], enable_cache=True)) runs only "
            "what is new, and `trainwright show NODE --html` shows what it made."
        )
