"""Container specs: an image and the command that does a component's work in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from trainwright.dsl.containers.command_placeholders import as_placeholder
from trainwright.dsl.containers.templates import parse_template
from trainwright.dsl.executor_spec import ExecutorSpec
from trainwright.types.component_spec import ComponentSpec
from trainwright.types.placeholders.artifact_placeholder import ArtifactPlaceholder
from trainwright.types.placeholders.placeholder import Placeholder, encode_value_like
from trainwright.types.placeholders.runtime_placeholders import ExecPropertyPlaceholder

if TYPE_CHECKING:
    from google.protobuf.message import Message


class ContainerSpec(ExecutorSpec):
    """Base of the specs that name an image.

    Args:
        image: The image's name, with a tag.
        command: The program and its arguments, in place of the image's entrypoint; no shell sees
            them. Without it the image's entrypoint is called.
        args: More arguments, after those of the command.
    """

    def __init__(
        self,
        image: str,
        command: Sequence[Any] | None = None,
        args: Sequence[Any] | None = None,
    ) -> None:
        self.image = image
        self.command = command
        self.args = args

    def parsed_command(self, spec: Any) -> tuple[list[Any], list[Any]]:
        """Command and args as strings and placeholders."""
        return (
            [self._parse(argument, spec) for argument in self.command or ()],
            [self._parse(argument, spec) for argument in self.args or ()],
        )

    def _parse(self, argument: Any, spec: Any) -> Any:
        return as_placeholder(argument, spec)

    def check(self, spec: type[ComponentSpec]) -> None:
        """Raises ValueError if the command asks for what the component does not have."""
        command, args = self.parsed_command(spec)
        for argument in (*command, *args):
            for part in argument.traverse() if isinstance(argument, Placeholder) else ():
                _check_part(part, spec)

    def encode(self, component_spec: ComponentSpec | None = None) -> Message:
        from trainwright.proto.orchestration import executable_spec_pb2

        command, args = self.parsed_command(component_spec)
        return executable_spec_pb2.ContainerExecutableSpec(
            image=self.image,
            commands=[encode_value_like(part, component_spec) for part in command],
            args=[encode_value_like(part, component_spec) for part in args],
        )

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ContainerSpec) or type(other) is not type(self):
            return NotImplemented
        return str(vars(self)) == str(vars(other))

    def __hash__(self) -> int:
        return hash(self.image)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.image!r}, command={self.command}, args={self.args})"


class TemplatedExecutorContainerSpec(ContainerSpec):
    """A command with placeholders.

    Example:
        ```python
        EXECUTOR_SPEC = TemplatedExecutorContainerSpec(
            image="python:3.12-slim",
            command=["python", "-m", "trainer", "--out", OutputUriPlaceholder("model")],
        )
        ```
    """

    def __init__(
        self,
        image: str,
        command: Sequence[Any] | None = None,
        args: Sequence[Any] | None = None,
    ) -> None:
        super().__init__(image, command or [], args or [])


class ExecutorContainerSpec(ContainerSpec):
    """A command with templates: `["trainer", '--out={{ output_dict["model"][0].uri }}']`."""

    def __init__(
        self,
        image: str,
        command: Sequence[Any] | None = None,
        args: Sequence[Any] | None = None,
    ) -> None:
        if not image:
            raise ValueError("image cannot be None or empty.")
        super().__init__(image, command, args)

    def _parse(self, argument: Any, spec: Any) -> Any:
        if isinstance(argument, str):
            return parse_template(argument)
        return super()._parse(argument, spec)


def _check_part(part: Placeholder, spec: type[ComponentSpec]) -> None:
    if any(part.channels()):
        raise ValueError(
            f"{part} is about another node's output. Make it an input of this component, and use "
            "InputValuePlaceholder or InputUriPlaceholder."
        )
    if isinstance(part, ArtifactPlaceholder):
        kind, names = ("input", spec.INPUTS) if part.is_input else ("output", spec.OUTPUTS)
        if part.key not in names:
            raise ValueError(f"{part} asks for an {kind} that is not there: {sorted(names)}.")
    if isinstance(part, ExecPropertyPlaceholder) and part.key not in spec.PARAMETERS:
        raise ValueError(
            f"{part} asks for a parameter that is not there: {sorted(spec.PARAMETERS)}."
        )
