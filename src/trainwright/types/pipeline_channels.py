"""Channels across pipelines: into and out of an inner one, and from another one's history."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NoReturn

from trainwright.types.artifact import Artifact
from trainwright.types.channel import BaseChannel, Channel, OutputChannel


class PipelineOutputChannel(OutputChannel):
    """An output of a node of an inner pipeline, for nodes of the pipeline around it."""

    def __init__(
        self, wrapped: BaseChannel, pipeline: Any | None = None, output_key: str = ""
    ) -> None:
        Channel.__init__(self, wrapped.type, output_key=output_key or "")
        if isinstance(wrapped, Channel):
            self.additional_properties = wrapped.additional_properties
            self.additional_custom_properties = wrapped.additional_custom_properties
        self._wrapped = wrapped
        self.pipeline = pipeline
        self._is_async = False
        self._predefined_artifact_uris = None

    @property
    def wrapped(self) -> BaseChannel:
        """The channel inside of the inner pipeline."""
        return self._wrapped

    @property
    def pipeline(self) -> Any:
        """The inner pipeline."""
        return self.producer

    @pipeline.setter
    def pipeline(self, value: Any) -> None:
        self.producer = value

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, PipelineOutputChannel)
            and other.wrapped == self.wrapped
            and other.pipeline == self.pipeline
            and other.output_key == self.output_key
        )

    def __hash__(self) -> int:
        return hash((id(self.wrapped), id(self.pipeline), self.output_key))


class PipelineInputChannel(BaseChannel):
    """A channel of the outer pipeline, for nodes of the inner one."""

    def __init__(self, wrapped: BaseChannel, output_key: str) -> None:
        super().__init__(wrapped.type, is_optional=wrapped.is_optional)
        self._wrapped = wrapped
        self._output_key = output_key
        self._pipeline: Any = None

    @property
    def wrapped(self) -> BaseChannel:
        """The channel of the outer pipeline."""
        return self._wrapped

    @property
    def output_key(self) -> str:
        """The name under which the inner pipeline has the input."""
        return self._output_key

    @property
    def pipeline(self) -> Any:
        """The inner pipeline; None until it is given one."""
        return self._pipeline

    @pipeline.setter
    def pipeline(self, value: Any) -> None:
        self._pipeline = value

    def producers(self) -> Iterable[OutputChannel]:
        return self._wrapped.producers()

    def get_data_dependent_node_ids(self) -> set[str]:
        if self.pipeline is None:
            raise ValueError(
                f"Pipeline is not available. Give {self!r} to a Pipeline before asking what it "
                "depends on."
            )
        return {self.pipeline.id}

    @property
    def path(self) -> str:
        return self._wrapped.path

    def no_trigger(self) -> NoReturn:
        raise NotImplementedError(_NO_TRIGGERS.format(method="no_trigger"))

    def trigger_by_property(self, *property_keys: str) -> NoReturn:
        raise NotImplementedError(_NO_TRIGGERS.format(method="trigger_by_property"))

    def __repr__(self) -> str:
        return f"{self._wrapped!r} as {self._output_key!r}"


# An inner pipeline runs once whenever it is run, so that its inputs start nothing.
_NO_TRIGGERS = "{method} is not implemented for PipelineInputChannel. Leave it out."


class ExternalPipelineChannel(BaseChannel):
    """What a node of another pipeline has made.

    Args:
        artifact_type: The class of the artifacts.
        owner: Who runs the other pipeline.
        pipeline_name: Its name.
        producer_component_id: Which of its nodes makes the artifacts.
        output_key: Which output of the node.
        pipeline_run_id: Which run; any, if it is left out.
    """

    def __init__(
        self,
        artifact_type: type[Artifact],
        *,
        owner: str,
        pipeline_name: str,
        producer_component_id: str,
        output_key: str,
        pipeline_run_id: str = "",
    ) -> None:
        super().__init__(artifact_type)
        self.owner = owner
        self.pipeline_name = pipeline_name
        self.producer_component_id = producer_component_id
        self.output_key = output_key
        self.pipeline_run_id = pipeline_run_id

    def producers(self) -> Iterable[OutputChannel]:
        return ()

    def __repr__(self) -> str:
        return (
            f"ExternalPipelineChannel(owner={self.owner}, pipeline_name={self.pipeline_name}, "
            f"producer_component_id={self.producer_component_id}, output_key={self.output_key}, "
            f"pipeline_run_id={self.pipeline_run_id})"
        )
