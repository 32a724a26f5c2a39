"""Hooks of the documentation site: pages from the root of the repository, and links to its files.

mkdocs reads docs/ alone. README.md becomes the first page, the other documents of the root pages of
their own. Links between all of them lead to pages; a link to any other file of the repository,
which the site does not have, becomes the file's path.
"""

from __future__ import annotations

import posixpath
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File

ROOT = Path(__file__).resolve().parent.parent
# Documents of the root and the pages that they become.
PAGES = {
    "README.md": "index.md",
    **{
        name: name
        for name in (
            "ARCHITECTURE.md",
            "CHANGELOG.md",
            "CONTRIBUTING.md",
            "RELEASING.md",
            "SECURITY.md",
        )
    },
}
_LINK = re.compile(r"\[((?:[^\[\]]|`[^`]*`)*)\]\(([^)\s]+)\)")


def on_files(files: Any, config: Any) -> Any:
    for name, page in PAGES.items():
        files.append(File.generated(config, page, content=(ROOT / name).read_text()))
    return files


def on_page_markdown(markdown: str, page: Any, **unused: Any) -> str:
    source = page.file.src_uri
    in_root = {page: name for name, page in PAGES.items()}
    # Where the document lies in the repository: links are relative to that.
    directory = posixpath.dirname(in_root.get(source, f"docs/{source}"))

    def relink(match: re.Match[str]) -> str:
        text, target = match.groups()
        if "://" in target or target.startswith(("#", "mailto:")):
            return match.group()
        path, _, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(directory, path))
        found = PAGES.get(path) or (path[len("docs/") :] if path.startswith("docs/") else None)
        if found is None:
            return text if "`" in text or text == path else f"{text} (`{path}`)"
        relative = posixpath.relpath(found, posixpath.dirname(source) or ".")
        return f"[{text}]({relative}{'#' + anchor if anchor else ''})"

    # Code between fences is left alone: it is every second piece.
    pieces = re.split(r"(^```.*?^```$)", markdown, flags=re.MULTILINE | re.DOTALL)
    return "".join(
        piece if index % 2 else _LINK.sub(relink, piece) for index, piece in enumerate(pieces)
    )
