"""Pictures to files and to standard output."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from trainwright.cli.errors import WrongQuestionError
from trainwright.cli.output import echo

if TYPE_CHECKING:
    from trainwright.pictures.picture import Picture


def print_dot(picture: Picture) -> None:
    from trainwright.pictures.dot import to_dot

    echo(to_dot(picture), nl=False)


def write_svg(picture: Picture, path: str) -> None:
    """Writes the picture; `-` is standard output. Says where the file is."""
    from trainwright.pictures.svg import to_svg

    text = to_svg(picture)
    if path == "-":
        echo(text, nl=False)
        return
    try:
        Path(path).write_text(text, encoding="utf-8")
    except OSError as error:
        raise WrongQuestionError(
            f"{path} cannot be written: {error.strerror}. Give another file with --svg FILE."
        ) from error
    echo(f"Wrote {Path(path).resolve()}", err=True)
