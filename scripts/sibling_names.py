"""The public names of TFDV and TFMA: collects them from their wheels, and prints what is not here.

    python scripts/sibling_names.py collect build/wheels/*.whl   # writes the list that a test walks
    python scripts/sibling_names.py document [--check]           # writes the tables of the docs

Names are read from the source in the wheels, which need not be installed.
"""

from __future__ import annotations

import argparse
import ast
import sys
import zipfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from trainwright.compat.stand_in_names import StandIn
from trainwright.compat.tfdv.names import TFDV
from trainwright.compat.tfma.names import TFMA

ROOT = Path(__file__).parents[1]
NAMES_FILE = ROOT / "tests" / "compat" / "sibling_public_names.tsv"
PAGE = ROOT / "docs" / "tfdv_tfma_names.md"
MARK = "<!-- written by scripts/sibling_names.py: {package} -->"
_PACKAGES = (TFDV.package, TFMA.package)
# Tests, their data, and generated code.
_LEFT_OUT = ("_test.py", "_pb2.py", "test_util.py", "testutil.py", "example_trainers")


def collect(wheels: list[str]) -> None:
    """Writes the names of all wheels together."""
    found = sorted({row for wheel in wheels for row in _names_of_wheel(wheel)})
    NAMES_FILE.write_text("".join(f"{module}\t{name}\n" for module, name in found))
    print(f"{len(found)} names in {NAMES_FILE.relative_to(ROOT)}")


def _names_of_wheel(path: str) -> Iterator[tuple[str, str]]:
    with zipfile.ZipFile(path) as wheel:
        for file in wheel.namelist():
            package = file.split("/")[0]
            is_public = not any(part in file for part in _LEFT_OUT)
            if package in _PACKAGES and file.endswith(".py") and is_public:
                module = file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
                source = wheel.read(file).decode()
                is_package = file.endswith("__init__.py")
                for name in _names_of_module(source, package if is_package else None):
                    yield module, name


def _names_of_module(source: str, package: str | None) -> Iterator[str]:
    """The public names that a module defines; of a package, also those that it imports."""
    for node in _statements(ast.parse(source).body):
        names: list[str] = []
        if isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names = [node.name]
        elif isinstance(node, ast.Assign):
            names = [target.id for target in node.targets if isinstance(target, ast.Name)]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            names = [node.target.id]
        elif isinstance(node, ast.ImportFrom) and package and str(node.module).startswith(package):
            names = [alias.asname or alias.name for alias in node.names]
        yield from (name for name in names if not name.startswith(("_", "*")))


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for node in body:
        yield from _statements(node.body) if isinstance(node, (ast.If, ast.Try)) else [node]


def table(stand_in: StandIn) -> str:
    """What is not here, as Markdown: the names by what to use instead."""
    by_reason: dict[str, list[str]] = defaultdict(list)
    for name, reason in sorted(stand_in.missing.items()):
        by_reason[reason].append(f"`{name}`")
    rows = [f"| {', '.join(names)} | {reason} |" for reason, names in by_reason.items()]
    return "\n".join(["| names, and modules with all below them | instead |", "|---|---|", *rows])


def document(check: bool) -> int:
    """Writes the tables into the page; with `check`, only says whether they are current."""
    text = PAGE.read_text()
    for stand_in in (TFDV, TFMA):
        mark = MARK.format(package=stand_in.package)
        before, _, rest = text.partition(f"{mark}\n")
        _, end, after = rest.partition("\n<!-- end -->")
        text = f"{before}{mark}\n\n{table(stand_in)}\n{end}{after}"
    if text == PAGE.read_text():
        return 0
    if check:
        print(f"{PAGE.relative_to(ROOT)} is not current: run scripts/sibling_names.py document.")
        return 1
    PAGE.write_text(text)
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    commands.add_parser("collect").add_argument("wheels", nargs="+")
    commands.add_parser("document").add_argument("--check", action="store_true")
    arguments = parser.parse_args()
    if arguments.command == "document":
        return document(arguments.check)
    collect(arguments.wheels)
    return 0


if __name__ == "__main__":
    sys.exit(main())
