"""The templates that new projects are copied from: files beside this one, no code of ours.

`templates/<style>/<model>` is a project: style `tfx` has the layout of TFX's templates, style
`trainwright` is what `trainwright new` makes. The data, `templates/data/<model>.csv`, is the same.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from trainwright.cli.whole_files import write_whole

_TEMPLATES = Path(__file__).parent / "templates"
_DATA = Path("data") / "data.csv"
_NAME_PLACEHOLDER = "{{PIPELINE_NAME}}"


@dataclass(frozen=True, kw_only=True)
class ProjectFile:
    """A file of a new project: its path in there, and its content."""

    path: Path
    content: bytes


def template_names(style: str) -> list[str]:
    """The models for which there is a template in a style.

    >>> template_names("tfx")
    ['penguin', 'taxi']
    """
    return sorted(path.name for path in (_TEMPLATES / style).iterdir() if path.is_dir())


def project_files(style: str, model: str, pipeline_name: str) -> list[ProjectFile]:
    """The files of a project for a pipeline of this name, which `check_pipeline_name` accepts."""
    template = _TEMPLATES / style / model
    name = _escaped(pipeline_name)
    files = [
        ProjectFile(
            path=path.relative_to(template),
            content=path.read_text(encoding="utf-8").replace(_NAME_PLACEHOLDER, name).encode(),
        )
        for path in _files_below(template)
    ]
    data = (_TEMPLATES / "data" / f"{model}.csv").read_bytes()
    return [*files, ProjectFile(path=_DATA, content=data)]


def write_project_file(directory: Path, file: ProjectFile) -> None:
    """Writes a file below a directory, whole or not at all."""
    path = directory / file.path
    path.parent.mkdir(parents=True, exist_ok=True)
    write_whole(path, file.content)


def _files_below(directory: Path) -> Iterator[Path]:
    """The files of a template, without what installing it may have compiled."""
    for path in sorted(directory.rglob("*")):
        if path.is_file() and path.parent.name != "__pycache__":
            yield path


def _escaped(name: str) -> str:
    """A name as it is written between quotes in Python.

    >>> print(_escaped('the "new" one'))
    the \\"new\\" one
    """
    for character in ("\\", '"', "'"):
        name = name.replace(character, f"\\{character}")
    return name
