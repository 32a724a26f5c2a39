"""Fork-safety check: TensorFlow imported but not initialized."""

from __future__ import annotations

import sys
import threading

from tensorflow.python.eager import context


def can_fork() -> bool:
    """Whether nothing has been computed with TensorFlow yet, and no thread been started.

    TensorFlow starts threads when it first computes something, and a fork would wait for them for
    ever. A process that has only imported it can be forked, which saves its forks the import.
    """
    if sys.platform != "linux" or threading.active_count() > 1:
        return False
    current = context.context_safe()
    return current is None or not current._initialized
