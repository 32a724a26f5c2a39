"""The modules and names of another project's package, filled with our own objects."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

from trainwright._imports import load_object


@dataclass(frozen=True)
class StandIn:
    """A package of another project, whose modules have our objects under its names.

    Args:
        package: Its import name.
        title: What people call it.
        distribution: What pip installs.
        modules: For each module, "" for the package itself: one of our modules, all of whose names
            it has, or its names, each with the place of the object, "module" or "module:name".
        missing: Names and modules of the package that are not here, with what to use instead; of a
            module it holds for everything below.
    """

    package: str
    title: str
    distribution: str
    modules: Mapping[str, str | Mapping[str, str]]
    missing: Mapping[str, str]

    def install(self) -> None:
        """Lets the modules be found: `import package.module`."""
        sys.meta_path.append(_Finder(self))

    def load(self, module: str, name: str) -> Any:
        """The object of a name of a module.

        Raises:
            AttributeError: if it is not here; the message says what to use.
        """
        path = f"{module}.{name}" if module else name
        if path in self.modules:
            return importlib.import_module(f"{self.package}.{path}")
        names = self.modules[module]
        if isinstance(names, str):
            ours = importlib.import_module(names)
            if not name.startswith("_") and hasattr(ours, name):
                return getattr(ours, name)
        elif name in names:
            source, _, attribute = names[name].partition(":")
            return load_object(f"{source}:{attribute or name}")
        full_name = f"{self.package}.{module}" if module else self.package
        if name.startswith("__"):
            raise AttributeError(f"module {full_name!r} has no attribute {name!r}")
        raise AttributeError(self.refusal(path), name=name, obj=sys.modules.get(full_name))

    def names(self, module: str) -> list[str]:
        """The names of a module and the modules below it."""
        names = self.modules[module]
        own = _public(importlib.import_module(names)) if isinstance(names, str) else list(names)
        prefix = f"{module}." if module else ""
        below = (path[len(prefix) :] for path in self.modules if path and path.startswith(prefix))
        return sorted({*own, *(path for path in below if path and "." not in path)})

    def refusal(self, path: str) -> str:
        """What is said of a name that is not here."""
        reason = self.reason(path)
        full_name = f"{self.package}.{path}"
        if reason:
            return (
                f"{full_name} is part of {self.title}, which is not installed: "
                f"`pip install {self.distribution}` brings it. {reason}"
            )
        from trainwright._suggest import did_you_mean  # with difflib, which few will need

        parent, _, name = path.rpartition(".")
        known = self.names(parent) if parent in self.modules else [*self.modules]
        return f"{full_name} is not known here{did_you_mean(name, known)}"

    def reason(self, path: str) -> str:
        """Why a name is not here: its own reason, or that of the module that it is in."""
        while path and path not in self.missing:
            path = path.rpartition(".")[0]
        return self.missing.get(path, "")


class _Finder(MetaPathFinder, Loader):
    """Finds the modules of a stand-in."""

    def __init__(self, stand_in: StandIn) -> None:
        self._stand_in = stand_in

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        package, _, name = fullname.partition(".")
        # The path of a real package is not empty: its modules are found by others, or not at all.
        if package != self._stand_in.package or not name or path:
            return None
        if name not in self._stand_in.modules:
            # With the name of the package: of a name of its own, `from ... import` would hide the
            # message.
            raise ModuleNotFoundError(self._stand_in.refusal(name), name=package)
        return ModuleSpec(fullname, self, is_package=True)

    def create_module(self, spec: ModuleSpec) -> None:
        return None

    def exec_module(self, module: ModuleType) -> None:
        name = module.__name__.partition(".")[2]

        def getattribute(attribute: str) -> Any:
            value = self._stand_in.load(name, attribute)
            setattr(module, attribute, value)
            return value

        module.__getattr__ = getattribute  # type: ignore[method-assign]
        module.__dir__ = lambda: self._stand_in.names(name)  # type: ignore[method-assign]


def _public(module: ModuleType) -> list[str]:
    """The names of a module, without what it has imported for its own use."""
    names: list[str] = getattr(module, "__all__", None) or [
        name
        for name, value in vars(module).items()
        if not name.startswith("_")
        and getattr(value, "__module__", module.__name__) == module.__name__
        if not isinstance(value, ModuleType) and name not in ("TYPE_CHECKING", "annotations")
    ]
    return names
