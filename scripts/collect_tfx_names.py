"""Writes the public names of TFX's wheels as a list of facts.

    python scripts/collect_tfx_names.py    write tests/tfx_names/tfx_public_names.tsv

A line has a module, a name in it ("-" for the module itself), its kind, the versions that have it,
and of the newest of them what a program can rely on: the parameters of a function or of a class,
the value of a constant. A public name is defined at the top of a module, or, in `__init__` modules
and in `tfx.v1`, imported there; methods of classes count, too. Examples, templates and tests are
left out: they are not installed with this project but found in a checkout of TFX.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from google.protobuf import descriptor_pb2
from run_tfx_tests import VERSIONS, unpacked_wheel

FACTS = Path(__file__).resolve().parent.parent / "tests" / "tfx_names" / "tfx_public_names.tsv"
NOT_INSTALLED = re.compile(
    r"/(examples|testdata|templates|e2e\w*|pipeline_testing|test_pipelines)/|_test\.py$|test_utils?\.py$|conftest"
)


class Fact(NamedTuple):
    """A public name."""

    module: str
    name: str
    kind: str
    detail: str = ""


def main() -> None:
    details: dict[tuple[str, str], Fact] = {}
    versions: dict[tuple[str, str], list[str]] = {}
    for version in VERSIONS:
        checkout = unpacked_wheel(version)
        for path in sorted(checkout.glob("tfx/**/*.py")):
            relative = path.relative_to(checkout)
            if not NOT_INSTALLED.search(f"/{relative.as_posix()}"):
                for fact in facts(checkout, relative):
                    details[fact[:2]] = fact
                    found = versions.setdefault(fact[:2], [])
                    found += [version] if version not in found else []
    rows = [
        (fact.module, fact.name, fact.kind, ",".join(versions[key]), _shown(fact))
        for key, fact in sorted(details.items())
    ]
    FACTS.write_text("".join("\t".join(row).rstrip() + "\n" for row in rows), "utf-8")
    print(f"{len(rows)} names")


def _shown(fact: Fact) -> str:
    return "" if fact.kind == "reexport" else fact.detail


def facts(checkout: Path, relative: Path) -> Iterator[Fact]:
    """The module itself, and each public name in it."""
    text = (checkout / relative).read_text("utf-8")
    parts = relative.with_suffix("").parts
    is_package = parts[-1] == "__init__"
    module = ".".join(parts[:-1] if is_package else parts)
    yield Fact(module, "-", "module")
    if module.endswith("_pb2"):
        yield from (Fact(module, name, "message") for name in _messages(text))
        return
    reexports = is_package or module.startswith("tfx.v1")
    for node in _top_level(ast.parse(text).body):
        for fact in _named(module, node, reexports=reexports):
            is_helper = fact.kind == "reexport" and _is_module(checkout, module, fact)
            if not is_helper and not re.search(r"(^|\.)_", fact.name):
                yield fact


def _top_level(nodes: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in nodes:
        if isinstance(node, ast.If | ast.Try):
            yield from _top_level([*node.body, *node.orelse])
        else:
            yield node


def _named(module: str, node: ast.stmt, *, reexports: bool) -> Iterator[Fact]:
    if isinstance(node, ast.ClassDef):
        yield from _class_facts(module, node)
    elif isinstance(node, ast.FunctionDef):
        yield Fact(module, node.name, "function", _parameters(node))
    elif isinstance(node, ast.Assign):
        for target in node.targets:
            if isinstance(target, ast.Name):
                yield Fact(module, target.id, "constant", _value(node.value))
    elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
        yield Fact(module, node.target.id, "constant", _value(node.value))
    elif reexports and isinstance(node, ast.ImportFrom) and (node.module or "").startswith("tfx"):
        for alias in node.names:
            source = f"{node.module}.{alias.name}"
            yield Fact(module, alias.asname or alias.name, "reexport", source)


def _is_module(checkout: Path, module: str, fact: Fact) -> bool:
    """Whether a module was imported for use inside, and not to be a public name."""
    path = fact.detail.replace(".", "/")
    is_module = any((checkout / f"{path}{end}").exists() for end in (".py", "/__init__.py"))
    is_module |= path.endswith("_pb2")
    return is_module and not fact.detail.startswith(f"{module}.")


def _class_facts(module: str, node: ast.ClassDef) -> Iterator[Fact]:
    methods = [item for item in node.body if isinstance(item, ast.FunctionDef)]
    making = [_parameters(item) for item in methods if item.name == "__init__"]
    yield Fact(module, node.name, "class", making[-1] if making else "")
    for method in methods:
        marks = " ".join(ast.unparse(mark) for mark in method.decorator_list)
        is_property = "property" in marks or ".setter" in marks
        kind, detail = ("property", "") if is_property else ("method", _parameters(method))
        yield Fact(module, f"{node.name}.{method.name}", kind, detail)


def _parameters(function: ast.FunctionDef) -> str:
    arguments = function.args
    named = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    if any(ast.unparse(mark) == "beam.ptransform_fn" for mark in function.decorator_list):
        del named[0]  # Beam gives what the transform is applied to
    return " ".join(argument.arg for argument in named if argument.arg not in ("self", "cls"))


def _value(node: ast.expr | None) -> str:
    """The value of a plain constant as JSON."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str | int | float):
        return json.dumps(node.value)
    return ""


def _messages(text: str) -> list[str]:
    """The messages and enums at the top of a generated module, from its serialized descriptor."""
    file = descriptor_pb2.FileDescriptorProto()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "AddSerializedFile":
            file.ParseFromString(ast.literal_eval(node.args[0]))
    return [*(message.name for message in file.message_type), *(e.name for e in file.enum_type)]


if __name__ == "__main__":
    main()
