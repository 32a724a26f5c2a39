"""Exchange: the place where a caller and hosts far away leave bytes for each other, by name.

It is a directory that all see, or one of an object store. What is there is there whole: readers
never see half of what is being written. Others may be able to write there, too: so what is put
there is signed with a key that caller and hosts have from elsewhere, and all else is refused.
"""

from __future__ import annotations

import contextlib
import hashlib
import hmac
import os
import shutil
import tempfile
import time
import uuid

from trainwright._errors import TrainwrightError
from trainwright.storage.uris import is_supported, join

# Is there as long as the caller waits, who writes it again now and then.
OPEN = "open"
# Caller and hosts that are killed leave their exchange; that of a caller who has not been heard of
# for this long is removed by the next.
_SECONDS_UNTIL_LEFT = 24 * 3600.0

_PREFIX = "trainwright-beam-"
_SIGNATURE_BYTES = hashlib.sha256().digest_size


class ExchangeError(TrainwrightError, RuntimeError):
    """Something in an exchange is not what was put there."""


class Exchange:
    """Reads and writes below a directory, or below the address of one in an object store.

    Args:
        place: The directory or address; hosts make their own `Exchange` of it.
        key: What signs; it travels with the pass, never by way of the place itself.

    Example:
        ```py
        exchange = Exchange("gs://bucket/temp/3f", secrets.token_hex(32))
        exchange.write("out/7", b"...")
        ```
    """

    def __init__(self, place: str, key: str) -> None:
        self.place = place
        self.key = key
        self.is_remote = is_supported(place)

    @classmethod
    def make(cls, directory: str | None, key: str) -> Exchange:
        """A new one in a directory, by default of this machine's temporary files."""
        if directory is not None and is_supported(directory):
            _remove_left_in_store(directory)
            return cls(join(directory, f"{_PREFIX}{uuid.uuid4().hex}"), key)
        _remove_left_on_disk(directory or tempfile.gettempdir())
        return cls(tempfile.mkdtemp(prefix=_PREFIX, dir=directory), key)

    def _sign(self, name: str, data: bytes | memoryview) -> bytes:
        # The name is signed, too, so that nothing can be put in another's place.
        signing = hmac.new(self.key.encode(), f"{name}\0".encode(), hashlib.sha256)
        signing.update(data)
        return signing.digest()

    def write(self, name: str, data: bytes | memoryview) -> None:
        """Puts something in its place; what was there before is replaced."""
        signature = self._sign(name, data)
        if self.is_remote:
            from trainwright.storage import objects

            objects.write(join(self.place, name), b"".join((signature, data)))
            return
        path = os.path.join(self.place, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        new = f"{path}.{uuid.uuid4().hex}"
        with open(new, "wb") as file:
            file.write(signature)
            file.write(data)
        os.replace(new, path)

    def read(self, name: str) -> bytes | None:
        """What is in a place; None if nothing is, or not yet.

        Raises:
            ExchangeError: if it is not what caller or hosts have written there.
        """
        signed = self._read_signed(name)
        if signed is None:
            return None
        signature, data = signed[:_SIGNATURE_BYTES], signed[_SIGNATURE_BYTES:]
        if not hmac.compare_digest(signature, self._sign(name, data)):
            raise ExchangeError(
                f"{name} in {self.place} was written or changed by something else than this pass. "
                "Look who may write there, and run the node again."
            )
        return data

    def _read_signed(self, name: str) -> bytes | None:
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

    def names(self, name: str) -> list[str]:
        """The names below a name, in the order in which they were put there.

        Nothing of it is signed: it is for messages. What cannot be listed just now has none.
        """
        if self.is_remote:
            from trainwright.storage import objects
            from trainwright.storage.errors import StorageError

            with contextlib.suppress(StorageError):
                found = objects.list_tree(join(self.place, name))
                found.sort(key=lambda facts: facts.modified_ns)
                return [facts.uri.rpartition("/")[2] for facts in found]
            return []
        with (
            contextlib.suppress(OSError),
            os.scandir(os.path.join(self.place, name)) as entries,
        ):
            there = [
                (entry.stat(follow_symlinks=False).st_mtime_ns, entry.name) for entry in entries
            ]
            return [entry_name for _, entry_name in sorted(there)]
        return []

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


def _remove_left_on_disk(directory: str) -> None:
    before = time.time() - _SECONDS_UNTIL_LEFT
    with contextlib.suppress(OSError), os.scandir(directory) as entries:
        for entry in entries:
            if entry.name.startswith(_PREFIX) and entry.is_dir(follow_symlinks=False):
                with contextlib.suppress(OSError):  # which has none is being made, or removed
                    if os.stat(os.path.join(entry.path, OPEN)).st_mtime < before:
                        shutil.rmtree(entry.path, ignore_errors=True)


def _remove_left_in_store(directory: str) -> None:
    from trainwright.storage import objects
    from trainwright.storage.errors import StorageError

    before = time.time() - _SECONDS_UNTIL_LEFT
    with contextlib.suppress(StorageError):
        for name in objects.list_names(directory)[0]:
            facts = None
            if name.startswith(_PREFIX):
                facts = objects.stat(join(directory, name, OPEN))
            if facts is not None and facts.modified_ns / 1e9 < before:
                objects.remove_tree(join(directory, name))
