"""`trainwright run`: finds the pipeline in a file and runs it."""

from __future__ import annotations

import contextlib
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from trainwright.cli import exit_codes
from trainwright.cli.output import echo
from trainwright.cli.script_arguments import ScriptCommand
from trainwright.cli.settings_option import parse_settings, root_option, settings_option
from trainwright.cli.store_option import project_settings
from trainwright.orchestration.runner_choice import LOCAL_RUNNER, OWN_RUNNERS, RAY_RUNNER

if TYPE_CHECKING:
    from trainwright.cli.pipeline_file import FoundPipeline
    from trainwright.orchestration.events import RunEvent, RunObserver
    from trainwright.orchestration.local_dag_runner import LocalDagRunner
    from trainwright.orchestration.planning.explain import Forecast
    from trainwright.orchestration.ray_dag_runner import RaySettings
    from trainwright.orchestration.run_options import RunOptions
    from trainwright.orchestration.run_result import NodeState, RunResult
    from trainwright.orchestration.runner_choice import Runner
    from trainwright.orchestration.running.run_job import RunJob


@click.command(cls=ScriptCommand)
@click.argument("file", type=click.Path(exists=True, dir_okay=False))
@settings_option
@click.option(
    "--from",
    "from_nodes",
    multiple=True,
    metavar="NODE",
    help="Begin with this node; what the nodes before it made last is used.",
)
@click.option("--to", "to_nodes", multiple=True, metavar="NODE", help="End with this node.")
@click.option("--base-run", metavar="RUN", help="With --from: use what this run made.")
@click.option(
    "--explain", "only_explain", is_flag=True, help="Say what would run and why; run nothing."
)
@root_option
@click.option(
    "--store",
    metavar="PATH|URL",
    help="The metadata store, if the pipeline names none. Default: TRAINWRIGHT_STORE, "
    "trainwright.toml, or metadata.db in the pipeline root; for a root in an object store a file "
    "of this user for it.",
)
@click.option(
    "--engine",
    metavar="NAME|URL",
    help="What runs passes over data, for example local://?processes=2. Default: the pipeline's "
    "engine, trainwright.toml, or local.",
)
@click.option(
    "--runner",
    metavar="NAME",
    help="What runs the pipeline: local, ray, or a name that an installed package offers. "
    "Default: trainwright.toml, or local.",
)
@click.option(
    "--address",
    metavar="HOST:PORT",
    help="With --runner ray: the head of the Ray cluster. Default: trainwright.toml, or the "
    "cluster that this machine belongs to.",
)
@click.option("--max-parallel", type=click.IntRange(min=1), help="How many nodes may run at once.")
@click.option(
    "--show-output/--quiet",
    "show_output",
    default=None,
    help="Show what the nodes print and log while they run, or do not. Default: show it where "
    "there is no live table. It is in the nodes' logs in any case.",
)
@click.option("--json", "as_json", is_flag=True, help="Print one JSON object per event.")
def run(
    file: str,
    settings: tuple[str, ...],
    from_nodes: tuple[str, ...],
    to_nodes: tuple[str, ...],
    base_run: str | None,
    only_explain: bool,
    root: str | None,
    store: str | None,
    engine: str | None,
    runner: str | None,
    address: str | None,
    max_parallel: int | None,
    show_output: bool | None,
    as_json: bool,
    script_arguments: tuple[str, ...],
) -> None:
    """Run the pipeline in FILE, a Python file.

    FILE has a variable `pipeline`, a function `create_pipeline()`, just one Pipeline, or runs one
    itself, with the options that are given here. What follows `--` goes to FILE as its own
    arguments. Nodes whose inputs, properties and code are unchanged are reused if the pipeline has
    enable_cache=True. If a run died or failed, the same command goes on where it was.

    \b
    trainwright run pipeline.py
    trainwright run pipeline.py --set train_steps=500 --set output=/data/penguin
    trainwright run pipeline.py --explain
    trainwright run pipeline.py --from Trainer --to Evaluator
    trainwright run pipeline.py -- --train_steps=500
    trainwright run pipeline.py --root s3://bucket/penguin
    trainwright run pipeline.py --runner ray --address 10.0.0.5:6379

    Exit code: 0 if all nodes are done, 1 if one failed or FILE itself did after a run, 2 if the
    pipeline cannot run as it is, 130 if it was stopped.
    """
    options = _run_options(from_nodes, to_nodes, base_run)
    if as_json and show_output:
        raise click.UsageError(
            "--json prints events and nothing else; `trainwright logs NODE -f` shows the output."
        )
    if only_explain:
        from trainwright.cli.commands.explain import print_forecasts

        if runner not in (None, LOCAL_RUNNER):
            raise click.UsageError(
                f"--explain says what the local runner would do; what {runner} does is up to it."
            )
        forecasts = forecast(
            file,
            settings,
            script_arguments,
            root=root,
            store=store,
            engine=engine,
            run_options=options,
        )
        print_forecasts(forecasts, as_json)
        return
    from trainwright.cli.pipeline_file import find_or_run
    from trainwright.orchestration.local_dag_runner import RunCanceled
    from trainwright.orchestration.run_result import PipelineRunError

    name = _runner_name(runner)
    command = RunCommand(
        run_options=options,
        root=root,
        store=store,
        engine=engine,
        ray=_ray_settings(name, address),
        is_local=name == LOCAL_RUNNER,
        runner=_other_runner(
            name,
            {
                "--store": store,
                "--max-parallel": max_parallel,
                "--show-output or --quiet": show_output,
                "--json": as_json or None,
            },
        ),
        max_parallel=max_parallel,
        show_output=show_output,
        as_json=as_json,
    )
    try:
        with refusals_in_one_sentence():
            found = find_or_run(file, parse_settings(settings), script_arguments, command.perform)
            if found is not None:
                command.perform(found)
    except PipelineRunError:
        sys.exit(exit_codes.FAILED)
    except RunCanceled:
        sys.exit(exit_codes.STOPPED)


def forecast(
    file: str,
    settings: tuple[str, ...],
    script_arguments: tuple[str, ...],
    *,
    root: str | None = None,
    store: str | None = None,
    engine: str | None = None,
    run_options: RunOptions | None = None,
) -> list[Forecast]:
    """What `trainwright run` would do with the pipeline in a file."""
    from trainwright.cli.pipeline_file import find_pipeline

    found = find_pipeline(file, parse_settings(settings), script_arguments)
    with refusals_in_one_sentence():
        command = RunCommand(run_options=run_options, root=root, store=store, engine=engine)
        return command.explain(found)


@dataclass(frozen=True, kw_only=True)
class RunCommand:
    """The options of the command. Where it has none, those of a run that the file itself asks for
    count. `runner` is one of another package, if there is one, and `ray` the cluster of ours; a run
    that the file asks for on another cluster is on this machine if `is_local`."""

    run_options: RunOptions | None
    store: str | None
    root: str | None = None
    engine: str | None = None
    runner: Runner | None = None
    ray: RaySettings | None = None
    is_local: bool = False
    max_parallel: int | None = None
    show_output: bool | None = None
    as_json: bool = False

    def perform(self, found: FoundPipeline) -> RunResult:
        """Runs a pipeline and tells what becomes of it; raises what its runner raises."""
        if not self.as_json:
            echo(f"Found {found.description}: {found.pipeline.pipeline_name}", err=True)
        if self.runner is not None:
            with self._report_failures():
                return self._perform_with(self.runner, found)
        with self._report_failures(), self._observer(found) as observer:
            result = self._runner(found, observer).run(
                found.pipeline,
                self._run_options(found),
                runtime_parameters=found.runtime_parameters,
            )
        if not self.as_json:
            _print_results(result)
        return result

    def perform_node(self, found: FoundPipeline, node_id: str, run_id: str) -> RunResult:
        """Runs one node as a part of a run."""
        with self._report_failures(), self._observer(found) as observer:
            return self._runner(found, observer).run_node(
                found.pipeline,
                node_id,
                run_id=run_id,
                runtime_parameters=found.runtime_parameters,
            )

    def finish(self, found: FoundPipeline, run_id: str) -> dict[str, NodeState]:
        """Ends a run whose nodes were run one by one; their states."""
        return self._runner(found).finish_run(
            found.pipeline, run_id=run_id, runtime_parameters=found.runtime_parameters
        )

    def check(self, found: FoundPipeline, *, with_checks: bool = True) -> RunJob:
        """What `perform` would run, and where it would be remembered; ValueError if it cannot."""
        return self._runner(found).check(
            found.pipeline, runtime_parameters=found.runtime_parameters, with_checks=with_checks
        )

    @contextlib.contextmanager
    def _report_failures(self) -> Iterator[None]:
        from trainwright.orchestration.run_result import PipelineRunError

        try:
            yield
        except PipelineRunError as error:
            if not self.as_json:
                echo(f"\n{error.result.describe_failures()}", err=True)
            raise

    def _perform_with(self, runner: Runner, found: FoundPipeline) -> RunResult:
        """Runs a pipeline with a runner of another package, which tells of it as it likes."""
        found.pipeline.engine = self._engine(found) or found.pipeline.engine
        self._set_root(found)
        result: RunResult = runner.run(
            found.pipeline,
            self._run_options(found),
            runtime_parameters=dict(found.runtime_parameters),
        )
        return result

    def explain(self, found: FoundPipeline) -> list[Forecast]:
        """What `perform` would do."""
        return self._runner(found).explain(
            found.pipeline,
            self._run_options(found),
            runtime_parameters=found.runtime_parameters,
        )

    def _runner(self, found: FoundPipeline, observer: RunObserver | None = None) -> LocalDagRunner:
        from trainwright.orchestration.local_dag_runner import LocalDagRunner

        own = found.requested
        self._set_root(found)
        options: dict[str, Any] = {
            "max_parallel": self.max_parallel or (own.max_parallel if own else None),
            "observer": observer,
            "default_store": _default_store(self.store or (own.default_store if own else None)),
            "keep_listed_order": found.keep_listed_order,
            "engine": self._engine(found),
        }
        ray = self.ray or (own.ray if own and not self.is_local else None)
        if ray is None:
            return LocalDagRunner(**options)
        from trainwright.orchestration.ray_dag_runner import RayDagRunner

        return RayDagRunner.of(ray, **options)

    def _set_root(self, found: FoundPipeline) -> None:
        if self.root is not None:
            found.pipeline.pipeline_root = self.root

    def _engine(self, found: FoundPipeline) -> str | None:
        """The engine in place of the pipeline's; None if the pipeline's own counts."""
        own = found.requested
        chosen = self.engine or (own.engine if own else None)
        if chosen or found.pipeline.engine:
            return chosen
        settings = project_settings()
        return settings.engine if settings else None

    def _run_options(self, found: FoundPipeline) -> RunOptions | None:
        return self.run_options or (found.requested.run_options if found.requested else None)

    @contextlib.contextmanager
    def _observer(self, found: FoundPipeline) -> Iterator[RunObserver]:
        own, show_output = found.requested, self.show_output
        if own is not None and show_output is None:
            show_output = own.show_output
        with _report(self.as_json, show_output) as report:
            if own is None or own.observer is None:
                yield report
                return
            from trainwright.orchestration.events import Observers

            yield Observers([report, own.observer])


def _runner_name(given: str | None) -> str | None:
    """The runner that the command or `trainwright.toml` names."""
    settings = project_settings() if given is None else None
    return given or (settings.runner if settings else None)


def _ray_settings(runner: str | None, address: str | None) -> RaySettings | None:
    """The Ray cluster to run on, if the runner is that for it."""
    if runner != RAY_RUNNER:
        if address is not None:
            raise click.UsageError("--address is that of a Ray cluster: add --runner ray.")
        return None
    from trainwright.orchestration.ray_dag_runner import RaySettings

    settings = project_settings()
    configured = dict(settings.ray) if settings else {}
    if address is not None:
        configured["address"] = address
    try:
        return RaySettings(**configured)
    except ValueError as error:
        where = f"[ray] in {settings.path}: " if settings and settings.ray else ""
        raise click.UsageError(f"{where}{error}") from error


def _other_runner(name: str | None, own_options: Mapping[str, object]) -> Runner | None:
    """The runner of another package that is named; None for ours.

    Args:
        name: The runner's name, if there is one.
        own_options: Options that only our own runners have, with their values.
    """
    if name is None or name in OWN_RUNNERS:
        return None
    from trainwright.orchestration.runner_choice import make_runner

    given = [option for option, value in own_options.items() if value is not None]
    if given:
        raise click.UsageError(
            f"{given[0]} is an option of the local and the ray runner, and the runner is "
            f"{name}: leave the option out, or add --runner local."
        )
    with refusals_in_one_sentence():
        return make_runner(name)


def _run_options(
    from_nodes: tuple[str, ...], to_nodes: tuple[str, ...], base_run: str | None
) -> RunOptions | None:
    if not from_nodes and not to_nodes:
        if base_run is not None:
            raise click.UsageError("--base-run says whose outputs --from starts with: give --from.")
        return None
    from trainwright.orchestration.run_options import RunOptions

    return RunOptions(
        from_nodes=from_nodes or None, to_nodes=to_nodes or None, base_pipeline_run_id=base_run
    )


def _default_store(store: str | None) -> str | None:
    from trainwright.cli.store_option import absolute_store_url, configured_store_url

    return absolute_store_url(store) if store else configured_store_url()


@contextlib.contextmanager
def refusals_in_one_sentence() -> Iterator[None]:
    """Ends the command with the sentence of a pipeline that cannot run as it is."""
    from trainwright.cli.script import CannotRunError
    from trainwright.orchestration.run_result import PipelineRunError

    try:
        yield
    except PipelineRunError:
        raise  # which may be a ValueError, too: a component's
    except ValueError as error:
        raise CannotRunError(str(error)) from error


@contextlib.contextmanager
def _report(as_json: bool, show_output: bool | None) -> Iterator[RunObserver]:
    if as_json:
        yield _print_json
        return
    from trainwright.orchestration.reports.reports import default_report

    with default_report(show_output=show_output) as report:
        yield report


def _print_json(event: RunEvent) -> None:
    with contextlib.suppress(BrokenPipeError):  # who reads may go away, as `| head -1` does
        echo(json.dumps(event.to_json()))


def _print_results(result: RunResult) -> None:
    """Says what was decided and pushed, and where the rest is."""
    for line in result.highlights:
        echo(line)
    count = result.artifact_count
    echo(f"{count} {'artifact' if count == 1 else 'artifacts'} in {result.root}")
    echo(f"\ntrainwright show {result.run_id}")
