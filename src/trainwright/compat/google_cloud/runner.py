"""The functions that deploy models on AI Platform and Vertex AI: called, they say what to use."""

from __future__ import annotations

from typing import Any, NoReturn

from trainwright.compat.google_cloud.ai_platform import PusherExecutor

DEFAULT_ENDPOINT = "https://ml.googleapis.com"


def get_service_name_and_api_version(
    ai_platform_serving_args: dict[str, Any],
) -> tuple[str, str]:
    """The service's name and the version of its API, which are the same for all arguments."""
    return "ml", "v1"


def create_model_for_aip_prediction_if_not_exist(
    labels: dict[str, str],
    ai_platform_serving_args: dict[str, Any],
    api: Any = None,
    enable_vertex: bool | None = False,
) -> NoReturn:
    """Makes a model or an endpoint, in TFX."""
    raise RuntimeError(PusherExecutor.CANNOT_RUN)


def deploy_model_for_aip_prediction(
    serving_path: str,
    model_version_name: str,
    ai_platform_serving_args: dict[str, Any],
    labels: dict[str, str],
    api: Any = None,
    serving_container_image_uri: str | None = None,
    endpoint_region: str | None = None,
    skip_model_endpoint_creation: bool | None = False,
    set_default: bool | None = True,
    enable_vertex: bool | None = False,
) -> NoReturn:
    """Deploys a model, in TFX."""
    raise RuntimeError(PusherExecutor.CANNOT_RUN)


def delete_model_from_aip_if_exists(
    ai_platform_serving_args: dict[str, Any],
    api: Any = None,
    model_version_name: str | None = None,
    delete_model_endpoint: bool | None = False,
    enable_vertex: bool | None = False,
) -> NoReturn:
    """Deletes a model or an endpoint, in TFX."""
    raise RuntimeError(PusherExecutor.CANNOT_RUN)
