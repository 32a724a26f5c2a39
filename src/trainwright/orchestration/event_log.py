"""The event log of a run: its events as lines of JSON in a file below the pipeline root.

`<root>/.system/runs/<run>/events.jsonl` is written by the run alone, an event at a time, so that
whoever can read the root can follow a run that somebody else started (`history/logs.py`). Nothing
that a run relies on is read from it.

The directory is the run's if the mark in it has the run's token, as it is with executions (see
`publishing/claims.py`); `gc` removes it with the run.
"""

from __future__ import annotations

import atexit
import contextlib
import errno
import hashlib
import itertools
import json
import os
import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import quote

from trainwright.metadata.records import RunRecord
from trainwright.orchestration.events import NodeProgress, NodeStarted, RunEvent, RunFinished
from trainwright.orchestration.publishing import claims, layout, places, work_files
from trainwright.orchestration.publishing.plain_files import open_plain
from trainwright.orchestration.publishing.reserved_directories import ReservedDirectories
from trainwright.storage.mirror import Mirror

_STEPS = (".system", "runs")
_FILE = "events.jsonl"
_NAME = re.compile(r"([A-Za-z0-9_-][A-Za-z0-9_.%-]*?)(?:\+[1-9][0-9]*)?")

# Progress is written at least a second after the last of its node, and the later the longer the
# node runs: a training of a week leaves some thousand lines, however often it reports.
_SHORTEST_GAP_SECONDS = 1.0
_GAP_OF_TIME_RUN = 0.01
# A longer text in an event, such as an endless traceback, is cut.
_LONGEST_TEXT = 64 * 1024
# How far behind the copy in an object store may be.
_MIRROR_SECONDS = 2.0


class EventLog:
    """An observer that writes down what it is told. `begin` makes one.

    Args:
        directory: The run's own directory.
    """

    def __init__(self, directory: str) -> None:
        self.path = os.path.join(directory, _FILE)
        # An object cannot grow: the file is here, and copied to where others find it.
        self.file = layout.work_path(self.path)
        self._copying = contextlib.ExitStack()
        if self.file != self.path:
            self._copying.enter_context(work_files.in_use(directory))
            mirror = self._copying.enter_context(Mirror(seconds=_MIRROR_SECONDS))
            mirror.add(self.file, self.path)
            atexit.register(self._copying.close)
        self._started: dict[str, float] = {}
        self._progressed: dict[str, float] = {}
        self._is_torn = False

    @classmethod
    def of(cls, run: RunRecord, store_location: str) -> EventLog:
        """The log of a run, which another command of the same run may have begun; raises OSError
        if it can have none."""
        return cls.find(run) or cls.begin(run, store_location)

    @classmethod
    def find(cls, run: RunRecord) -> EventLog | None:
        """The log that a run has, unless a link leads to it: nothing is written through one."""
        for _, directory in find_run_directories([run], ReservedDirectories()):
            return cls(directory)
        return None

    @classmethod
    def begin(cls, run: RunRecord, store_location: str) -> EventLog:
        """Makes the run's directory; raises OSError if that cannot be."""
        above = os.path.join(run.root, *_STEPS)
        # As with all that a run makes: not where a link below the root leads.
        if ReservedDirectories().below(run.root, _STEPS, _FILE) is None:
            raise OSError(errno.ELOOP, "expected no link on the way; remove it", above)
        for number in itertools.count():
            directory = os.path.join(above, _leaf(run.run_id) + (f"+{number}" if number else ""))
            try:
                claims.claim(directory, claims.run_token(run), store_location)
            except claims.PlaceTakenError:
                continue  # another store has a run of the same id below this root
            return cls(directory)
        raise AssertionError("there is always a free name")

    def __call__(self, event: RunEvent) -> None:
        if isinstance(event, NodeStarted):
            self._started[event.node] = event.at
            self._progressed.pop(event.node, None)
        if isinstance(event, NodeProgress) and not self._is_due(event):
            return
        line = json.dumps(_shortened(event.to_json()), default=str).encode("ascii") + b"\n"
        # What a full disk has cut is a line of its own, which readers leave out.
        self._append(b"\n" + line if self._is_torn else line)
        if isinstance(event, RunFinished):
            self._copying.close()
            atexit.unregister(self._copying.close)
            work_files.discard_work(os.path.dirname(self.path))

    def _is_due(self, event: NodeProgress) -> bool:
        last = self._progressed.get(event.node)
        if last is not None:
            time_run = event.at - self._started.get(event.node, last)
            if event.at - last < max(_SHORTEST_GAP_SECONDS, _GAP_OF_TIME_RUN * time_run):
                return False
        self._progressed[event.node] = event.at
        return True

    def _append(self, content: bytes) -> None:
        descriptor = open_plain(self.file, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
        try:
            self._is_torn = True
            self._is_torn = os.write(descriptor, content) < len(content)
        finally:
            os.close(descriptor)


def clear_up_event_logs(root: str) -> None:
    """Uploads what runs that were killed on this machine had not yet copied to an object store."""
    work_files.clear_up_runs(root, "/".join(_STEPS), _FILE)


def find_event_log(run: RunRecord) -> str | None:
    """The path of a run's event log; None if it has none here, as after `gc` or from before."""
    above = os.path.join(run.root, *_STEPS)
    for name in _names_of([run], _listed(above)).get(run.run_id, ()):
        directory = os.path.join(above, name)
        if claims.is_marked(directory, claims.run_token(run)):
            return os.path.join(directory, _FILE)
    return None


def find_run_directories(
    runs: Iterable[RunRecord], reserved: ReservedDirectories
) -> Iterator[tuple[RunRecord, str]]:
    """Those of the runs that have a directory with their mark, each with its real path.

    The disk is asked first: of most runs in a large store nothing is left there.
    """
    by_root: dict[str, list[RunRecord]] = {}
    for run in runs:
        by_root.setdefault(run.root, []).append(run)
    for root, of_root in by_root.items():
        names = _names_of(of_root, _listed(os.path.join(root, *_STEPS))) if root else {}
        for run in of_root:
            for name in names.get(run.run_id, ()):
                directory = reserved.below(root, _STEPS, name)
                if directory is not None and claims.is_marked(directory, claims.run_token(run)):
                    yield run, directory


def read_events(content: bytes) -> Iterator[RunEvent]:
    """The events in whole lines of a log; what is not an event is left out."""
    for line in content.split(b"\n"):
        with contextlib.suppress(ValueError, RecursionError):
            yield RunEvent.from_json(json.loads(line))


def _leaf(run_id: str) -> str:
    """A run's id as the name of a directory: `2026-11-18T16:27:35` becomes
    `2026-11-18T16%3A27%3A35`."""
    encoded = quote(run_id, safe="", errors="surrogatepass").replace("~", "%7E")
    # No hidden directory, none above this one, and none with a name that is too long.
    safe = f"_{encoded}" if encoded.startswith(".") or not encoded else encoded
    if len(safe) <= 200:
        return safe
    return f"{safe[:150]}_{hashlib.sha256(encoded.encode()).hexdigest()[:32]}"


def _listed(directory: str) -> list[str]:
    return places.names_in(directory)


def _names_of(runs: Iterable[RunRecord], names: Iterable[str]) -> dict[str, list[str]]:
    """Which of the names may be those of the runs' directories, by run id."""
    by_leaf: dict[str, list[str]] = {}
    for name in names:
        matched = _NAME.fullmatch(name)
        if matched is not None:
            by_leaf.setdefault(matched[1], []).append(name)
    return {run.run_id: by_leaf[leaf] for run in runs if (leaf := _leaf(run.run_id)) in by_leaf}


def _shortened(value: Any) -> Any:
    if isinstance(value, str):
        return value if len(value) <= _LONGEST_TEXT else f"{value[:_LONGEST_TEXT]} ..."
    if isinstance(value, dict):
        return {name: _shortened(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_shortened(item) for item in value]
    return value
