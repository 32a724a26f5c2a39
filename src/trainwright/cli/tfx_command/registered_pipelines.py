"""The pipelines that `tfx pipeline create` has registered: a directory for each, as in TFX.

`<home>/<name>/pipeline_args.json` has TFX's keys and a few of our own; a pipeline is registered as
long as it is there. `pipeline_ir.json` beside it is the compiled pipeline. Both are for reading:
what `run create` runs is the pipeline's file.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from trainwright.cli.tfx_command.options import Failure, choose_engine, guess
from trainwright.cli.whole_files import write_whole

_ARGUMENTS_FILE = "pipeline_args.json"
_IR_FILE = "pipeline_ir.json"
# Properties of nodes may be nobody else's business.
_PRIVATE = 0o600


@dataclass(frozen=True, kw_only=True)
class RegisteredPipeline:
    """A pipeline by name.

    Args:
        name: Its name.
        dsl_path: The file that runs it.
        root: Its pipeline root; None if only a runtime parameter says it.
        working_directory: Where relative paths in the file count from; None if TFX has registered
            the pipeline, which does not note it.
        store: The URL of the metadata store of its runs, without a password; None if not known.
    """

    name: str
    dsl_path: str
    root: str | None = None
    working_directory: str | None = None
    store: str | None = None


class PipelineHome:
    """The registered pipelines of an engine, in `$LOCAL_HOME` (of `local`), or in `~/tfx/local`.

    Args:
        engine: What `--engine` says.

    Example: `PipelineHome("local").names()`
    """

    def __init__(self, engine: str) -> None:
        chosen = choose_engine(engine)
        self._variable = f"{chosen.upper()}_HOME"
        given = os.environ.get(self._variable)
        self._directory = Path(given) if given else Path.home() / "tfx" / chosen

    def names(self) -> list[str]:
        """The names of all registered pipelines, sorted."""
        try:
            entries = sorted(os.listdir(self._directory))
        except FileNotFoundError:
            return []
        except OSError as error:
            raise Failure(f"{self._directory} cannot be read: {error.strerror}.") from error
        return [name for name in entries if (self._directory / name / _ARGUMENTS_FILE).is_file()]

    def check_exists(self, name: str) -> None:
        """Refuses a name that is not registered, with a guess which was meant."""
        known = self.names()  # a name that is a path is not among them
        if name not in known:
            raise Failure(f'Pipeline "{name}" does not exist.{guess(name, known)}')

    def get(self, name: str) -> RegisteredPipeline:
        """A pipeline by its name."""
        self.check_exists(name)
        path = self._directory / name / _ARGUMENTS_FILE
        try:
            content = json.loads(path.read_text(encoding="utf-8"))
            if not isinstance(content, dict):
                raise TypeError(f"it holds a {type(content).__name__}, expected an object")
            if not content.get("pipeline_dsl_path"):
                raise ValueError("it has no pipeline_dsl_path, the file that runs the pipeline")
            return RegisteredPipeline(
                name=name,
                dsl_path=_text(content, "pipeline_dsl_path") or "",
                root=_text(content, "pipeline_root"),
                working_directory=_text(content, "working_directory"),
                store=_text(content, "metadata_store"),
            )
        except (OSError, ValueError, TypeError) as error:
            raise Failure(
                f"{path} cannot be read: {error}. `tfx pipeline update --pipeline_path=FILE` "
                "writes it anew."
            ) from error

    def save(self, pipeline: RegisteredPipeline, ir: str | None = None) -> None:
        """Registers a pipeline, in place of what is registered under its name."""
        content = {
            "pipeline_name": pipeline.name,
            "pipeline_root": pipeline.root,
            "pipeline_dsl_path": pipeline.dsl_path,
            "working_directory": pipeline.working_directory,
            "metadata_store": pipeline.store,
        }
        directory = self._directory / pipeline.name
        try:
            directory.mkdir(parents=True, exist_ok=True)
            if ir is not None:
                write_whole(directory / _IR_FILE, ir.encode(), mode=_PRIVATE)
            noted = json.dumps(content, indent=2) + "\n"
            write_whole(directory / _ARGUMENTS_FILE, noted.encode(), mode=_PRIVATE)
        except OSError as error:
            raise Failure(
                f"The pipeline cannot be registered in {directory}: {error.strerror}. "
                f"{self._variable} can name another directory."
            ) from error

    def delete(self, name: str) -> None:
        """Forgets a pipeline; what its runs have made stays.

        Only files of our own go: the home may be where projects are, and a project may have its
        pipeline's name.
        """
        self.check_exists(name)
        directory = self._directory / name
        try:
            (directory / _ARGUMENTS_FILE).unlink()  # with this it is gone
            (directory / _IR_FILE).unlink(missing_ok=True)
            for unfinished in directory.glob(f".{_IR_FILE}-*"):
                unfinished.unlink()
            if directory.is_symlink():
                directory.unlink()
            elif not any(directory.iterdir()):
                directory.rmdir()
        except OSError as error:
            raise Failure(f"{directory} cannot be deleted: {error.strerror}.") from error


def _text(content: dict[str, object], key: str) -> str | None:
    value = content.get(key)
    if value is not None and not isinstance(value, str):
        raise TypeError(f"{key} is {value!r}, expected a string")
    return value
