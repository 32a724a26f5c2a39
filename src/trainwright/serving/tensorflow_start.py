"""The start of TensorFlow, without what its libraries tell of this machine."""

from __future__ import annotations

import contextlib
import logging
import os
import sys
import tempfile
from collections.abc import Iterator

_logger = logging.getLogger(__name__)


def start_tensorflow() -> None:
    """Imports TensorFlow and lets it look for devices, before the first model needs it."""
    with _stderr_aside():
        import tensorflow as tf

        tf.get_logger().setLevel(logging.WARNING)
        with tf.compat.v1.Session(graph=tf.Graph()):
            pass


@contextlib.contextmanager
def _stderr_aside() -> Iterator[None]:
    """Takes what native code writes to stderr: to the log's debug lines; to stderr after an error.

    A dozen lines on instruction sets and missing GPUs are written whatever log level is asked for.
    """
    sys.stderr.flush()
    stderr = os.dup(2)
    with tempfile.TemporaryFile() as taken:
        os.dup2(taken.fileno(), 2)
        try:
            yield
        except BaseException:
            os.dup2(stderr, 2)
            taken.seek(0)
            os.write(2, taken.read())
            raise
        finally:
            sys.stderr.flush()
            os.dup2(stderr, 2)
            os.close(stderr)
        taken.seek(0)
        for line in taken.read().decode("utf-8", "backslashreplace").splitlines():
            _logger.debug("%s", line)
