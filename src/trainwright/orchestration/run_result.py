"""RunResult: the state of every node, the outputs, and the failures in words."""

from __future__ import annotations

import dataclasses
import enum
import signal
import textwrap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Any

from trainwright._errors import TrainwrightError
from trainwright._printable import printable
from trainwright._suggest import did_you_mean
from trainwright.metadata.records import ArtifactRecord


class NodeState(enum.Enum):
    """Where a node is in a run.

    SKIPPED is a node whose condition did not hold, which is as it should be, and one that could
    not run because another failed; `RunResult.skipped` has the first kind.
    """

    WAITING = "waiting"
    RUNNING = "running"
    COMPLETE = "complete"
    CACHED = "cached"
    FAILED = "failed"
    SKIPPED = "skipped"
    CANCELED = "canceled"

    @property
    def is_success(self) -> bool:
        return self in (NodeState.COMPLETE, NodeState.CACHED)


@dataclass(frozen=True, kw_only=True)
class NodeFailure:
    """Why a node failed, and where to read on.

    `exception_classes` are the names of the exception's class and its bases, `module:name` each;
    `exception_arguments` and `exception_attributes` are written and read by `exception_values`.
    """

    node_id: str
    error_type: str
    message: str
    traceback: str = ""
    log: str | None = None
    kept: tuple[str, ...] = ()
    exception_classes: str = ""
    exception_arguments: str = ""
    exception_attributes: str = ""

    @property
    def headline(self) -> str:
        """The first line of the message."""
        lines = self.message.strip().splitlines() or [""]
        return lines[0] + (" ..." if len(lines) > 1 else "")

    def describe(self) -> str:
        """The failure for people; what user code has put into a message is made printable."""
        if self.traceback:  # which ends with the message
            lines = [f"{self.node_id} failed with {self.error_type}: {self.headline}"]
            lines += ["", textwrap.indent(self.traceback.rstrip(), "    "), ""]
        else:
            lines = [f"{self.node_id} failed with {self.error_type}: {self.message}"]
        if self.log:
            lines.append(f"Log: {self.log}")
        lines += [f"Kept: {path}" for path in self.kept]
        return printable("\n".join(lines))


@dataclass(frozen=True, kw_only=True, repr=False)
class RunResult:
    """The outcome of a run. Notebooks show it as a table.

    Args:
        run_id: What `trainwright show` finds it by.
        states: The state of each node, by node id.
        outputs: The artifacts of each finished node, by node id and output key.
        executions: The execution of each finished node, by node id.
        pages: The HTML pages of what nodes made, by node id: statistics, schemas, evaluations.
        root: The directory that the artifacts are in.
        skipped: Why nodes were skipped by their conditions, by node id. That is not a failure.
        failures: One for each failed node.
        warnings: What went wrong without a failure, in words that name the node.
        seconds: How long the run took.
    """

    run_id: str
    states: Mapping[str, NodeState]
    outputs: Mapping[str, Mapping[str, list[ArtifactRecord]]] = field(default_factory=dict)
    executions: Mapping[str, int] = field(default_factory=dict)
    pages: Mapping[str, list[str]] = field(default_factory=dict)
    root: str = ""
    skipped: Mapping[str, str] = field(default_factory=dict)
    failures: tuple[NodeFailure, ...] = ()
    warnings: tuple[str, ...] = ()
    seconds: float = 0.0

    def __repr__(self) -> str:
        return f"<RunResult {self.run_id}: {self.state} in {self.seconds:.1f} s ({self.counts})>"

    def _repr_html_(self) -> str:
        from trainwright.orchestration.run_result_html import to_html

        return to_html(self)

    def __getitem__(self, node_id: str) -> FinishedOutputs:
        """What a node made: `result["Trainer"].model.uri`."""
        if node_id not in self.states:
            raise KeyError(f"The run has no node {node_id!r}{did_you_mean(node_id, self.states)}")
        if node_id not in self.outputs:
            raise KeyError(f"{node_id} has no outputs: it is {self.states[node_id].value}.")
        return FinishedOutputs(node_id, self.outputs[node_id])

    def in_order(self, node_ids: Sequence[str]) -> RunResult:
        """The same with the nodes in this order, instead of that in which they were done."""
        return dataclasses.replace(
            self,
            states={one: self.states[one] for one in node_ids if one in self.states},
            outputs={one: self.outputs[one] for one in node_ids if one in self.outputs},
            pages={one: self.pages[one] for one in node_ids if one in self.pages},
        )

    @property
    def counts(self) -> str:
        """How many nodes are in which state: "2 complete, 1 cached"."""
        counts = Counter(state.value for state in self.states.values())
        return ", ".join(f"{count} {state}" for state, count in counts.items()) or "no nodes"

    @property
    def is_success(self) -> bool:
        return all(state.is_success or node in self.skipped for node, state in self.states.items())

    @property
    def state(self) -> str:
        """The run in short: complete, failed or canceled.

        It is "not run" in a script that a worker executes only for its definitions.
        """
        if self.is_success:
            return "complete"
        if NodeState.WAITING in self.states.values():
            return "not run"
        return "failed" if self.failures else "canceled"

    @property
    def was_canceled(self) -> bool:
        return NodeState.CANCELED in self.states.values()

    @property
    def notes(self) -> list[str]:
        """What nodes want to be read at the end of a run: their outputs' property `summary`."""
        return [
            f"{node_id}: {artifact.custom_properties['summary']}"
            for node_id, outputs in self.outputs.items()
            for artifacts in outputs.values()
            for artifact in artifacts
            if artifact.custom_properties.get("summary") and _made_by(node_id, artifact.uri)
        ]

    @property
    def highlights(self) -> list[str]:
        """What was decided and what left the pipeline: models that were blessed or not, pushed."""
        return [
            f"{node_id}: {text}"
            for node_id, outputs in self.outputs.items()
            for artifacts in outputs.values()
            for artifact in artifacts
            if (text := describe_decision(artifact)) and _made_by(node_id, artifact.uri)
        ]

    @property
    def artifact_count(self) -> int:
        return sum(
            len(artifacts) for outputs in self.outputs.values() for artifacts in outputs.values()
        )

    def describe_failures(self) -> str:
        """The readable summary: each failure, then what was skipped because of it."""
        parts = [failure.describe() for failure in self.failures]
        given_up = [
            node
            for node, state in self.states.items()
            if state is NodeState.SKIPPED and node not in self.skipped
        ]
        if given_up:
            parts.append(f"Not run because of that: {', '.join(given_up)}.")
        return "\n\n".join(parts)


class FinishedOutputs(Mapping[str, ArtifactRecord]):
    """The artifact of each output of a node, `["model"]` or `.model`.

    An output that holds several artifacts, or none, is read from `RunResult.outputs`.
    """

    def __init__(self, node_id: str, outputs: Mapping[str, list[ArtifactRecord]]) -> None:
        self._node_id = node_id
        self._outputs = outputs

    def __getitem__(self, key: str) -> ArtifactRecord:
        if key not in self._outputs:
            raise KeyError(f"{self._node_id} has no output {key!r}{did_you_mean(key, self)}")
        artifacts = self._outputs[key]
        if len(artifacts) != 1:
            raise KeyError(
                f"Output {key!r} of {self._node_id} holds {len(artifacts)} artifacts; read "
                f"result.outputs[{self._node_id!r}][{key!r}]."
            )
        return artifacts[0]

    def __getattr__(self, name: str) -> ArtifactRecord:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._outputs)

    def __len__(self) -> int:
        return len(self._outputs)

    def __repr__(self) -> str:
        return f"<outputs of {self._node_id}: {', '.join(self._outputs) or 'none'}>"


def describe_decision(artifact: ArtifactRecord) -> str:
    """Whether a model was blessed, or where it was pushed to; empty for other artifacts."""
    properties = artifact.custom_properties
    if artifact.type.name == "ModelBlessing" and "blessed" in properties:
        return "the model is blessed" if properties["blessed"] else "the model is not blessed"
    pushed = properties.get("pushed_destination")
    return f"pushed to {pushed}" if pushed else ""


def _made_by(node_id: str, uri: str) -> bool:
    """Whether an output is a node's own, not one that a Resolver found: `<node>/<output>/<id>`."""
    return PurePath(uri).parent.parent.name == node_id


class PipelineRunError(TrainwrightError, RuntimeError):
    """A run in which a node failed. `result` has the details; the message is the summary.

    What `LocalDagRunner.run` raises is also of the type that the component raised, so that
    `except ValueError` catches it, too.
    """

    def __init__(self, result: RunResult) -> None:
        self._message = f"Pipeline run {result.run_id} failed.\n\n{result.describe_failures()}"
        # Not by super(): the next class may be the component's, with arguments of its own.
        RuntimeError.__init__(self, self._message)
        self.result = result

    def __str__(self) -> str:
        return self._message

    def _render_traceback_(self) -> list[str]:
        """What IPython shows: the summary has the user's own lines, frames of ours add nothing."""
        return [f"{type(self).__name__}: {self}"]

    def __reduce__(self) -> tuple[Any, ...]:
        return PipelineRunError, (self.result,)


class PipelineError(TrainwrightError, ValueError):
    """A pipeline, or what it was to be run with, that cannot run as it is: nothing was started."""


def as_pipeline_error(error: ValueError) -> ValueError:
    """A plain ValueError as a PipelineError; others, which say more by their type, as they are."""
    return PipelineError(*error.args) if type(error) is ValueError else error


def describe_exit(status: int) -> str:
    """Why a process that said nothing is gone."""
    if status >= 0:
        return (
            f"the node's process ended with exit code {status} before its executor returned. "
            "Something in user code ends the interpreter, for example os._exit()."
        )
    try:
        number = signal.Signals(-status)
    except ValueError:
        return f"the node's process was killed by signal {-status}."
    killed = f"the node's process was killed by signal {-status} ({number.name})."
    return killed + _HINTS.get(number, "")


_HINTS = {
    signal.SIGKILL: (
        " If nobody killed it, the machine ran out of memory: the kernel's log (dmesg) says so."
    ),
    signal.SIGSEGV: " A native library crashed; the end of the log may show where.",
    signal.SIGABRT: " A native library gave up; the end of the log may show why.",
}
