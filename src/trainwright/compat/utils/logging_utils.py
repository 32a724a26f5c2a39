"""A logger that writes to a file, as programs for early versions of TFX set one up."""

from __future__ import annotations

import dataclasses
import logging
import os
from typing import Any

from trainwright.dsl.io import fileio


@dataclasses.dataclass
class LoggerConfig:
    """Where to log, from which level on, and whose name the lines carry."""

    log_root: str = "/var/tmp/tfx/logs"  # noqa: S108, TFX's default
    log_level: int = logging.INFO
    pipeline_name: str = ""
    worker_name: str = ""

    def update(self, config: dict[str, Any] | None = None) -> None:
        """Sets fields by name; raises ValueError for a name that is not a field."""
        names = [field.name for field in dataclasses.fields(self)]
        for key, value in (config or {}).items():
            if key not in names:
                raise ValueError(
                    f"{key} not expected in logger config. Its fields are: {', '.join(names)}."
                )
            setattr(self, key, value)

    def copy(self) -> LoggerConfig:
        return dataclasses.replace(self)


def get_logger(config: LoggerConfig) -> logging.Logger:
    """A logger that writes to the file `tfx.log` in the config's directory, which is made."""
    if not fileio.exists(config.log_root):
        fileio.makedirs(config.log_root)
    if not fileio.isdir(config.log_root):
        raise RuntimeError(f"Log dir exists as a file: {config.log_root}")
    log_path = os.path.join(config.log_root, "tfx.log")
    handler = logging.FileHandler(log_path)
    handler.setFormatter(
        logging.Formatter(
            f"%(asctime)s - {config.pipeline_name}:{config.worker_name} "
            "(%(filename)s:%(lineno)s) - %(levelname)s: %(message)s"
        )
    )
    logger = logging.getLogger(log_path)
    logger.setLevel(config.log_level)
    logger.addHandler(handler)
    return logger
