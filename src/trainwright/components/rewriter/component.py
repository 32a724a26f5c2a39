"""Rewriter: a trained model in the forms that phones, browsers and other runtimes take."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

from trainwright.components.rewriter.driver import RewriterDriver
from trainwright.components.rewriter.targets import (
    REPORT,
    RewriteTarget,
    TargetLike,
    encode_targets,
    read_targets,
)
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import BaseDriver
from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.types import json_utils
from trainwright.types.artifact import Artifact
from trainwright.types.channel import BaseChannel
from trainwright.types.component_spec import ChannelParameter, ComponentSpec, ExecutionParameter
from trainwright.types.standard_artifacts import Examples, Model


class RewriteReport(Artifact):
    """How rewritten models compare with their source: `parity.json`. It outlives a failure."""

    TYPE_NAME = "RewriteReport"
    KEPT_ON_FAILURE = True


class RewriterSpec(ComponentSpec):
    """What a Rewriter takes; each of its targets adds an output."""

    PARAMETERS = {
        "targets": ExecutionParameter(type=str),
        "signature_name": ExecutionParameter(type=str, optional=True),
        "example_splits": ExecutionParameter(type=str, optional=True),
        "num_examples": ExecutionParameter(type=int),
    }
    INPUTS = {
        "model": ChannelParameter(type=Model),
        "examples": ChannelParameter(type=Examples),
    }
    OUTPUTS = {REPORT: ChannelParameter(type=RewriteReport)}


class Rewriter(BaseComponent):
    """Rewrites a SavedModel for other runtimes, and holds each result against it.

    There is an output of type Model for each target, which an Evaluator and a Pusher take like a
    Trainer's. Both models are asked about real examples; if they differ by more than is allowed,
    the node fails, so that nothing is pushed, and its `report` says where.

    Args:
        model: The model, a SavedModel.
        examples: What the models are compared with, and what a model in integers is calibrated
            with: examples that have the model's inputs as features.
        targets: The forms to write: `"litert"`, `"onnx"` or `"tfjs"`, or a `RewriteTarget` or dict
            with how to quantize, how far the result may differ, and what its output is called.
        signature_name: The signature to convert; one with a tensor for each feature.
        example_splits: The splits to take examples from; `["eval"]` by default.
        num_examples: How many examples are taken.

    Example:
        ```python
        rewriter = Rewriter(
            model=trainer.outputs["model"],
            examples=transform.outputs["transformed_examples"],
            targets=["onnx", {"to": "litert", "quantize": "float16"}],
        )
        pusher = Pusher(model=rewriter.outputs["litert_float16"], ...)
        ```
    """

    SPEC_CLASS = RewriterSpec
    EXECUTOR_SPEC = ExecutorClassSpec("trainwright.components.rewriter.executor:Executor")
    DRIVER_CLASS: ClassVar[type[BaseDriver]] = RewriterDriver

    def __init__(
        self,
        model: BaseChannel,
        examples: BaseChannel,
        targets: Sequence[TargetLike],
        signature_name: str | None = None,
        example_splits: Sequence[str] | None = None,
        num_examples: int = 200,
    ) -> None:
        if num_examples < 1:
            raise ValueError(f"num_examples is {num_examples}: expected 1 or more.")
        read = read_targets(targets)
        spec = _spec_class(read)(
            model=model,
            examples=examples,
            targets=encode_targets(read),
            signature_name=signature_name,
            example_splits=json_utils.dumps(list(example_splits)) if example_splits else None,
            num_examples=num_examples,
        )
        super().__init__(spec=spec)


def _spec_class(targets: Sequence[RewriteTarget]) -> type[RewriterSpec]:
    """A spec with an output for each target."""
    models = {target.key: ChannelParameter(type=Model) for target in targets}
    members: dict[str, Any] = {"OUTPUTS": {**models, **RewriterSpec.OUTPUTS}}
    return type("RewriterSpec", (RewriterSpec,), members)
