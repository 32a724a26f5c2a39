"""TFX's executor of a BulkInferrer, which says that nothing infers in bulk here."""

from __future__ import annotations

from trainwright.components.unsupported import UnsupportedExecutor


class Executor(UnsupportedExecutor):
    """Says what to use instead."""

    CANNOT_RUN = (
        "this version declares a BulkInferrer and does not run it. Write a component of your own "
        "(@component) that loads the model, reads the examples and writes predictions."
    )
