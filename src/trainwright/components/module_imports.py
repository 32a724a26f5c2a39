"""The imports of a module file: what is not installed is found before minutes of work.

Nothing is imported for it. A module that works must never be refused, so only plain statements at
the top of the file count, not what a `try` or an `if` stands around, and only as long as the search
path is known: a statement that touches it, or a module of the user's own, may change it.
"""

from __future__ import annotations

import ast
import difflib
import importlib.util
import os
import sys
import sysconfig
from collections.abc import Iterator
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path

from trainwright._extras import install_advice

# What a program changes in order to import from elsewhere.
_SEARCH_PATH_NAMES = frozenset(
    {"path", "meta_path", "path_hooks", "modules", "addsitedir", "__import__", "exec"}
)


def check_imports(tree: ast.Module, path: str) -> None:
    """Refuses a module file whose imports cannot work here.

    Raises:
        ValueError: naming the line, the module, and what to install.
    """
    directory = os.path.dirname(os.path.abspath(path))
    for statement in tree.body:
        if _may_change_search_path(statement):
            return
        for module in _imported_modules(statement):
            spec = find_module(module.partition(".")[0], directory)
            if spec is None:
                raise ValueError(
                    f"{path}, line {statement.lineno} imports {module}, which is not installed. "
                    f"{_advice(module, directory)}"
                )
            if not _is_installed(spec):
                return


def _imported_modules(statement: ast.stmt) -> Iterator[str]:
    if isinstance(statement, ast.Import):
        yield from (alias.name for alias in statement.names)
    elif isinstance(statement, ast.ImportFrom) and not statement.level:
        yield statement.module or ""


def _may_change_search_path(statement: ast.stmt) -> bool:
    """Whether a statement, when it is executed, touches what decides where modules come from."""
    if isinstance(statement, (ast.Import, ast.ImportFrom, ast.FunctionDef)):
        return False
    for node in ast.walk(statement):
        if isinstance(node, ast.Attribute) and node.attr in _SEARCH_PATH_NAMES:
            if ast.unparse(node) != "os.path":
                return True
        elif isinstance(node, ast.Name) and node.id in _SEARCH_PATH_NAMES:
            return True
    return False


def find_module(name: str, directory: str | None = None) -> ModuleSpec | None:
    """Where a worker would find a top-level module: beside the module file, then as anywhere."""
    spec = PathFinder.find_spec(name, [directory]) if directory else None
    if spec is not None:
        return spec
    try:
        return importlib.util.find_spec(name)
    except ValueError:  # a module in this process that does not say where it comes from
        return ModuleSpec(name, None)


def _is_installed(spec: ModuleSpec) -> bool:
    """Whether a module belongs to Python, to an installed package or to us."""
    if spec.origin is None or not os.path.isabs(spec.origin):
        return spec.origin is not None  # "built-in" and "frozen"; a namespace has none
    path = Path(spec.origin)
    ours = Path(__file__).parents[2]  # where trainwright and tfx lie
    is_package = not {"site-packages", "dist-packages"}.isdisjoint(path.parts)
    return (
        is_package
        or path.is_relative_to(sysconfig.get_path("stdlib"))
        or path.is_relative_to(sysconfig.get_path("platstdlib"))
        or path.is_relative_to(ours)
    )


def _advice(module: str, directory: str) -> str:
    advice = install_advice(module)
    if advice:
        return f"It comes with an extra: {advice}"
    # Known only by listing all that is installed, which takes a while and is worth it now.
    import pkgutil

    installed = (found.name for found in pkgutil.iter_modules([directory, *sys.path]))
    known = {*sys.stdlib_module_names, *installed}
    nearest = difflib.get_close_matches(module.partition(".")[0], known, n=1, cutoff=0.75)
    guess = f"Did you mean {nearest[0]!r}? Otherwise install" if nearest else "Install"
    return (
        f"{guess} the package that has it, for {sys.executable}, or put the module beside the file."
    )
