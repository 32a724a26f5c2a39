"""Checks before a Rewriter runs: that what writes and runs the targets is installed."""

from __future__ import annotations

from typing import Any

from trainwright._extras import install_advice
from trainwright._imports import is_installed
from trainwright.components.rewriter.targets import decode_targets, require_runtime
from trainwright.dsl.base_component import BaseComponent
from trainwright.dsl.base_driver import BaseDriver

# The packages that write or run a form of model.
_PACKAGES = {"litert": ("ai_edge_litert",), "onnx": ("tf2onnx", "onnxruntime")}


class RewriterDriver(BaseDriver):
    """Names a missing extra before anything runs."""

    def check(self, component: BaseComponent, exec_properties: dict[str, Any]) -> None:
        for target in decode_targets(exec_properties["targets"]):
            # What is yet to be made is made when the node runs.
            if not target.make_environment:
                require_runtime(target)
            for package in _PACKAGES.get(target.to, ()):
                if not is_installed(package):
                    raise ValueError(
                        f"{component.id} has the target {target.key!r}, which needs {package}: "
                        f"{install_advice(package)}"
                    )
