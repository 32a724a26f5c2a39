"""Run events: what a run tells whoever watches it, one small record per thing that happened.

Each kind of event is a class with typed fields. All of them can be asked for `kind`, `node`, `at`
and `data`, the fields as a dict; as JSON they are what `trainwright run --json` prints and what the
run's event log holds (`event_log.py`).

    def observe(event: RunEvent) -> None:
        if isinstance(event, NodeFailed):
            print(event.node, event.headline)

    LocalDagRunner(observer=observe).run(pipeline)
"""

from __future__ import annotations

import dataclasses
import enum
import functools
import math
import time
import types
import typing
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, TypeGuard


class RunEventKind(enum.Enum):
    """What happened; the class of the event says what is told of it."""

    RUN_STARTED = "run_started"
    RUN_BESIDE = "run_beside"
    EXECUTION_RECOVERED = "execution_recovered"
    STORE_LOST = "store_lost"
    NODE_WARNING = "node_warning"
    NODE_WAITING = "node_waiting"
    NODE_STARTED = "node_started"
    NODE_PROGRESS = "node_progress"
    NODE_CACHED = "node_cached"
    NODE_COMPLETED = "node_completed"
    NODE_RETRYING = "node_retrying"
    NODE_FAILED = "node_failed"
    NODE_SKIPPED = "node_skipped"
    NODE_CANCELED = "node_canceled"
    INPUT_CHANGED = "input_changed"
    RUN_STOPPING = "run_stopping"
    RUN_FINISHED = "run_finished"


_CLASSES: dict[RunEventKind, type[RunEvent]] = {}

# What a line that somebody else has written may ask of its readers: a time that clocks can show,
# and values that are nested no deeper than any executor reports them.
_LAST_TIME = 253402214400.0  # the end of the year 9999
_DEEPEST = 20


@dataclass(frozen=True, kw_only=True)
class RunEvent:
    """One event; `node` is empty for those of the whole run, `at` is in seconds since the epoch."""

    kind: ClassVar[RunEventKind]
    node: str = ""
    at: float = field(default_factory=time.time)

    def __init_subclass__(cls, kind: RunEventKind) -> None:
        cls.kind = kind
        _CLASSES[kind] = cls

    @property
    def data(self) -> dict[str, Any]:
        """The fields of its class by name; one that may be left out and was is not there."""
        return {
            name: value
            for name, is_optional in _own_fields(self.kind).items()
            if (value := getattr(self, name)) is not None or not is_optional
        }

    @staticmethod
    def of(
        kind: RunEventKind, node: str = "", data: Mapping[str, Any] | None = None, **more: Any
    ) -> RunEvent:
        """The event of a kind whose `data` is given; raises TypeError if that is another's.

        Example: `RunEvent.of(RunEventKind.NODE_WARNING, "Trainer", {"message": "..."})`
        """
        made = _CLASSES[kind]
        given = dict(data or {})
        fields = {"progress": given} if made is NodeProgress else given
        return made(node=node, **fields, **more)

    def to_json(self) -> dict[str, Any]:
        """What JSON can hold of it, as `trainwright run --json` prints it."""
        facts = {"event": self.kind.value, "at": self.at, "node": self.node or None}
        # Progress has whatever names an executor gives it.
        record = {**facts, **self.data, **facts}
        return {name: value for name, value in record.items() if value is not None}

    @staticmethod
    def from_json(document: object) -> RunEvent:
        """The event that `to_json` has described; fields that it does not know are left out.

        Raises ValueError if it is not an event, so that a line which somebody else has written
        does no harm.
        """
        if not isinstance(document, dict):
            raise ValueError(f"A run event is a JSON object, got {document!r:.80}.")
        given = dict(document)
        name, at, node = given.pop("event", None), given.pop("at", None), given.pop("node", "")
        known = {kind.value: made for kind, made in _CLASSES.items()}
        if not isinstance(name, str) or name not in known:
            raise ValueError(f"{name!r:.80} is not an event of a run.")
        if not isinstance(node, str) or not _is_number(at) or not 0 <= at <= _LAST_TIME:
            raise ValueError(
                f"A run event {name} has a time and a node, got {at!r:.80}, {node!r:.80}."
            )
        made = known[name]
        if made is NodeProgress:
            if _is_deep(given, _DEEPEST):
                raise ValueError(f"The progress of {node!r:.80} is nested too deeply.")
            return NodeProgress(node=node, at=at, progress=given)
        fields = _own_fields(made.kind)
        missing = [one for one, is_optional in fields.items() if not is_optional]
        # What is None in a record is not in its JSON.
        for one in missing:
            if given.get(one) is None and not _fits(None, _types(made.kind)[one]):
                raise ValueError(f"A run event {name} has {one}, which is missing.")
        values = {one: given.get(one) for one in fields}
        for one, value in values.items():
            if not _fits(value, _types(made.kind)[one]):
                raise ValueError(f"A run event {name} has another {one} than {value!r:.80}.")
        return made(node=node, at=at, **values)


@functools.cache
def _own_fields(kind: RunEventKind) -> dict[str, bool]:
    """The names of the fields that events of a kind have, each with whether it may be left out."""
    base = {one.name for one in dataclasses.fields(RunEvent)}
    return {
        one.name: one.default is None
        for one in dataclasses.fields(_CLASSES[kind])
        if one.name not in base
    }


@functools.cache
def _types(kind: RunEventKind) -> dict[str, Any]:
    return typing.get_type_hints(_CLASSES[kind])


def _fits(value: object, expected: Any) -> bool:
    """Whether a value from JSON is of a type that a field has."""
    origin, arguments = typing.get_origin(expected), typing.get_args(expected)
    if origin in (types.UnionType, typing.Union):
        return any(_fits(value, one) for one in arguments)
    if expected is float:
        return _is_number(value)
    if expected is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if origin is list:
        return isinstance(value, list) and all(_fits(one, arguments[0]) for one in value)
    if origin is dict:
        return isinstance(value, dict) and all(_fits(one, arguments[1]) for one in value.values())
    return isinstance(value, expected)


def _is_number(value: object) -> TypeGuard[float]:
    """Whether a value is a finite number that can be counted and compared as a float."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return False
    try:
        return math.isfinite(value)
    except OverflowError:  # an int of hundreds of digits
        return False


def _is_deep(value: object, levels: int) -> bool:
    """Whether dicts and lists are nested in a value by more than this many levels."""
    if not isinstance(value, (dict, list)):
        return False
    items = value.values() if isinstance(value, dict) else value
    return levels == 0 or any(_is_deep(item, levels - 1) for item in items)


# Of the whole run


@dataclass(frozen=True, kw_only=True)
class RunStarted(RunEvent, kind=RunEventKind.RUN_STARTED):
    """`store` is its address without a password."""

    pipeline: str
    run_id: str
    root: str
    store: str
    enable_cache: bool
    nodes: list[str]


@dataclass(frozen=True, kw_only=True)
class RunBeside(RunEvent, kind=RunEventKind.RUN_BESIDE):
    """Another run of the pipeline, `run_id`, goes on at the same time."""

    run_id: str


@dataclass(frozen=True, kw_only=True)
class ExecutionRecovered(RunEvent, kind=RunEventKind.EXECUTION_RECOVERED):
    """An execution that a dead run had left was published or ended, or cannot be."""

    execution_id: int
    of_node: str
    is_published: bool
    is_ended: bool
    problem: str | None


@dataclass(frozen=True, kw_only=True)
class StoreLost(RunEvent, kind=RunEventKind.STORE_LOST):
    """The metadata store cannot be reached; the run tries again."""

    error: str


@dataclass(frozen=True, kw_only=True)
class InputChanged(RunEvent, kind=RunEventKind.INPUT_CHANGED):
    """A node, `of_node`, changed one of its inputs."""

    of_node: str
    warning: str


@dataclass(frozen=True, kw_only=True)
class RunStopping(RunEvent, kind=RunEventKind.RUN_STOPPING):
    """Somebody has asked the run to stop."""


@dataclass(frozen=True, kw_only=True)
class RunFinished(RunEvent, kind=RunEventKind.RUN_FINISHED):
    """`states` are those of the nodes, `skipped` the reasons of those that conditions kept from
    running; `summary` describes failures, `notes` is what the nodes want to be read."""

    state: str
    seconds: float
    summary: str
    notes: list[str]
    pages: dict[str, list[str]]
    warnings: list[str]
    skipped: dict[str, str]
    states: dict[str, str]


# Of one node


@dataclass(frozen=True, kw_only=True)
class NodeWarning(RunEvent, kind=RunEventKind.NODE_WARNING):
    """Something that the pipeline says of the node has no effect."""

    message: str


@dataclass(frozen=True, kw_only=True)
class NodeWaiting(RunEvent, kind=RunEventKind.NODE_WAITING):
    """Another run does the same work, as `execution_id` on `host`."""

    execution_id: int
    host: str


@dataclass(frozen=True, kw_only=True)
class NodeStarted(RunEvent, kind=RunEventKind.NODE_STARTED):
    """`reason` says why it is not reused; what it prints goes to the file `log`."""

    execution_id: int
    reason: str
    log: str


@dataclass(frozen=True, kw_only=True)
class NodeProgress(RunEvent, kind=RunEventKind.NODE_PROGRESS):
    """`progress` is whatever the executor reports, for example step and loss."""

    progress: dict[str, Any]

    @property
    def data(self) -> dict[str, Any]:
        return dict(self.progress)


@dataclass(frozen=True, kw_only=True)
class NodeCached(RunEvent, kind=RunEventKind.NODE_CACHED):
    """The node has the outputs of an earlier execution."""

    execution_id: int
    reused_execution_id: int
    reason: str
    outputs: dict[str, list[str]]


@dataclass(frozen=True, kw_only=True)
class NodeCompleted(RunEvent, kind=RunEventKind.NODE_COMPLETED):
    """`outputs` are the uris by key; `reason` is that of a node without an executor."""

    execution_id: int
    seconds: float
    reason: str | None = None
    outputs: dict[str, list[str]]


@dataclass(frozen=True, kw_only=True)
class NodeRetrying(RunEvent, kind=RunEventKind.NODE_RETRYING):
    """The node failed and is tried again in `wait_seconds`."""

    headline: str
    wait_seconds: float
    retry: int
    max_retries: int


@dataclass(frozen=True, kw_only=True)
class NodeFailed(RunEvent, kind=RunEventKind.NODE_FAILED):
    """`kept` are the paths of outputs that stay although the node failed."""

    error: str
    headline: str
    traceback: str
    log: str | None
    kept: list[str]


@dataclass(frozen=True, kw_only=True)
class NodeSkipped(RunEvent, kind=RunEventKind.NODE_SKIPPED):
    """A condition kept the node from running (`reason`), or nodes that failed (`because_of`)."""

    reason: str | None = None
    because_of: list[str] | None = None


@dataclass(frozen=True, kw_only=True)
class NodeCanceled(RunEvent, kind=RunEventKind.NODE_CANCELED):
    """The run was stopped while the node ran."""

    execution_id: int
    kept: list[str]


# Observers

RunObserver = Callable[[RunEvent], None]


class Observers:
    """Several observers as one, told in their order.

    One that raises does not end the run, nor keep the others from being told: it is reported as a
    RuntimeWarning. What is not an Exception, such as KeyboardInterrupt, goes through.

    Args:
        observers: The observers.
    """

    def __init__(self, observers: Iterable[RunObserver]) -> None:
        self._observers = list(observers)

    def __call__(self, event: RunEvent) -> None:
        for observer in self._observers:
            try:
                observer(event)
            except Exception as error:
                name = getattr(observer, "__name__", type(observer).__name__)
                warnings.warn(
                    f"The observer {name} raised {type(error).__name__}: {error} (told of "
                    f"{event.kind.value}). The run goes on.",
                    RuntimeWarning,
                    stacklevel=2,
                )
