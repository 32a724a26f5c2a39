"""BaseBeamComponent: a component whose executor runs on Beam."""

from __future__ import annotations

from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.executor_spec import BeamExecutorSpec


class BaseBeamComponent(BaseComponent):
    """Base of the components whose EXECUTOR_SPEC is a `BeamExecutorSpec`.

    Beam flags of a node are given by `with_beam_pipeline_args`, or by a pipeline's
    `beam_pipeline_args` to all of its nodes.
    """

    @classmethod
    def _validate_component_class(cls) -> None:
        super()._validate_component_class()
        if not isinstance(cls.EXECUTOR_SPEC, BeamExecutorSpec):
            raise TypeError(
                f"Beam component class {cls} expects EXECUTOR_SPEC property to be an instance of "
                f"BeamExecutorSpec; got {type(cls.EXECUTOR_SPEC)} instead."
            )
