"""Modules of TFX that are not here yet: importing one says so."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from types import ModuleType

from trainwright._version import __version__

MISSING_MODULES = frozenset(
    {
        "tfx.components.bulk_inferrer",
        "tfx.components.distribution_validator",
        "tfx.components.example_diff",
        "tfx.components.example_gen.custom_executors.avro_executor",
        "tfx.components.example_gen.input_processor",
        "tfx.components.example_gen.write_split",
        "tfx.components.experimental",
        "tfx.components.infra_validator",
        "tfx.components.trainer.rewriting",
        "tfx.components.transform.labels",
        "tfx.components.tuner",
        "tfx.components.util",
        "tfx.dsl.component.experimental.container_component",
        "tfx.dsl.component.experimental.placeholders",
        "tfx.dsl.placeholder.artifact_placeholder",
        "tfx.dsl.placeholder.placeholder_base",
        "tfx.dsl.placeholder.proto_placeholder",
        "tfx.dsl.placeholder.runtime_placeholders",
        "tfx.experimental",
        "tfx.extensions",
        "tfx.orchestration.airflow",
        "tfx.orchestration.beam",
        "tfx.orchestration.experimental",
        "tfx.orchestration.kubeflow",
        "tfx.orchestration.portable",
        "tfx.scripts",
        "tfx.tools",
        "tfx.utils.test_case_utils",
        "tfx.v1.extensions",
        "tfx.v1.orchestration.experimental",
    }
)


class MissingModuleFinder(MetaPathFinder):
    """Asked last, when no module was found."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> None:
        if fullname in MISSING_MODULES:
            raise ModuleNotFoundError(
                f"{fullname} is part of TFX's API but not of Trainwright {__version__} yet",
                name=fullname,
            )


def install() -> None:
    """Adds the finder behind all others, once."""
    if not any(isinstance(finder, MissingModuleFinder) for finder in sys.meta_path):
        sys.meta_path.append(MissingModuleFinder())
