"""Claims: which execution, of which store, a directory belongs to.

Executions are numbered by their store, and a root may have seen several: another store that is used
at the same time, one that was deleted since, a copy of this one. So each execution is registered
with a random token, and the first that is made of it on disk is a mark with this token in its own
directory. Its outputs have the same name as that directory: what lies there is the execution's if,
and only if, the mark is. Nothing else is published, or removed, in its name.

The token is the name of the mark's file, which is there at once or not at all, also after a power
failure. The file holds the address of the store, by which a copy of it is told from the original.
In an object store the mark is the object `owner`, made by a conditional put, which one of many
wins; it holds the token, too.

Executions of versions without tokens have none in the store, and no mark is asked of them. Those
that were imported from ml-metadata, or written through it, have a constant in the place of a token,
which no mark can have: what they speak of is never this store's to remove.

A run has a directory with a mark, too (`event_log.py`). Its token is made of what the store says of
the run, see `run_token`.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import secrets
from collections.abc import Callable, Iterable

from trainwright._paths import is_remote
from trainwright.metadata.connection import hide_password, open_store
from trainwright.metadata.internal_properties import (
    FOREIGN_MARKS,
    IMPORTED_MARK,
    MARK,
    WRITTEN_MARK,
)
from trainwright.metadata.records import RunRecord
from trainwright.metadata.store import MetadataError, MetadataStore
from trainwright.orchestration.publishing import layout, places
from trainwright.orchestration.publishing.reserved_directories import ReservedDirectories
from trainwright.storage import objects, uris

_PREFIX = "owner-"
# A token, and the address of a store.
_LARGEST_MARK = 1 << 12
_OBJECT = "owner"


class PlaceTakenError(FileExistsError):
    """Another store's run has made a directory since its name was chosen for this execution."""

    def __init__(self, directory: str) -> None:
        super().__init__(
            f"{directory} is another store's: a run that works below the same root has made it in "
            "this moment."
        )


def make_token() -> str:
    return secrets.token_hex(16)


def claim(directory: str, token: str, store_location: str) -> None:
    """Makes the directory of an execution, or of a run, with its mark; raises PlaceTakenError if it
    is there."""
    if is_remote(directory):
        if not objects.create(_mark(directory, token), _mark_content(token, store_location)):
            raise PlaceTakenError(directory)
        return
    os.makedirs(os.path.dirname(directory), exist_ok=True)
    try:
        os.mkdir(directory)
    except FileExistsError:
        raise PlaceTakenError(directory) from None
    with open(_mark(directory, token), "xb") as file:
        file.write(os.fsencode(_address(store_location)))


def give_back(directory: str, token: str) -> None:
    """Undoes `claim`, before anything else was put there."""
    with contextlib.suppress(OSError):
        if is_remote(directory):
            objects.remove(_mark(directory, token))
            return
        os.remove(_mark(directory, token))
        os.rmdir(directory)


def find_directory(root: str, node_id: str, execution_id: int, token: str | None) -> str | None:
    """The directory of an execution with this token; for readers, who may follow links."""
    for leaf in _leaves(root, node_id, execution_id, token):
        directory = layout.execution_directory(root, node_id, leaf)
        if token is None or is_marked(directory, token):
            return directory
    return None


def find_other_store(directory: str, store_location: str) -> str | None:
    """The store whose execution has the plain name that the one in this directory did not get.

    Returns:
        Its address, as far as the mark there tells one; None if it is this very store's: it was
        deleted and begun anew, or the name was not taken.
    """
    above, leaf = os.path.split(directory)
    plain = os.path.join(above, leaf.partition(".")[0])
    if plain == directory:
        return None
    if is_remote(plain):
        content = places.read_small(uris.join(plain, _OBJECT), _LARGEST_MARK) or b""
        tokens = [os.fsdecode(content.partition(b"\n")[0])]
    else:
        names = places.names_in(plain)
        tokens = [name.removeprefix(_PREFIX) for name in names if name.startswith(_PREFIX)]
    found = [_read_address(plain, token) for token in tokens if is_marked(plain, token)]
    others = [one for one in found if one and one != _address(store_location)]
    return hide_password(others[0]) if others else None


def read_tokens(store: MetadataStore, execution_ids: Iterable[int]) -> dict[int, str]:
    """The tokens of those executions that have one."""
    found = store.get_attachments(MARK, execution_ids)
    return {execution_id: str(token) for execution_id, token in found.items()}


def run_token(run: RunRecord) -> str:
    """What tells a run from one of the same id in another store; a copy of its store knows it."""
    lease = run.lease
    process = (lease.host, lease.pid, lease.process_started_at) if lease else ()
    facts = json.dumps([run.run_id, run.pipeline, run.started_at, *process])
    return hashlib.sha256(facts.encode()).hexdigest()[:32]


class Claims:
    """Says of directories whether they are those of a store's executions.

    Args:
        store: The store.
        reserved: Finds directories by their real paths.
    """

    def __init__(self, store: MetadataStore, reserved: ReservedDirectories) -> None:
        self._store = store
        self._reserved = reserved
        self._tokens: dict[int, str | None] = {}
        self._address = _address(store.location)
        self._held_elsewhere: dict[tuple[str, str], bool] = {}

    def look_up(self, execution_ids: Iterable[int]) -> None:
        """Asks the store about many executions at once."""
        wanted = set(execution_ids) - self._tokens.keys()
        if wanted:
            self._tokens |= {**dict.fromkeys(wanted), **read_tokens(self._store, wanted)}

    def directory_of(self, root: str, node_id: str, execution_id: int) -> str | None:
        """The real path of an execution's own directory; None if it has none, or not below here."""
        token = self._token(execution_id)
        for leaf in _leaves(root, node_id, execution_id, token):
            if self.why_not_ours(root, node_id, leaf, execution_id) is None:
                return self._directory(root, node_id, leaf)
        return None

    def names(self, execution_id: int, directory: str) -> bool:
        """Whether a directory has the execution's mark, or the name of one that has no mark."""
        token = self._token(execution_id)
        if token is None:
            return os.path.basename(directory) == str(execution_id)
        return is_marked(directory, token)

    def is_foreign(self, execution_id: int) -> bool:
        """Whether another program wrote the execution, so that nothing was made for it here."""
        return self._token(execution_id) in FOREIGN_MARKS

    def why_not_ours(self, root: str, node_id: str, leaf: str, execution_id: int) -> str | None:
        """Why directories of this name are not the execution's, as the end of a sentence."""
        token = self._token(execution_id)
        if token is None:
            return None
        if token == IMPORTED_MARK:
            return "they were made elsewhere and imported from ml-metadata; delete them yourself"
        if token == WRITTEN_MARK:
            return "they were recorded through ml_metadata, not made by a run; delete them yourself"
        directory = self._directory(root, node_id, leaf)
        if directory is None or not is_marked(directory, token):
            return "no mark beside them says that they are this store's"
        other = self._find_original(
            directory,
            token,
            lambda other: read_tokens(other, [execution_id]).get(execution_id) == token,
        )
        if other is not None:
            return f"they are also those of the store {other}, of which this one is a copy"
        return None

    def _token(self, execution_id: int) -> str | None:
        self.look_up([execution_id])
        return self._tokens[execution_id]

    def _directory(self, root: str, node_id: str, leaf: str) -> str | None:
        return self._reserved.below(root, layout.execution_steps(node_id), leaf)

    def find_original_of_run(self, directory: str, run_id: str, token: str) -> str | None:
        """The store that made the directory of a run, if this one is a copy of it."""
        return self._find_original(directory, token, lambda other: _knows_run(other, run_id, token))

    def _find_original(
        self, directory: str, token: str, knows: Callable[[MetadataStore], bool]
    ) -> str | None:
        """The store that made a directory, if that is another one and still knows of it.

        If it is gone, or knows nothing of it, the store was moved to where it is now.
        """
        address = _read_address(directory, token)
        if address is None or address == self._address or "://" in address:
            return None
        if not os.path.isfile(address):
            return None
        known = (address, token)
        if known not in self._held_elsewhere:
            self._held_elsewhere[known] = self._is_held(address, knows)
        return address if self._held_elsewhere[known] else None

    def _is_held(self, address: str, knows: Callable[[MetadataStore], bool]) -> bool:
        with contextlib.suppress(OSError):
            if os.path.samefile(address, self._address):
                return False
        try:
            with open_store(address, create=False) as other:
                return knows(other)
        except KeyError:
            return False
        except MetadataError:
            return True  # nobody can say what it knows


def _knows_run(store: MetadataStore, run_id: str, token: str) -> bool:
    run = store.get_run(run_id)
    return run is not None and run_token(run) == token


def _leaves(root: str, node_id: str, execution_id: int, token: str | None) -> list[str]:
    """The names that an execution's directory may have, the likely one first."""
    plain = str(execution_id)
    directory = layout.execution_directory(root, node_id, plain)
    if token is None or is_marked(directory, token):
        return [plain]
    names = places.names_in(os.path.dirname(directory))
    return [name for name in names if layout.numbered(name) == execution_id]


def is_marked(directory: str, token: str) -> bool:
    """Whether the directory is that of an execution, or a run, with this token."""
    if is_remote(directory):
        content = places.read_small(_mark(directory, token), _LARGEST_MARK)
        return content is not None and content.partition(b"\n")[0] == token.encode()
    return token.isalnum() and os.path.isfile(_mark(directory, token))


def _mark(directory: str, token: str) -> str:
    """The file, or the object, that says whose a directory is."""
    if is_remote(directory):
        return uris.join(directory, _OBJECT)
    return os.path.join(directory, _PREFIX + token)


def _mark_content(token: str, store_location: str) -> bytes:
    """What the object holds: all who claim a directory write it under the same name."""
    return token.encode() + b"\n" + os.fsencode(_address(store_location))


def _read_address(directory: str, token: str) -> str | None:
    """The address of the store that made a directory which has the mark with this token."""
    mark = _mark(directory, token)
    if is_remote(directory):
        content = places.read_small(mark, _LARGEST_MARK) or b""
        marked, _, address = content.partition(b"\n")
        return os.fsdecode(address) if marked == token.encode() else None
    try:
        with open(mark, "rb") as file:
            return os.fsdecode(file.read())
    except OSError:
        return None


def _address(location: str) -> str:
    """How a mark names a store: a file by its real path."""
    return location if "://" in location else os.path.realpath(location)
