"""Names that TFX programs take from ML Metadata, without it: `import ml_metadata as mlmd`.

The messages, the store and its errors: the modules of `trainwright.compat.ml_metadata` under the
library's own names. Where ml-metadata is installed, it is what this name imports.
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

# Whose messages, names and files these are.
__version__ = "1.17.1"

__all__ = ["ListOptions", "MetadataStore", "OrderByField", "downgrade_schema"]

_OURS = "trainwright.compat.ml_metadata"
_MODULES = {
    "errors": f"{_OURS}.errors",
    "metadata_store": f"{_OURS}.metadata_store",
    "metadata_store.metadata_store": f"{_OURS}.metadata_store.metadata_store",
    "metadata_store.mlmd_types": f"{_OURS}.metadata_store.mlmd_types",
    "proto": f"{_OURS}.proto",
    "proto.metadata_store_pb2": "trainwright.proto.mlmd.metadata_store_pb2",
    "proto.metadata_store_service_pb2": "trainwright.proto.mlmd.metadata_store_service_pb2",
}
_PACKAGES = ("metadata_store", "proto")
_MISSING_NAME = (
    "{name} is part of ml-metadata, which is not installed. Of it, Trainwright has "
    "MetadataStore, ListOptions, errors, proto and proto.metadata_store_pb2."
)


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"{__name__}.{name}")
    if name not in __all__:
        message = _MISSING_NAME.format(name=f"{__name__}.{name}")
        raise AttributeError(message, name=name, obj=sys.modules[__name__])
    value = getattr(importlib.import_module(f"{__name__}.metadata_store"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, *(name for name in _MODULES if "." not in name)})


class _OurModules(MetaPathFinder, Loader):
    """Finds our modules under the library's names: the same objects, not second copies."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, name = fullname.partition(".")
        if package != __name__ or not name:
            return None
        if name not in _MODULES:
            # Without the module's own name: of that, `from ... import` would hide the message.
            raise ModuleNotFoundError(_MISSING_NAME.format(name=fullname), name=__name__)
        return ModuleSpec(fullname, self, is_package=name in _PACKAGES)

    def create_module(self, spec: ModuleSpec) -> ModuleType:
        module = importlib.import_module(_MODULES[spec.name.partition(".")[2]])
        spec.loader_state = module.__spec__
        return module

    def exec_module(self, module: ModuleType) -> None:
        # It has run already; the import system has only put the spec of the other name on it.
        assert module.__spec__ is not None
        module.__spec__ = module.__spec__.loader_state


if load_real_package(__name__, __file__) is None:
    __path__: list[str] = []  # a package to the import system: it has submodules
    sys.meta_path.append(_OurModules())
