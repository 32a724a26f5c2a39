"""BeamEngine: passes on any runner of Apache Beam."""

from __future__ import annotations

import itertools
import secrets
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING

from trainwright._checks import check_number
from trainwright.engine.engine import Engine
from trainwright.engine.engine_urls import EngineChoiceError
from trainwright.engine.hosted import hosting
from trainwright.engine.hosted.carried_files import CarriedFiles
from trainwright.engine.hosted.hosting import HostedTask, log_warnings
from trainwright.engine.merging import FAN_IN, group_sizes
from trainwright.engine.on_beam import beam_tasks
from trainwright.engine.on_beam.beam_flags import flag_value, runs_on_this_machine, shown
from trainwright.engine.on_beam.beam_job import BeamEngineError, BeamJob
from trainwright.engine.on_beam.exchange import Exchange
from trainwright.engine.packing import pack
from trainwright.engine.passes import PassSpec, Shard, Shards, ShardStream
from trainwright.engine.stalls import warn_of_stalls
from trainwright.engine.worker import carried_data, carried_result, carry_job, merge_job
from trainwright.processes.progress import Progress, ReportProgress
from trainwright.storage.uris import is_in_memory, is_supported

if TYPE_CHECKING:
    from typing_extensions import Self

# Elsewhere machines are started, and fetch an image, before a worker begins.
START_SECONDS, START_SECONDS_ELSEWHERE = 300.0, 900.0
# Up to this much of a stream is taken for one pipeline: its data lie in the exchange until it is
# done.
_SHARDS_OF_A_PIPELINE = 64
_BYTES_OF_A_PIPELINE = 256 << 20


class BeamEngine(Engine):
    """Runs passes over shards in Beam pipelines, on the runner that the flags name.

    Shards and their results do not travel through Beam but through a directory, or one in an object
    store, that caller and workers see. Where Beam runs a shard, a worker process like the local
    engine's does the work. Accumulators are merged by the workers.

    Args:
        flags: Beam's, as in `beam_pipeline_args`; `--runner` among them.
        shares_filesystem: Whether the workers see the files of this machine under the same paths;
            by default, if the flags say that they run on it. If not, what passes need travels to
            them by way of `--temp_location`, and what they write comes back.
        start_seconds: After this long without a worker that has begun, a pass is given up; by
            default 300 on this machine and 900 elsewhere.
        preload: Modules that worker processes import when they start.

    Raises:
        EngineChoiceError: if the flags name no runner, or no place that the workers see.

    Example:
        ```py
        with BeamEngine(["--runner=FlinkRunner", "--environment_type=LOOPBACK"]) as engine:
            words = engine.accumulate(PassSpec("my_package.counting:CountWords"), shards)
        ```
    """

    carries_files = True

    def __init__(
        self,
        flags: Sequence[str],
        *,
        shares_filesystem: bool | None = None,
        start_seconds: float | None = None,
        preload: Sequence[str] = (),
    ) -> None:
        if not flag_value(flags, "runner"):
            raise EngineChoiceError(
                f"The Beam engine was given {' '.join(flags) or 'no flags'}: expected a runner, as "
                "in beam://?runner=FlinkRunner or --runner=FlinkRunner among beam_pipeline_args."
            )
        if start_seconds is not None:
            check_number("start_seconds", start_seconds, least=1)
        self._flags = list(flags)
        self._is_near = runs_on_this_machine(flags)
        self._shares_filesystem = self._is_near if shares_filesystem is None else shares_filesystem
        default = START_SECONDS if self._is_near else START_SECONDS_ELSEWHERE
        self._start_seconds = start_seconds or default
        self._preload = tuple(preload)
        self._is_open = False
        self._check_place()

    @property
    def shares_filesystem(self) -> bool:
        """As it was given, or whether the workers are processes of this machine."""
        return self._shares_filesystem

    def _check_place(self) -> None:
        place = flag_value(self._flags, "temp_location") or ""
        if self._is_near:
            return
        if is_in_memory(place):
            raise EngineChoiceError(
                f"The workers of {flag_value(self._flags, 'runner')} are on other machines, and "
                f"--temp_location={shown(place)} is shared memory of this one: give an address in "
                "s3://, gs:// or az://, or a directory of a shared filesystem with "
                "beam://?filesystem=shared."
            )
        if is_supported(place) or (place and self._shares_filesystem):
            return
        given = (
            f"--temp_location={shown(place)} is a directory"
            if place
            else "there is no --temp_location"
        )
        raise EngineChoiceError(
            f"The workers of {flag_value(self._flags, 'runner')} are on other machines and need a "
            f"place that they and this process see, but {given}. Give "
            "--temp_location=gs://bucket/temp, or another object store, among Beam's flags; or a "
            "directory of a shared filesystem, and beam://?filesystem=shared."
        )

    def __enter__(self) -> Self:
        self._is_open = True
        return self

    def __exit__(self, *exc: object) -> None:
        self._is_open = False
        hosting.end_workers()

    def run(
        self,
        spec: PassSpec,
        shards: Shards,
        report_progress: ReportProgress | None = None,
    ) -> Iterator[bytes]:
        progress = Progress(report_progress)
        yield from warn_of_stalls(self._run(spec, shards, progress), progress, spec.factory)

    def _run(
        self, spec: PassSpec, shards: Shards, progress: Progress
    ) -> Generator[bytes, None, None]:
        before = 0
        for batch in _batches(shards):
            with self._job(spec, batch, progress) as (job, exchange):
                for number, shard in enumerate(batch):
                    _await_shard(job, number, shard, progress, before)
                    yield self._take(exchange, 0, number, shard)
            before += len(batch)
            if isinstance(shards, ShardStream):
                batch.clear()

    def gather(
        self,
        spec: PassSpec,
        shards: Shards,
        report_progress: ReportProgress | None = None,
    ) -> Iterator[bytes]:
        if isinstance(shards, ShardStream) or len(shards) <= FAN_IN:
            yield from self.run(spec, shards, report_progress)
            return
        progress = Progress(report_progress)
        yield from warn_of_stalls(self._gather(spec, shards, progress), progress, spec.factory)

    def _gather(
        self, spec: PassSpec, shards: Sequence[Shard], progress: Progress
    ) -> Generator[bytes, None, None]:
        sizes = group_sizes(len(shards))
        with self._job(spec, list(shards), progress, levels=len(sizes)) as (job, exchange):
            for number, shard in enumerate(shards):
                _await_shard(job, number, shard, progress)
            for number in range(sizes[-1]):
                outcome = job.outcome(len(sizes), number)
                outcome.check(f"Group {number} of {len(shards)} merged shards")
                yield self._take(exchange, len(sizes), number)

    def _take(
        self, exchange: Exchange, level: int, number: int, shard: Shard | None = None
    ) -> bytes:
        name = beam_tasks.out_name(level, number)
        result = exchange.read(name)
        if result is None:
            raise BeamEngineError(f"{exchange.place} has no {name}, which a worker has written.")
        if level:
            return result
        exchange.remove(name)
        if shard is not None and not self._shares_filesystem:
            return carried_result(shard, result)
        return result

    @contextmanager
    def _job(
        self, spec: PassSpec, shards: Sequence[Shard], progress: Progress, *, levels: int = 0
    ) -> Iterator[tuple[BeamJob, Exchange]]:
        exchange = self._make_exchange()
        try:
            common = self._write_tasks(exchange, spec, shards)
            merging = replace(common, job=merge_job(spec), name="Merging")
            with BeamJob(
                exchange,
                common,
                merging,
                self._flags,
                [shard.name for shard in shards],
                progress,
                levels=levels,
                start_seconds=self._start_seconds,
            ) as job:
                yield job, exchange
        finally:
            exchange.remove_all()
            # Those of runners within this process, where the pass was broken off.
            hosting.stop_tasks(exchange.place)
            if not self._is_open:
                hosting.end_workers()

    def _make_exchange(self) -> Exchange:
        place = flag_value(self._flags, "temp_location") or ""
        is_used = is_supported(place) or not self._is_near
        return Exchange.make(place if is_used else None, secrets.token_hex(32))

    def _write_tasks(
        self, exchange: Exchange, spec: PassSpec, shards: Iterable[Shard]
    ) -> HostedTask:
        """Puts shards and files in their places; returns what all shards have in common."""
        carries = not self._shares_filesystem
        digests = {}
        for path in spec.paths() if carries else ():
            carried = CarriedFiles.read(path)
            digests[path] = carried.digest
            exchange.write(f"files/{carried.digest}", carried.data)
        for number, shard in enumerate(shards):
            data = carried_data(shard) if carries else bytes(shard.packed_data)
            exchange.write(f"tasks/{number}", pack(shard.to_json(), [data]))
        return HostedTask(
            job=carry_job(spec) if carries else spec.to_json(),
            name="",
            files=digests,
            setting=hosting.setting(self._preload, is_on_this_machine=self._is_near),
        )


def _await_shard(
    job: BeamJob, number: int, shard: Shard, progress: Progress, before: int = 0
) -> None:
    outcome = job.outcome(0, number)
    log_warnings(outcome)
    outcome.check(shard.name)
    if outcome.units:
        progress.add(before + number, outcome.units)


def _batches(shards: Shards) -> Iterator[list[Shard]]:
    """All shards that are known, or as many of a stream as one pipeline takes."""
    if not isinstance(shards, ShardStream):
        if shards:
            yield list(shards)
        return
    source = iter(shards)
    while batch := list(_some(source)):
        yield batch


def _some(source: Iterator[Shard]) -> Iterator[Shard]:
    size = 0
    for shard in itertools.islice(source, _SHARDS_OF_A_PIPELINE):
        yield shard
        size += len(shard.packed_data)
        if size >= _BYTES_OF_A_PIPELINE:
            return
