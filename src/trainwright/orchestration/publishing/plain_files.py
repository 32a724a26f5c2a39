"""Opening files where user code may have put something else: a named pipe holds whoever opens it.

Logs and results lie in directories that a node's own code can write to. What is opened there is a
plain file or nothing: neither a pipe, which waits for its other end, nor a device, which may never
end, nor a link, which leads to what is not ours.
"""

from __future__ import annotations

import errno
import os
import stat
from typing import BinaryIO

from trainwright._paths import is_remote, kind_of
from trainwright.orchestration.publishing import layout
from trainwright.storage import objects


class NotAPlainFileError(OSError):
    """Something else than a file is where one is expected."""


def open_plain(path: str, flags: int) -> int:
    """Opens a file, with flags of `os.open`, and returns its descriptor.

    Raises:
        NotAPlainFileError: if it is a link, a named pipe, a device or the like.
        OSError: if it cannot be opened.
    """
    careful = os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
    try:
        descriptor = os.open(path, flags | careful, 0o644)
    except OSError as error:
        if error.errno in (errno.ELOOP, errno.ENXIO, errno.EISDIR, errno.EOPNOTSUPP):
            raise _not_plain(path) from None
        raise
    if not stat.S_ISREG(os.fstat(descriptor).st_mode):
        os.close(descriptor)
        raise _not_plain(path)
    os.set_blocking(descriptor, True)  # whoever inherits it expects a usual one
    return descriptor


def open_log(path: str) -> BinaryIO:
    """Opens a log, or an event log, to read it; one in an object store where it is nearest.

    While its process runs on this machine, the file that it writes is ahead of the object.

    Raises:
        NotAPlainFileError: if it is a link, a named pipe, a device or the like.
        OSError: if it cannot be opened.
    """
    if not is_remote(path):
        return open(open_plain(path, os.O_RDONLY), "rb")
    try:
        return open(open_plain(layout.work_path(path), os.O_RDONLY), "rb")
    except OSError:
        return objects.open_input(path)


def _not_plain(path: str) -> NotAPlainFileError:
    kind = "a link" if os.path.islink(path) else kind_of(path)
    return NotAPlainFileError(errno.EINVAL, f"expected a plain file, found {kind}; remove it", path)
