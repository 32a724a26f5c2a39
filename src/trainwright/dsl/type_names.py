"""Stored names of node classes: TFX's for our own, the path for those of users."""

from __future__ import annotations

# A pipeline script keeps its executions' names however it is started.
SCRIPT_MODULE = "__trainwright_pipeline__"


def stored_type_name(node_class: type) -> str:
    """The stored name of a node class: its own STORED_TYPE_NAME, or its module and name.

    A subclass, which is the user's, is not stored under the name of its base.
    """
    own: str | None = vars(node_class).get("STORED_TYPE_NAME")
    if own is not None:
        return own
    module = "__main__" if node_class.__module__ == SCRIPT_MODULE else node_class.__module__
    return f"{module}.{node_class.__qualname__}"


def tfx_class_path(path: str) -> str:
    """TFX's name for a class of our components; other names stay as they are.

    >>> tfx_class_path("trainwright.components.trainer.executor.GenericExecutor")
    'tfx.components.trainer.executor.GenericExecutor'
    """
    package, _, rest = path.partition(".components.")
    return f"tfx.components.{rest}" if package == "trainwright" else path
