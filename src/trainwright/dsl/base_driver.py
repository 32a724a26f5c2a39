"""BaseDriver: what a component finds out before it is decided whether it must run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from trainwright.dsl.executor_spec import ExecutorClassSpec
from trainwright.dsl.metadata_driver import MetadataDriver
from trainwright.dsl.pipeline_info import ComponentInfo, PipelineInfo
from trainwright.types.artifact import Artifact

if TYPE_CHECKING:
    from trainwright.dsl.base_component import BaseComponent


class BaseDriver(MetadataDriver):
    """The part of a component that runs in the runner's process, before the cache is asked.

    It must be quick, must not import TensorFlow, and raises ValueError with a kind message when
    the node cannot work: nothing has been started then.

    What it has of `MetadataDriver` is for programs that drive a component by hand, as tests of
    TFX's drivers do; a run does not call it.
    """

    # Properties that stay out of the cache key and of the store, like names with an underscore.
    PRIVATE_PROPERTIES: ClassVar[frozenset[str]] = frozenset()

    def check(self, component: BaseComponent, exec_properties: dict[str, Any]) -> None:
        """Refuses, before any node of the pipeline starts, what cannot work.

        The properties have the values of this run. What is only missing is a MissingInputError: if
        a node before this one may make it, it is looked for again when this one starts.
        """

    def checked_paths(
        self, component: BaseComponent, exec_properties: dict[str, Any]
    ) -> Mapping[str, str]:
        """The paths among the properties, by the name of the property.

        They may be local, or of objects in a store. What can be neither is refused before `check`
        is called.
        """
        return {}

    def why_not_reuse(self, outputs: Mapping[str, Sequence[Artifact]]) -> str | None:
        """Why a finished execution with these outputs no longer has its effect; None if it has."""
        return None

    def preload(self, component: BaseComponent) -> tuple[str, ...]:
        """Modules that the node's process should have imported already."""
        spec = component.executor_spec
        if not isinstance(spec, ExecutorClassSpec):
            return ()
        return tuple(getattr(spec.executor_class, "PRELOAD", ()))

    def resolve_exec_properties(
        self,
        exec_properties: dict[str, Any],
        pipeline_info: PipelineInfo | None = None,
        component_info: ComponentInfo | None = None,
    ) -> dict[str, Any]:
        """The properties that the executor gets; what is found out here is part of the cache key.

        Names that begin with an underscore stay out of the key and of the store.

        Args:
            exec_properties: The properties with the values of this run.
            pipeline_info: The pipeline and its run.
            component_info: The node.
        """
        return exec_properties

    def source_files(self, exec_properties: dict[str, Any]) -> Sequence[str]:
        """Files outside of artifacts whose content the result depends on: paths, or addresses.

        What an executor reads of an object is what `dsl.remote_files.local_file` gives it. In
        `check`, the properties that name one have the path of a local copy.
        """
        return ()


def has_custom_executor(component: BaseComponent) -> bool:
    """Whether not the component's own executor does the work: it may take properties otherwise.

    It may have been given to the component, or a user's subclass names it.
    """
    ours = next(cls for cls in type(component).__mro__ if cls.__module__.startswith("trainwright."))
    return not component.executor_spec.is_same_executor(getattr(ours, "EXECUTOR_SPEC", None))
