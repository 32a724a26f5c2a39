"""Writes the modules of src/tfx, and other lists of lazy names, from the table scripts/names.toml.

    python scripts/generate_names.py            write what is not current
    python scripts/generate_names.py --check    fail, naming the files, if something is not current

The table has a section for each module. `doc` is its docstring. A key with the name of a module
lists the names from there: "name", "name as other_name" or "Outer.Inner as name". `modules` are the
submodules that are public names, `star` is a generated proto module whose names are all taken. A
file that has the marker below keeps what is above it. The section `missing` has the names of TFX,
or modules with all that is below them, that are not here, and why or what to use instead: it
becomes src/tfx/_missing_names.py and a table in docs/tfx_names.md.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parent.parent
SOURCES = ROOT / "src"
TABLE = ROOT / "scripts" / "names.toml"
MISSING_NAMES = "src/tfx/_missing_names.py"
DOCUMENT = "docs/tfx_names.md"

NOTICE = "# Written by scripts/generate_names.py from scripts/names.toml: change that."
MARKER = "# From here on written by scripts/generate_names.py from scripts/names.toml.\n"
DOCUMENT_MARKER = "<!-- written by scripts/generate_names.py: the names that are not here -->\n"


@dataclass
class Module:
    """A module that offers names of other modules."""

    name: str
    doc: str
    sources: dict[str, list[str]]
    modules: list[str] = field(default_factory=list)
    star: str | None = None
    children: list[str] = field(default_factory=list)

    @property
    def path(self) -> str:
        """The file of the module, below the project's root."""
        parts = self.name.replace(".", "/")
        is_package = self.children or (SOURCES / parts / "__init__.py").exists()
        return f"src/{parts}/__init__.py" if is_package else f"src/{parts}.py"


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--check", action="store_true", help="change nothing; fail if stale")
    check = parser.parse_args(arguments).check

    modules, missing = read_table(tomllib.loads(TABLE.read_text("utf-8")))
    generated = {module.path: module_text(module) for module in modules}
    generated[MISSING_NAMES] = missing_names_text(missing)
    generated = formatted(generated)
    generated[DOCUMENT] = document_text(missing)

    current = {path: text for path, text in generated.items() if _content(path) == text}
    stale = [*sorted(set(generated) - set(current)), *surplus_files(generated)]
    if check:
        for path in stale:
            print(f"stale: {path}", file=sys.stderr)
        if stale:
            print("Run `python scripts/generate_names.py` and commit.", file=sys.stderr)
        return 1 if stale else 0
    for path in stale:
        if path in generated:
            (ROOT / path).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / path).write_text(generated[path], "utf-8")
            print(f"wrote {path}")
        else:
            (ROOT / path).unlink()
            print(f"removed {path}")
    return 0


def read_table(table: dict[str, Any]) -> tuple[list[Module], dict[str, str]]:
    """The modules, each knowing its submodules, and the missing names with their reasons."""
    missing = table.pop("missing", {})
    modules = {
        name: Module(
            name,
            doc=section.pop("doc").strip(),
            modules=section.pop("modules", []),
            star=section.pop("star", None),
            sources=section,
        )
        for name, section in table.items()
    }
    if list(modules) != sorted(modules):
        first = next(a for a, b in zip(modules, sorted(modules), strict=True) if a != b)
        sys.exit(f"{TABLE.name}: sections are sorted by module; {first} is not in its place.")
    for name in modules:
        parent, _, child = name.rpartition(".")
        if parent in modules:
            modules[parent].children.append(child)
        elif parent:
            sys.exit(f"{TABLE.name}: {name} has no section for its package {parent}.")
    for module in modules.values():
        _refuse_contradictions(module, missing)
    return list(modules.values()), missing


def _refuse_contradictions(module: Module, missing: dict[str, str]) -> None:
    names = [name for _, _, name in _names(module)]
    for name in (*names, *module.children):
        if f"{module.name}.{name}" in missing:
            sys.exit(f"{TABLE.name}: {module.name}.{name} is there and in [missing].")
    twice = {name for name in names if names.count(name) > 1}
    if twice:
        sys.exit(f"{TABLE.name}: {module.name} has twice {', '.join(sorted(twice))}.")


def _names(module: Module) -> Iterator[tuple[str, str, str]]:
    """Source module, name there and name here, for each name of a module."""
    for source, entries in module.sources.items():
        for entry in entries:
            name, _, other = entry.partition(" as ")
            yield source, name, other or name


def module_text(module: Module) -> str:
    """The whole file of a module."""
    present = _content(module.path)
    if MARKER in present:
        return present[: present.index(MARKER)] + MARKER + "\n" + _lazy_names(module)
    header = f'"""{module.doc}{_doc_end(module.doc)}"""\n\n{NOTICE}\n\n'
    if module.star:
        return (
            f"{header}from {module.star} import *\n"
            f"from {module.star} import DESCRIPTOR as DESCRIPTOR\n"
        )
    if not module.sources and not module.children:
        return header
    return (
        f"{header}from typing import TYPE_CHECKING\n\n"
        f"from tfx._names import lazy_tfx_names\n\n{_lazy_names(module)}"
    )


def _doc_end(doc: str) -> str:
    return "\n" if "\n" in doc else ""


def _lazy_names(module: Module) -> str:
    """The names of a module, once for type checkers and once for Python."""
    lines = ["if TYPE_CHECKING:"]
    for child in module.children:
        lines.append(f"    from {module.name} import {child} as {child}")
    renamed = []
    for source, name, here in _names(module):
        if name == here:
            lines.append(f"    from {source} import {name} as {name}")
        else:
            outer, dot, inner = name.partition(".")
            lines.append(f"    from {source} import {outer} as _{here}_")
            renamed.append(f"    {here} = _{here}_{dot}{inner}")
    lines += ["", *renamed] if renamed else []
    function = "lazy_tfx_names" if module.name.partition(".")[0] == "tfx" else "lazy_names"
    lines += ["else:", f"    __getattr__, __dir__, __all__ = {function}("]
    lines += ["        __name__,", "        {"]
    for source, entries in module.sources.items():
        entries_text = "".join(f'"{entry}",' for entry in sorted(entries))
        lines.append(f'            "{source}": ({entries_text}),')
    lines.append("        },")
    if module.modules:
        lines.append(f"        public_modules={tuple(sorted(module.modules))!r},")
    hidden = sorted(set(module.children) - set(module.modules))
    if hidden:
        lines.append(f"        other_modules={tuple(hidden)!r},")
    lines.append("    )")
    return "\n".join(lines) + "\n"


def missing_names_text(missing: dict[str, str]) -> str:
    """The module that says, of each name that is not here, why or what to use instead."""
    entries = "".join(f"    {name!r}: {_chunks(reason)},\n" for name, reason in missing.items())
    return (
        '"""Names of TFX that are not here, each with what to use instead."""\n\n'
        f"{NOTICE}\n# ruff: noqa: E501\n\nfrom __future__ import annotations\n\n"
        f"MISSING_NAMES = {{\n{entries}}}\n"
    )


def _chunks(text: str, width: int = 80) -> str:
    """A string literal in pieces that fit into a line."""
    pieces = [""]
    for word in text.split(" "):
        if len(pieces[-1]) + len(word) > width:
            pieces.append("")
        pieces[-1] += f"{word} "
    pieces[-1] = pieces[-1][:-1]
    return f"({' '.join(map(repr, pieces))})" if len(pieces) > 1 else repr(text)


def document_text(missing: dict[str, str]) -> str:
    """The document, with the table of what is not here in the place of the old one."""
    present = _content(DOCUMENT)
    before, marker, rest = present.partition(DOCUMENT_MARKER)
    if not marker:
        sys.exit(f"{DOCUMENT} has no line {DOCUMENT_MARKER.strip()}")
    _, _, after = rest.partition(DOCUMENT_MARKER)
    by_reason: dict[str, list[str]] = {}
    for name, reason in missing.items():
        by_reason.setdefault(reason, []).append(f"`{name}`")
    rows = "".join(f"| {reason} | {', '.join(names)} |\n" for reason, names in by_reason.items())
    table = (
        f"\n| why, and what instead | names, or modules with all below them |\n|---|---|\n{rows}\n"
    )
    return before + marker + table + marker + after


def formatted(texts: dict[str, str]) -> dict[str, str]:
    """Each text as ruff formats it, with its imports in order."""
    with tempfile.TemporaryDirectory(dir=ROOT, prefix=".names-") as directory:
        for path, text in texts.items():
            target = Path(directory, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, "utf-8")
        ruff = [sys.executable, "-m", "ruff"]
        config = ["--quiet", "--no-cache", "--config", str(ROOT / "pyproject.toml")]
        subprocess.run([*ruff, "check", *config, "--select", "I", "--fix", directory], check=True)
        subprocess.run([*ruff, "format", *config, directory], check=True)
        return {path: Path(directory, path).read_text("utf-8") for path in texts}


def surplus_files(generated: dict[str, str]) -> list[str]:
    """Files that were generated and are not in the table any more."""
    paths = [path.relative_to(ROOT).as_posix() for path in (SOURCES / "tfx").rglob("*.py")]
    return [path for path in sorted(paths) if path not in generated and NOTICE in _content(path)]


def _content(path: str) -> str:
    file = ROOT / path
    return file.read_text("utf-8") if file.exists() else ""


if __name__ == "__main__":
    sys.exit(main())
