"""Messages for programs that ask for a system on which Trainwright does not run."""

from __future__ import annotations


def not_run_here(runner: str, made: str, system: str) -> RuntimeError:
    """The error for `run()` of a runner whose pipelines run on another system.

    Args:
        runner: The runner's name.
        made: What it makes in TFX.
        system: What that runs on.
    """
    return RuntimeError(
        f"{runner} makes {made} for {system}, where containers with TFX run the nodes; Trainwright "
        "runs pipelines on this machine. Use tfx.v1.orchestration.LocalDagRunner().run(pipeline), "
        f"with local paths; for {system}, a cron job or a task that starts `trainwright run FILE` "
        "does the same work."
    )
