"""User modules: loading a module file, and finding the function that a component calls in it.

A module file is loaded where it lies. Its directory comes first on `sys.path`, as for a script, so
that modules, packages and data files beside it are found. Of one in an object store it is a copy
that is loaded, and nothing lies beside it.
"""

from __future__ import annotations

import ast
import importlib
import importlib.util
import os
import sys
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any, cast

from trainwright._estimator_repairs import offer_estimators
from trainwright._imports import load_owner, split_path
from trainwright._paths import absence_error, check_file
from trainwright._suggest import did_you_mean
from trainwright.components.module_imports import check_imports, find_module
from trainwright.dsl.remote_files import local_file


def get_user_function(exec_properties: Mapping[str, Any], name: str) -> Callable[..., Any]:
    """Finds the function that a component calls.

    The first of these counts: a function given as the property `name`; `module_file`, in which
    the function is called `name` or as the property says; the property as a dotted path.
    """
    given = exec_properties.get(name)
    if callable(given):
        return cast(Callable[..., Any], given)
    module_file = find_module_file(exec_properties)
    if module_file:
        return function_in_file(module_file, given or name)
    if given:
        return function_at(given)
    raise ValueError(
        "Neither module file or user function have been supplied in `exec_properties`."
    )


def find_module_file(exec_properties: Mapping[str, Any]) -> str | None:
    """The path on this machine of the module file that the properties name, if they name one.

    One in an object store is copied: that alone, and not what lies beside it.
    """
    module_file = exec_properties.get("module_file")
    return local_file(module_file, exec_properties) if module_file else None


def function_in_file(path: str, name: str) -> Callable[..., Any]:
    """Loads a module file and returns a function in it."""
    module = load_module_file(path)
    function = getattr(module, name, None)
    if not callable(function):
        raise AttributeError(_missing_function(path, name, _functions_of(module)))
    return cast(Callable[..., Any], function)


def function_at(dotted_path: str) -> Callable[..., Any]:
    """Imports a function by a dotted path such as `"my_package.training.run_fn"`."""
    split_path(dotted_path)  # before anything is imported for it
    offer_estimators()
    module, name = load_owner(dotted_path)
    function = getattr(module, name, None)
    if not callable(function):
        raise AttributeError(_missing_function(module.__name__, name, _functions_of(module)))
    return cast(Callable[..., Any], function)


def load_user_module(exec_properties: Mapping[str, Any]) -> ModuleType:
    """The module that the properties name: `module_file`, a path, or `module_path`, a name."""
    module_file = find_module_file(exec_properties)
    if module_file:
        return load_module_file(module_file)
    # TFX puts the package that brings the module behind an @.
    return importlib.import_module(exec_properties["module_path"].partition("@")[0])


def load_module_file(path: str) -> ModuleType:
    """Executes a module file under its own name, as if it were imported from its directory."""
    offer_estimators()
    path = os.path.abspath(local_file(path))
    directory, file_name = os.path.split(path)
    if directory not in sys.path:
        sys.path.insert(0, directory)
    name = os.path.splitext(file_name)[0]
    loaded = sys.modules.get(name)
    if loaded is not None:
        if os.path.abspath(getattr(loaded, "__file__", None) or "") == path:
            return loaded
        name = f"user_module_{name}"  # its name belongs to another module
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ValueError(f'Module path {path!r} is not a ".py" file.')
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def check_module_file(
    path: str,
    node_id: str,
    function_name: str,
    takes: Sequence[str] = ("fn_args",),
    by_position: int = 1,
    *,
    imports_are_here: bool = True,
) -> None:
    """Refuses a module file that cannot work, without running it.

    It must exist, end in .py, have no syntax error, import what is installed and define the
    function. Of what the function `takes`, the first ones are given `by_position` in any case, the
    others to functions that have such arguments; if that is nothing, its arguments are not looked
    at. Without `imports_are_here` the file is for another machine: its imports are not looked at.

    Raises:
        MissingInputError: if there is no such file.
        ValueError: if anything else is wrong with it.
    """
    if not os.path.lexists(path):
        message = (
            f"Specified module file {path!r} for component {node_id} does not exist. "
            f"Relative paths count from {os.getcwd()}."
        )
        # Under another name it would be of no use if it were made later.
        raise absence_error(path, message) if path.endswith(".py") else ValueError(message)
    check_file(path, f"The module file of {node_id}")
    if not path.endswith(".py"):
        raise ValueError(f'Module path {path!r} is not a ".py" file.')
    tree = _parse(path, node_id)
    if imports_are_here:
        check_imports(tree, path)
    if takes:
        _check_arguments(tree, path, function_name, takes, by_position)
    names, has_star_import = _bound_names(tree)
    if not has_star_import and function_name not in names:
        raise ValueError(_missing_function(path, function_name, _defined_functions(tree)))


def check_module_name(dotted_name: Any, name: str, node_id: str) -> None:
    """Refuses a dotted name whose first part is not installed; what is not a name passes.

    The modules within it are not looked for: that would import the first.

    Args:
        dotted_name: Of a module, or of something in it.
        name: The property that has it.
        node_id: The node whose property that is.
    """
    if not isinstance(dotted_name, str) or not dotted_name:
        return
    first = dotted_name.partition("@")[0].partition(".")[0]
    if find_module(first) is None:
        raise ValueError(
            f"{name} of {node_id} is {dotted_name!r}, but there is no module {first!r}. It must be "
            f"importable from where the pipeline is started: install it for {sys.executable}, or "
            f"give the path of a file as module_file. Modules beside the pipeline's file are found."
        )


def _parse(path: str, node_id: str) -> ast.Module:
    """The syntax tree of a module file; raises ValueError with the line if it is not Python."""
    with open(path, "rb") as file:
        source = file.read()
    if (nul := source.find(b"\0")) >= 0:
        number = source.count(b"\n", 0, nul) + 1
        raise ValueError(
            f"Module file {path!r} of {node_id} has a NUL character in line {number}, which Python "
            "code cannot have. Save the file as UTF-8 text; one in UTF-16 has such characters."
        )
    try:
        return ast.parse(source, filename=path)
    except SyntaxError as error:
        line = f" in line {error.lineno}" if error.lineno else ""
        text = (error.text or "").strip()
        raise ValueError(
            f"Module file {path!r} of {node_id} has a syntax error{line}: {error.msg}"
            f"{': ' + text if text else ''}"
        ) from error
    except (RecursionError, MemoryError) as error:
        raise ValueError(
            f"Module file {path!r} of {node_id} is nested too deeply for Python to read."
        ) from error


def _check_arguments(
    tree: ast.Module, path: str, function_name: str, takes: Sequence[str], by_position: int
) -> None:
    """A function defined in the file must take what it is given by position and need no others."""
    for statement in tree.body:
        if isinstance(statement, ast.FunctionDef) and statement.name == function_name:
            arguments = statement.args
            positional = [one.arg for one in (*arguments.posonlyargs, *arguments.args)]
            needed = positional[: len(positional) - len(arguments.defaults)]
            too_many = [name for name in needed[by_position:] if name not in takes[by_position:]]
            too_few = len(positional) < by_position and not arguments.vararg
            if too_many or too_few:
                count = "one argument" if by_position == 1 else f"{by_position} arguments"
                given = ", ".join(takes[:by_position])
                others = "".join(
                    f", and with {name} if it has that" for name in takes[by_position:]
                )
                raise ValueError(
                    f"{path}, line {statement.lineno}: {function_name} is called with {count}, "
                    f"{function_name}({given}){others}; it takes {len(positional)}."
                )


def defined_names(path: str) -> set[str]:
    """The names that a module file binds, as far as can be seen without executing it.

    What is wrong with the file is said by `check_module_file`: it binds nothing here.
    """
    if not os.path.isfile(path):
        return set()  # reading a device or a named pipe may never end
    try:
        return _bound_names(_parse(path, ""))[0]
    except (OSError, ValueError):
        return set()


def _bound_names(tree: ast.Module) -> tuple[set[str], bool]:
    """All names that a module's statements can bind, and whether a star import binds more."""
    names: set[str] = set()
    star = False
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            for alias in node.names:
                star = star or alias.name == "*"
                names.add(alias.asname or alias.name.split(".")[0])
    return names, star


def _defined_functions(tree: ast.Module) -> list[str]:
    return [node.name for node in tree.body if isinstance(node, ast.FunctionDef)]


def _functions_of(module: ModuleType) -> list[str]:
    return [
        name
        for name, value in vars(module).items()
        if callable(value) and getattr(value, "__module__", None) == module.__name__
    ]


def _missing_function(where: str, name: str, found: list[str]) -> str:
    return f"{where} has no function {name!r}{did_you_mean(name, found)}"
