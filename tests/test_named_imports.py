"""Imports that no contract of import-linter sees: of a module by its name, in a string.

What is optional or heavy is imported that way, and only where this says.
"""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import trainwright

SOURCES = Path(trainwright.__file__).parent
IMPORTERS = {"require", "import_module", "__import__"}
# The folders and files that may import each of them by its name.
PLACES = {
    "ray": ["ray_cluster/", "engine/on_ray/", "orchestration/launching/on_ray/"],
    "apache_beam": [
        "engine/on_beam/",
        # Code of users that is written with Beam: executors, extractors, combiners and sources.
        "dsl/base_beam_executor.py",
        "components/evaluator/beam_extractors.py",
        "components/example_gen/beam_",
        "transform/beam_nodes.py",
        "compat/",
    ],
    "obstore": ["storage/"],
    "psycopg": ["metadata/postgres_backend.py"],
}


def named_imports(source: str) -> set[str]:
    """The modules that a source imports by name, or takes out of `sys.modules` by it."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        name = None
        if isinstance(node, ast.Call) and node.args:
            function = node.func
            called = getattr(function, "id", getattr(function, "attr", ""))
            if called in IMPORTERS:
                name = node.args[0]
        elif isinstance(node, ast.Subscript) and ast.unparse(node.value) == "sys.modules":
            name = node.slice
        if isinstance(name, ast.Constant) and isinstance(name.value, str):
            found.add(name.value.partition(".")[0])
    return found


@pytest.fixture(scope="module")
def places():
    """Where each module is imported by its name."""
    found: dict[str, list[str]] = {}
    for path in SOURCES.rglob("*.py"):
        for name in named_imports(path.read_text()):
            found.setdefault(name, []).append(str(path.relative_to(SOURCES)))
    return found


@pytest.mark.parametrize("name", PLACES)
def test_a_module_is_imported_by_name_only_where_it_is_meant_to_be(places, name):
    assert places[name], "it is imported nowhere"
    assert [one for one in places[name] if not one.startswith(tuple(PLACES[name]))] == []


def test_every_way_to_import_by_name_is_seen():
    source = """
require("ray", "ray")
importlib.import_module("apache_beam.io")
boto3 = sys.modules["boto3"]
"""
    assert named_imports(source) == {"ray", "apache_beam", "boto3"}
