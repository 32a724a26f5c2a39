"""Messages between TFX's orchestration and a component's driver: `data_types`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from trainwright.types.artifact import Artifact

# Finds a RuntimeParameter that was written as JSON, perhaps within JSON, where quotes are escaped.
RUNTIME_PARAMETER_PATTERN = r'({\\*"__class__\\*": \\*"RuntimeParameter\\*", .*?})'
PARAMETER_NAME_LITERAL = r'(\\*"RuntimeParameter\\*")'


@dataclass
class ExecutionDecision:
    """What a driver has decided: the artifacts and properties of an execution, or its reuse."""

    input_dict: dict[str, list[Artifact]]
    output_dict: dict[str, list[Artifact]]
    exec_properties: dict[str, Any]
    execution_id: int | None = None
    use_cached_results: bool | None = False


@dataclass
class DriverArgs:
    """How a driver is to work."""

    enable_cache: bool = True
    interactive_resolution: bool = False
