"""What TFX programs take from TFDV, without TFDV: `import tensorflow_data_validation as tfdv`.

Options, statistics, schemas and anomalies: made, read, written, compared and shown by Trainwright's
own code. Anything else is TFDV's own. Where TFDV is installed, it is what this name imports.
"""

from __future__ import annotations

import importlib
import sys
from collections.abc import Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from trainwright._stand_ins import load_real_package

# Whose names and files these are.
__version__ = "1.21.0"

_OURS = "trainwright.compat.tfdv"
_NAMES = {
    "displays": (
        "display_anomalies",
        "display_schema",
        "get_statistics_html",
        "visualize_statistics",
    ),
    "feature_path": ("FeaturePath",),
    "files": (
        "default_sharded_output_suffix",
        "default_sharded_output_supported",
        "load_anomalies_binary",
        "load_anomalies_text",
        "load_schema_text",
        "load_sharded_statistics",
        "load_statistics",
        "load_stats_binary",
        "load_stats_text",
        "write_anomalies_text",
        "write_schema_text",
        "write_stats_text",
    ),
    "generation": (
        "generate_statistics_from_csv",
        "generate_statistics_from_dataframe",
        "generate_statistics_from_tfrecord",
    ),
    "inference": ("infer_schema", "update_schema", "validate_statistics"),
    "schema_features": (
        "generate_dummy_schema_with_paths",
        "get_domain",
        "get_feature",
        "set_domain",
    ),
    "statistics_views": (
        "CrossFeatureView",
        "DatasetListView",
        "DatasetView",
        "FeatureView",
        "get_feature_stats",
        "get_slice_stats",
    ),
    "stats_options": ("StatsOptions",),
}
_SOURCES = {name: f"{_OURS}.{module}" for module, names in _NAMES.items() for name in names}
_MODULES = {
    "statistics.stats_options": f"{_OURS}.stats_options",
    "types": f"{_OURS}.feature_path",
    "utils.display_util": f"{_OURS}.displays",
    "utils.path": f"{_OURS}.feature_path",
    "utils.schema_util": f"{_OURS}.schema_features",
    "utils.stats_util": f"{_OURS}.statistics_views",
}
_PACKAGES = ("statistics", "utils")

__all__ = sorted(_SOURCES)


def __getattr__(name: str) -> Any:
    if name in _PACKAGES or name in _MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name not in _SOURCES:
        raise AttributeError(_is_of_tfdv(name), name=name, obj=sys.modules[__name__])
    value = getattr(importlib.import_module(_SOURCES[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


def _is_of_tfdv(name: str) -> str:
    return (
        f"{__name__}.{name} is part of TensorFlow Data Validation, which is not installed. "
        "Trainwright has of it StatsOptions, infer_schema, validate_statistics, the readers, "
        "writers and displays of statistics, schemas and anomalies, and the generators of "
        "statistics from files and data frames."
    )


class _OurModules(MetaPathFinder, Loader):
    """Finds our modules under TFDV's names: their names are the same objects."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, name = fullname.partition(".")
        if package != __name__ or not name:
            return None
        if name not in _MODULES and name not in _PACKAGES:
            # Without the module's own name: of that, `from ... import` would hide the message.
            raise ModuleNotFoundError(_is_of_tfdv(name), name=__name__)
        return ModuleSpec(fullname, self, is_package=name in _PACKAGES)

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__.partition(".")[2]
        if name in _PACKAGES:
            return
        ours = importlib.import_module(_MODULES[name])
        public = {key: value for key, value in vars(ours).items() if not key.startswith("_")}
        vars(module).update(public)


if load_real_package(__name__, __file__) is None:
    __path__: list[str] = []  # a package to the import system: it has submodules
    sys.meta_path.append(_OurModules())
