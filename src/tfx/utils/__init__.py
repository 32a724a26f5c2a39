"""Helpers that module files and executors call."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from tfx.utils import abc_utils as abc_utils
    from tfx.utils import channel as channel
    from tfx.utils import dependency_utils as dependency_utils
    from tfx.utils import deprecation_utils as deprecation_utils
    from tfx.utils import di as di
    from tfx.utils import doc_controls as doc_controls
    from tfx.utils import docker_utils as docker_utils
    from tfx.utils import dsl_utils as dsl_utils
    from tfx.utils import golden_utils as golden_utils
    from tfx.utils import governance_utils as governance_utils
    from tfx.utils import import_utils as import_utils
    from tfx.utils import io_utils as io_utils
    from tfx.utils import json_utils as json_utils
    from tfx.utils import kube_utils as kube_utils
    from tfx.utils import logging_utils as logging_utils
    from tfx.utils import metrics_utils as metrics_utils
    from tfx.utils import model_paths as model_paths
    from tfx.utils import monitoring_utils as monitoring_utils
    from tfx.utils import name_utils as name_utils
    from tfx.utils import path_constants as path_constants
    from tfx.utils import path_utils as path_utils
    from tfx.utils import proto_utils as proto_utils
    from tfx.utils import pure_typing_utils as pure_typing_utils
    from tfx.utils import retry as retry
    from tfx.utils import status as status
    from tfx.utils import telemetry_utils as telemetry_utils
    from tfx.utils import test_case_utils as test_case_utils
    from tfx.utils import topsort as topsort
    from tfx.utils import typing_utils as typing_utils
    from tfx.utils import version_utils as version_utils
    from tfx.utils import writer_utils as writer_utils
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {},
        other_modules=(
            "abc_utils",
            "channel",
            "dependency_utils",
            "deprecation_utils",
            "di",
            "doc_controls",
            "docker_utils",
            "dsl_utils",
            "golden_utils",
            "governance_utils",
            "import_utils",
            "io_utils",
            "json_utils",
            "kube_utils",
            "logging_utils",
            "metrics_utils",
            "model_paths",
            "monitoring_utils",
            "name_utils",
            "path_constants",
            "path_utils",
            "proto_utils",
            "pure_typing_utils",
            "retry",
            "status",
            "telemetry_utils",
            "test_case_utils",
            "topsort",
            "typing_utils",
            "version_utils",
            "writer_utils",
        ),
    )
