"""Modules of `tfx` that are not files here: those of a TFX checkout, and those that nobody has."""

from __future__ import annotations

import re
import sys
from collections.abc import Sequence
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from pathlib import Path
from types import ModuleType

from tfx._missing_names import MISSING_NAMES
from tfx._names import missing_names, not_here_yet, not_known

_PACKAGE = "tfx."
_OUR_PACKAGE = str(Path(__file__).parent)

# What a checkout of TFX has for its readers and its own tests, and no wheel of ours has: programs
# import their module files as `tfx.examples...`, tests their helpers and data.
_OF_A_CHECKOUT = re.compile(
    r"""tfx[.](
        examples(?![^.])
        |experimental([.]templates|[.]pipeline_testing)?$
        |experimental[.](templates|pipeline_testing)[.]
        |(.+[.])?(testdata|test_pipelines|e2e_tests)(?![^.])
        |(.+[.])?(\w+_test|(\w+_)?test_utils?|\w+_testutil|\w+_testing_utils?)$
    )""",
    re.VERBOSE,
)


def is_of_a_checkout(name: str) -> bool:
    """Whether a module comes with TFX's sources and not with its API."""
    return _OF_A_CHECKOUT.match(name) is not None


class MissingModuleFinder(MetaPathFinder):
    """Asked last, when no module was found."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> None:
        if not fullname.startswith(_PACKAGE):
            return
        parts = fullname.split(".")
        for length in range(len(parts), 1, -1):
            missing = ".".join(parts[:length])
            if missing in MISSING_NAMES:
                raise ModuleNotFoundError(not_here_yet(missing), name=fullname)
        if is_of_a_checkout(fullname):
            raise ModuleNotFoundError(
                f"{fullname} comes with TFX's sources, not with this package: "
                "have a checkout of TFX on sys.path (sys.path.append(DIRECTORY)).",
                name=fullname,
            )
        raise ModuleNotFoundError(not_known(fullname), name=fullname)


class CheckoutFinder(MetaPathFinder):
    """Finds examples, templates and test helpers in a checkout of TFX that is on `sys.path`."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not is_of_a_checkout(fullname):
            return None
        parent = fullname.rpartition(".")[0].replace(".", "/")
        places = [str(Path(entry or ".", parent)) for entry in sys.path]
        others = [place for place in places if not place.startswith(_OUR_PACKAGE)]
        return PathFinder.find_spec(fullname, others, target)


class PlainModuleFinder(MetaPathFinder):
    """Finds the modules of this package where Python would, for a loader that adds to them."""

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        if not fullname.startswith(_PACKAGE):
            return None
        spec = PathFinder.find_spec(fullname, path, target)
        if spec is None or not (spec.origin or "").startswith(_OUR_PACKAGE):
            return spec
        if type(spec.loader) is SourceFileLoader:
            spec.loader = _RefusingLoader(spec.loader.name, spec.loader.path)
        return spec


class _RefusingLoader(SourceFileLoader):
    """Lets a module that has no word of its own for names which it lacks say it like the others."""

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        vars(module).setdefault("__getattr__", missing_names(module.__name__))


def install() -> None:
    """Adds the finders, once: one before Python's own, two behind all others."""
    if not any(isinstance(finder, MissingModuleFinder) for finder in sys.meta_path):
        sys.meta_path.insert(0, PlainModuleFinder())
        sys.meta_path += [CheckoutFinder(), MissingModuleFinder()]
