"""TFX's executor of an InfraValidator, which says that no model server is started here."""

from __future__ import annotations

from trainwright.components.unsupported import UnsupportedExecutor


class Executor(UnsupportedExecutor):
    """Says what to use instead."""

    CANNOT_RUN = (
        "this version declares an InfraValidator and does not run it. Write a component of your "
        "own (@component) between Evaluator and Pusher that loads the model as the server does, or "
        "leave it out: Pusher pushes without an infra_blessing."
    )
