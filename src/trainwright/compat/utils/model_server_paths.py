"""The layout that TensorFlow Serving expects: `BASE/MODEL_NAME/VERSION`, the version a number."""

from __future__ import annotations

import os


def make_model_path(model_base_path: str, model_name: str, version: int) -> str:
    """Where a version of a model lies.

    >>> make_model_path("/models", "penguin", 123)
    '/models/penguin/123'
    """
    return os.path.join(model_base_path, model_name, str(version))


def parse_model_base_path(model_path: str) -> str:
    """The directory that holds the models, taken from the path of one version."""
    return parse_model_path(model_path)[0]


def parse_model_path(
    model_path: str, expected_model_name: str | None = None
) -> tuple[str, str, int]:
    """The base directory, the name of the model and its version.

    Raises ValueError for a path of another form, or of another model than the expected one.
    """
    rest, version = os.path.split(model_path)
    if not rest:
        raise ValueError(f"model_path is too short ({model_path}). Expected BASE/MODEL/VERSION.")
    if not version.isdigit():
        raise ValueError(f"No version segment ({model_path}). Its last part must be a number.")
    base, name = os.path.split(rest)
    if expected_model_name is not None and name != expected_model_name:
        raise ValueError(
            f"model_name does not match (expected={expected_model_name}, actual={model_path})"
        )
    return base, name, int(version)
