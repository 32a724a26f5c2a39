"""Exchange: the place where a caller and hosts far away leave bytes for each other, by name.

It is a directory that all see, or one of an object store. What is there is there whole: readers
never see half of what is being written.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import uuid

from trainwright.storage.uris import is_supported, join


class Exchange:
    """Reads and writes below a directory, or below the address of one in an object store.

    Args:
        place: The directory or address; hosts make their own `Exchange` of it.

    Example:
        ```py
        exchange = Exchange("gs://bucket/temp/3f")
        exchange.write("out/7", b"...")
        ```
    """

    def __init__(self, place: str) -> None:
        self.place = place
        self.is_remote = is_supported(place)

    def write(self, name: str, data: bytes | memoryview) -> None:
        """Puts something in its place; what was there before is replaced."""
        if self.is_remote:
            from trainwright.storage import objects

            objects.write(join(self.place, name), bytes(data))
            return
        path = os.path.join(self.place, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        new = f"{path}.{uuid.uuid4().hex}"
        with open(new, "wb") as file:
            file.write(data)
        os.replace(new, path)

    def read(self, name: str) -> bytes | None:
        """What is in a place; None if nothing is, or not yet."""
        if self.is_remote:
            from trainwright.storage import objects
            from trainwright.storage.errors import NoSuchObjectError

            try:
                return objects.read(join(self.place, name))
            except NoSuchObjectError:
                return None
        try:
            with open(os.path.join(self.place, name), "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def has_any(self, name: str) -> bool:
        """Whether there is anything below a name."""
        if self.is_remote:
            from trainwright.storage import objects

            return objects.exists(join(self.place, name))
        with contextlib.suppress(FileNotFoundError):
            return bool(os.listdir(os.path.join(self.place, name)))
        return False

    def remove(self, name: str) -> None:
        """Removes one thing, if it is there."""
        if self.is_remote:
            from trainwright.storage import objects

            objects.remove(join(self.place, name))
            return
        with contextlib.suppress(FileNotFoundError):
            os.unlink(os.path.join(self.place, name))

    def remove_all(self) -> None:
        """Removes everything."""
        if self.is_remote:
            from trainwright.storage import objects

            objects.remove_tree(self.place)
        else:
            shutil.rmtree(self.place, ignore_errors=True)
