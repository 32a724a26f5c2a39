"""Runners by name: what `trainwright run --runner NAME` runs pipelines with."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

from trainwright import _plugins
from trainwright._suggest import did_you_mean

if TYPE_CHECKING:
    from trainwright.dsl.pipeline import Pipeline
    from trainwright.orchestration.run_options import RunOptions

LOCAL_RUNNER = "local"
RAY_RUNNER = "ray"
OWN_RUNNERS = (LOCAL_RUNNER, RAY_RUNNER)

# Entry points of other packages, by name: each is called without arguments and returns a Runner.
PLUGIN_GROUP = "trainwright.runners"


class Runner(Protocol):
    """What runs a pipeline, with TFX's method: on other machines, or by another system.

    `pipeline.engine` is the engine that the command, the pipeline or `trainwright.toml` names.
    What it raises for a pipeline that it cannot run is a ValueError, and for one that failed
    anything else.
    """

    def run(
        self,
        pipeline: Pipeline,
        run_options: RunOptions | None = None,
        *,
        runtime_parameters: Mapping[str, Any] | None = None,
    ) -> Any:
        """Runs the nodes that are chosen, or all of them, and returns what it likes."""


def make_runner(name: str) -> Runner:
    """The runner of a name: "local", "ray", or one that an installed package offers.

    Raises:
        ValueError: if there is none, with the names that there are.
        PluginError: if what a package offers is not a runner.

    Example: `make_runner("ray").run(pipeline)`
    """
    if name == LOCAL_RUNNER:
        from trainwright.orchestration.local_dag_runner import LocalDagRunner

        return LocalDagRunner()
    if name == RAY_RUNNER:
        from trainwright.orchestration.ray_dag_runner import RayDagRunner

        return RayDagRunner()
    factory = _plugins.find(PLUGIN_GROUP, name)
    if factory is None:
        known = [*OWN_RUNNERS, *_plugins.names(PLUGIN_GROUP)]
        raise ValueError(
            f"There is no runner {name!r}{did_you_mean(name, known)} Installed packages add others "
            f"by entry points of the group {PLUGIN_GROUP}: see docs/extending.md."
        )
    if not callable(factory):
        raise _plugins.refuse(
            PLUGIN_GROUP, name, f"which is a {type(factory).__name__}: expected a Runner class"
        )
    runner: Runner = factory()
    if not callable(getattr(runner, "run", None)):
        raise _plugins.refuse(
            PLUGIN_GROUP,
            name,
            f"which made a {type(runner).__name__} without a method run(): expected a Runner",
        )
    return runner
