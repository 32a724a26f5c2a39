"""ModelVersions: which versions of a model are served, as they come and go on disk."""

from __future__ import annotations

import asyncio
import contextlib
import enum
import logging
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Protocol, TypeVar

from trainwright._suggest import did_you_mean
from trainwright.serving.errors import ModelLoadError, RequestError, cut
from trainwright.serving.metrics import ServingMetrics
from trainwright.serving.model_directory import ModelDirectory, fingerprint

_logger = logging.getLogger(__name__)


class VersionState(enum.Enum):
    """The life of a version, in TensorFlow Serving's words."""

    LOADING = "LOADING"
    AVAILABLE = "AVAILABLE"
    UNLOADING = "UNLOADING"
    END = "END"


class Closable(Protocol):
    """What a version is once it is loaded."""

    def close(self) -> None:
        """Gives its memory back."""


Loaded = TypeVar("Loaded", bound=Closable)


@dataclass(eq=False)
class Version:
    """One version of the model.

    Args:
        number: Its number.
        path: Its directory.
        state: Where it is in its life.
        problem: Why it could not be loaded.
        seen: The files that could not be loaded; others may be.
        loaded: What answers; None unless it is AVAILABLE or UNLOADING.
        users: How many requests it is answering.
    """

    number: int
    path: str
    state: VersionState = VersionState.LOADING
    problem: str = ""
    seen: object = None
    loaded: Closable | None = None
    users: int = 0
    unused: asyncio.Event = field(default_factory=asyncio.Event)


class ModelVersions:
    """The versions of one model: the newest is served, or those that are asked for.

    A version is loaded while the one before it still answers, and that is unloaded when the last
    of its requests is answered: no request is dropped. One that cannot be loaded changes nothing;
    `statuses` says why, and it is tried again when its files change. If the newest is taken away,
    the one before it is served again; if all are, the last goes on.

    All methods belong to the event loop; loading and unloading happen in the executor's threads.

    Args:
        directory: Where they are.
        load: Makes a version ready, given its path; raises ModelLoadError.
        executor: Where it does.
        metrics: Are told of versions.
        only: The versions to serve; the newest if empty.
        labels: Names for versions, which are served as well.
    """

    def __init__(
        self,
        directory: ModelDirectory,
        load: Callable[[str], Closable],
        executor: Executor,
        metrics: ServingMetrics,
        *,
        only: frozenset[int] = frozenset(),
        labels: Mapping[str, int] | None = None,
    ) -> None:
        self.directory = directory
        self._load = load
        self._executor = executor
        self._metrics = metrics
        self._only = only
        self._labels = dict(labels or {})
        self._versions: dict[int, Version] = {}
        self._unloading: set[asyncio.Task[None]] = set()

    @property
    def name(self) -> str:
        return self.directory.name

    @property
    def available(self) -> list[int]:
        """The versions that are served, the newest first."""
        return sorted(
            (
                number
                for number, version in self._versions.items()
                if version.state is VersionState.AVAILABLE
            ),
            reverse=True,
        )

    def statuses(self) -> list[Version]:
        """All that is known, the newest first."""
        return [self._versions[number] for number in sorted(self._versions, reverse=True)]

    def find(self, number: int | None = None, label: str | None = None) -> Version:
        """The version for a request: by number or label, else the newest that is served.

        Raises:
            RequestError: if there is none.
        """
        if label is not None:
            if label not in self._labels:
                asked = cut(label)
                raise RequestError(
                    f"The model {self.name!r} has no version with the label "
                    f"{asked!r}{did_you_mean(asked, self._labels)}",
                    HTTPStatus.NOT_FOUND,
                )
            number = self._labels[label]
        served = self.available
        if number is None:
            if served:
                return self._versions[served[0]]
            raise RequestError(self._why_none(), HTTPStatus.SERVICE_UNAVAILABLE)
        if number not in served:
            listed = ", ".join(map(str, served)) or "none"
            raise RequestError(
                f"The version {number} of the model {self.name!r} is not served. Served now: "
                f"{listed}.",
                HTTPStatus.NOT_FOUND,
            )
        return self._versions[number]

    def _why_none(self) -> str:
        failed = [version for version in self.statuses() if version.problem]
        if failed:
            return f"No version of {self.name!r} could be loaded. {failed[0].problem}"
        is_loading = any(one.state is VersionState.LOADING for one in self._versions.values())
        if is_loading:
            return f"The model {self.name!r} is being loaded. Try again in a moment."
        return f"There is no version of {self.name!r} at {self.directory.path} yet."

    @contextlib.contextmanager
    def use(self, version: Version) -> Iterator[None]:
        """Keeps a version loaded while a request is answered."""
        version.users += 1
        try:
            yield
        finally:
            version.users -= 1
            if not version.users:
                version.unused.set()

    async def watch(self, seconds: float) -> None:
        """Follows what happens in the directory, for ever."""
        while True:
            await asyncio.sleep(seconds)
            try:
                await self.refresh()
            except Exception:
                # Whatever it is, what is served goes on being served.
                _logger.exception("The versions at %s were not looked at.", self.directory.path)

    async def refresh(self) -> None:
        """Looks once, and loads and unloads what has changed."""
        loop = asyncio.get_running_loop()
        try:
            found = await loop.run_in_executor(self._executor, self.directory.versions)
        except OSError as error:
            _logger.warning("%s cannot be read: %s", self.directory.path, error.strerror)
            return
        self._forget_failures(found)
        wanted = await self._load_wanted(found)
        for number in self.available:
            if number not in wanted and wanted:
                self._unload(self._versions[number])

    async def _load_wanted(self, found: Mapping[int, str]) -> set[int]:
        """Loads what is to be served; returns what is served of it."""
        numbers = sorted(self._only & found.keys() if self._only else found, reverse=True)
        wanted = set()
        for number in numbers:
            if await self._make_available(number, found):
                wanted.add(number)
                if not self._only:
                    break  # the newest that can be loaded
        for number in sorted(set(self._labels.values()) & found.keys()):
            if await self._make_available(number, found):
                wanted.add(number)
        return wanted

    async def _make_available(self, number: int, found: Mapping[int, str]) -> bool:
        """Loads a version unless it is; whether it is served then."""
        known = self._versions.get(number)
        if known is not None and known.state is VersionState.AVAILABLE:
            return True
        if known is not None and known.state is VersionState.UNLOADING:
            return False  # it comes back at the next look
        loop = asyncio.get_running_loop()
        seen = await loop.run_in_executor(self._executor, fingerprint, found[number])
        if known is not None and known.problem and known.seen == seen:
            return False
        version = self._versions[number] = Version(number, found[number], seen=seen)
        try:
            version.loaded = await loop.run_in_executor(self._executor, self._load, version.path)
        except ModelLoadError as error:
            version.state, version.problem = VersionState.END, str(error)
            self._metrics.note_load(succeeded=False)
            others = f"; version {self.available[0]} goes on" if self.available else ""
            _logger.error("Version %d is not served%s. %s", number, others, error)
            return False
        version.state = VersionState.AVAILABLE
        self._metrics.note_load(succeeded=True)
        self._metrics.note_version(number, is_available=True)
        _logger.info("Version %d of %s is served, from %s.", number, self.name, version.path)
        return True

    def _forget_failures(self, found: Mapping[int, str]) -> None:
        for number, version in list(self._versions.items()):
            if version.state is VersionState.END and number not in found:
                del self._versions[number]

    def _unload(self, version: Version) -> None:
        version.state = VersionState.UNLOADING
        self._metrics.note_version(version.number, is_available=False)
        task = asyncio.get_running_loop().create_task(self._drain(version))
        self._unloading.add(task)
        task.add_done_callback(self._unloading.discard)

    async def _drain(self, version: Version) -> None:
        """Gives a version's memory back when nobody asks it any more."""
        while version.users:
            version.unused.clear()
            await version.unused.wait()
        loaded, version.loaded = version.loaded, None
        if loaded is not None:
            await asyncio.get_running_loop().run_in_executor(self._executor, loaded.close)
        if self._versions.get(version.number) is version:
            del self._versions[version.number]
        _logger.info("Version %d of %s is unloaded.", version.number, self.name)

    async def close(self) -> None:
        """Unloads all versions, after their last requests."""
        for number in self.available:
            self._unload(self._versions[number])
        if self._unloading:
            await asyncio.gather(*self._unloading)
