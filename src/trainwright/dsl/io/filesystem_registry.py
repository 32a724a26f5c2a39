"""Registry of filesystems by the scheme of a path."""

from __future__ import annotations

import os
import re
import threading

from trainwright.dsl.io.filesystem import Filesystem, LocalFilesystem, PathType
from trainwright.dsl.io.object_filesystem import ObjectFilesystem

_SCHEME = re.compile(r"[a-z0-9]+://")


class FilesystemRegistry:
    """Filesystems by the schemes of their paths. May be used by several threads."""

    def __init__(self) -> None:
        self._by_scheme: dict[str, type[Filesystem]] = {}
        self._priorities: dict[type[Filesystem], int] = {}
        self._fallback: type[Filesystem] | None = None
        self._lock = threading.Lock()

    def register(
        self, filesystem_cls: type[Filesystem], priority: int, use_as_fallback: bool = False
    ) -> None:
        """Registers a filesystem for its `SUPPORTED_SCHEMES`.

        Args:
            filesystem_cls: The class.
            priority: Of several for one scheme, the one with the lowest number is used.
            use_as_fallback: Use it for schemes that nobody has registered, too.
        """
        with self._lock:
            self._priorities[filesystem_cls] = priority
            for scheme in filesystem_cls.SUPPORTED_SCHEMES:
                if self._comes_before(priority, self._by_scheme.get(scheme)):
                    self._by_scheme[scheme] = filesystem_cls
            if use_as_fallback and self._comes_before(priority, self._fallback):
                self._fallback = filesystem_cls

    def _comes_before(self, priority: int, other: type[Filesystem] | None) -> bool:
        return other is None or priority < self._priorities[other]

    def get_filesystem_for_scheme(self, scheme: PathType) -> type[Filesystem]:
        """The filesystem for paths that begin with this, such as `gs://`; "" for local paths."""
        scheme = os.fsdecode(scheme)
        found = self._by_scheme.get(scheme, self._fallback)
        if found is None:
            raise ValueError(
                f"The filesystem scheme {scheme!r} is not available for use. Register a filesystem "
                "for it, for example TensorFlow's: DEFAULT_FILESYSTEM_REGISTRY.register("
                "tensorflow_gfile.TensorflowFilesystem, priority=10)."
            )
        return found

    def get_filesystem_for_path(self, path: PathType) -> type[Filesystem]:
        """The filesystem that a path belongs to; one without a scheme is local."""
        if not isinstance(path, (str, bytes)):
            raise ValueError(f"Invalid path type: {path!r}. Give a string or bytes.")
        scheme = _SCHEME.match(os.fsdecode(path))
        return self.get_filesystem_for_scheme(scheme[0] if scheme else "")


# What `fileio` uses. Local paths stay with Python's own functions, whatever else is registered
# with one of TFX's priorities, 10 and 20, and object stores go to what is.
DEFAULT_FILESYSTEM_REGISTRY = FilesystemRegistry()
DEFAULT_FILESYSTEM_REGISTRY.register(LocalFilesystem, priority=5)
DEFAULT_FILESYSTEM_REGISTRY.register(ObjectFilesystem, priority=30)
