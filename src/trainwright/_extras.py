"""The extras of the project: which packages come with which, and what to type for them."""

from __future__ import annotations

# The import names of packages that are not in the base install.
EXTRA_OF_MODULE = {
    "tensorflow_transform": "transform",
    "tfx_bsl": "transform",
    "tensorflow_serving": "serve",
    "keras_tuner": "tuner",
    "kerastuner": "tuner",
    "tensorflow_estimator": "estimator",
    "apache_beam": "beam",
    "fastavro": "avro",
    "ray": "ray",
    "obstore": "storage",
    "psycopg": "postgres",
    "ai_edge_litert": "export",
    "tf2onnx": "export",
    "onnxruntime": "export",
    "optuna": "optuna",
    "prometheus_client": "serve",
    "starlette": "serve",
    "uvicorn": "serve",
}


def install_advice(module: str) -> str | None:
    """What to type for a missing module; None if no extra brings it.

    >>> install_advice("tfx_bsl.public.tfxio")
    "pip install 'trainwright[transform]'"
    """
    extra = EXTRA_OF_MODULE.get(module.partition(".")[0])
    return f"pip install 'trainwright[{extra}]'" if extra else None
