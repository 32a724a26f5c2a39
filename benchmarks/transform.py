"""Speed of Transform's analysis and output, beside tf.Transform on Beam's in-memory runner.

Each measurement is a process of its own on the same gzip TFRecords. Times are without imports;
ours include the start of processes, where there are several. Memory is that of the process tree;
what processes share counts once.
"""

from __future__ import annotations

import base64
import glob
import importlib.util
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from measuring import Figure, PeakMemory, median, run_process

SIZES = (10_000, 100_000, 1_000_000)
# How many times faster than Beam analysis and materialization together should be, by rows and
# number of processes.
AIMS = {(10_000, 1): 8.0, (1_000_000, 2): 6.0}


def run(quick: bool) -> list[Figure]:
    if importlib.util.find_spec("tensorflow_transform") is None:
        print(
            "transform: skipped, needs tensorflow-transform: pip install 'trainwright[transform]'"
        )
        return []
    figures = []
    for rows in SIZES[:1] if quick else SIZES:
        with tempfile.TemporaryDirectory() as directory:
            run_process([sys.executable, __file__, "write", directory, str(rows)])
            figures += _measure(directory, rows, times=1 if quick or rows > 10_000 else 3)
    return figures + _measure_cache(10_000 if quick else 300_000)


def _measure(directory: str, rows: int, times: int) -> list[Figure]:
    beam = _median_of([sys.executable, __file__, "beam", directory], times)
    figures = []
    for processes in (1, 2):
        ours = _median_of([sys.executable, __file__, "ours", directory, str(processes)], times)
        name = f"Transform, {rows:,} rows of 10 columns, {processes} process"
        name += "es" if processes > 1 else ""
        for what in ("analysis", "materialization"):
            figures.append(
                Figure(
                    what=f"{name}: {what}",
                    value=ours[what],
                    unit="s",
                    remark=f"Beam {beam[what]:.3g} s, {beam[what] / ours[what]:.1f} times ours",
                )
            )
        both = _total(beam) / _total(ours)
        figures.append(
            Figure(
                what=f"{name}: times faster than Beam",
                value=both,
                unit="",
                aim=AIMS.get((rows, processes)),
                is_floor=True,
                remark=f"peak memory {ours['megabytes']:.0f} MB, Beam {beam['megabytes']:.0f} MB",
            )
        )
    return figures


def _measure_cache(rows: int) -> list[Figure]:
    """A second span after a first that is ten times as big: only the second should be read."""
    with tempfile.TemporaryDirectory() as directory:
        run_process([sys.executable, __file__, "write", f"{directory}/first", str(rows)])
        run_process([sys.executable, __file__, "write", f"{directory}/second", str(rows // 10)])
        output = run_process([sys.executable, __file__, "cache", directory]).output
        measured = json.loads(output.splitlines()[-1])
    return [
        Figure(
            what=f"analysis of {rows // 10:,} new rows after {rows:,} cached ones",
            value=measured["both"],
            unit="s",
            remark=f"the new rows alone {measured['second']:.3g} s, all anew "
            f"{measured['all anew']:.3g} s",
        )
    ]


def _median_of(command: list[str], times: int) -> dict[str, float]:
    outputs = [run_process(command).output for _ in range(times)]
    measured = [json.loads(output.splitlines()[-1]) for output in outputs]
    return {key: median(one[key] for one in measured) for key in measured[0]}


def _total(measured: dict[str, float]) -> float:
    return measured["analysis"] + measured["materialization"]


def _run_ours(directory: str, processes: int) -> dict[str, float]:
    import tensorflow_transform as tft
    from transform_function import SCHEMA, preprocessing_fn

    from trainwright.components.forking import can_fork
    from trainwright.data.example_reading.example_files import ExampleFiles
    from trainwright.engine.local_engine import LocalEngine
    from trainwright.engine.passes import PassSpec, Shard
    from trainwright.transform.analysis import analyze
    from trainwright.transform.analyzer_cache import Dataset

    paths = sorted(glob.glob(f"{directory}/*.gz"))
    output = tempfile.mkdtemp(dir=directory)
    examples = ExampleFiles(schema=SCHEMA)
    measured: dict[str, float] = {}
    with ExitStack() as stack:
        engine = stack.enter_context(LocalEngine(processes, can_fork=can_fork))
        with _timed(measured, "start"):
            # Before there is a thread that watches the memory: with threads it could not fork.
            engine.warm_up([Shard.from_json(one) for one in examples.at(*paths).shards()])
        peak = stack.enter_context(PeakMemory(shared_once=True))
        with _timed(measured, "analysis"):
            analyze(
                preprocessing_fn,
                examples,
                [Dataset("train", paths)],
                output,
                engine=engine,
                temporary_directory=tempfile.mkdtemp(dir=directory),
            )
        measured["analysis"] += measured.pop("start")
        with _timed(measured, "materialization"):
            schema = tft.TFTransformOutput(output).transformed_metadata.schema
            spec = PassSpec(
                "trainwright.transform.transform_pass:TransformPass",
                {
                    "function_directory": f"{output}/transform_fn",
                    "examples": examples.to_json(),
                    "schema": base64.b64encode(schema.SerializeToString()).decode(),
                },
            )
            shards = [
                Shard(
                    name=path,
                    config={"path": path, "output": f"{output}/{number}.gz"},
                    size=os.path.getsize(path),
                )
                for number, path in enumerate(paths)
            ]
            engine.map(spec, shards)
    return {**measured, "megabytes": peak.megabytes}


def _run_beam(directory: str) -> dict[str, float]:
    import apache_beam as beam
    import tensorflow_transform.beam as tft_beam
    from apache_beam.runners.portability.fn_api_runner import FnApiRunner
    from tensorflow_transform.beam.tft_beam_io import transform_fn_io
    from tfx_bsl.coders.example_coder import RecordBatchToExamplesEncoder
    from tfx_bsl.public import tfxio
    from transform_function import SCHEMA, preprocessing_fn

    output = tempfile.mkdtemp(dir=directory)
    source = tfxio.TFExampleRecord(f"{directory}/*.gz", schema=SCHEMA)
    measured: dict[str, float] = {}
    with PeakMemory(shared_once=True) as peak:
        with (
            _timed(measured, "analysis"),
            beam.Pipeline(runner=FnApiRunner()) as pipeline,
            tft_beam.Context(temp_dir=tempfile.mkdtemp(dir=directory)),
        ):
            raw = pipeline | source.BeamSource()
            analyzed = (raw, source.TensorAdapterConfig()) | tft_beam.AnalyzeDataset(
                preprocessing_fn
            )
            _ = analyzed | transform_fn_io.WriteTransformFn(output)
        with (
            _timed(measured, "materialization"),
            beam.Pipeline(runner=FnApiRunner()) as pipeline,
            tft_beam.Context(temp_dir=tempfile.mkdtemp(dir=directory)),
        ):
            raw = pipeline | source.BeamSource()
            transform_fn = pipeline | transform_fn_io.ReadTransformFn(output)
            transformed, metadata = (
                (raw, source.TensorAdapterConfig()),
                transform_fn,
            ) | tft_beam.TransformDataset(output_record_batches=True)
            encoder = RecordBatchToExamplesEncoder(metadata.schema)
            _ = (
                transformed
                | beam.FlatMapTuple(lambda batch, _: encoder.encode(batch))
                | beam.io.WriteToTFRecord(f"{output}/transformed", file_name_suffix=".gz")
            )
    return {**measured, "megabytes": peak.megabytes}


def _run_cache(directory: str) -> dict[str, float]:
    from transform_function import SCHEMA, one_phase_fn

    from trainwright.data.example_reading.example_files import ExampleFiles
    from trainwright.engine.local_engine import LocalEngine
    from trainwright.transform.analysis import analyze
    from trainwright.transform.analyzer_cache import AnalyzerCache, Dataset

    first, second = (
        Dataset(name, sorted(glob.glob(f"{directory}/{name}/*.gz"))) for name in ("first", "second")
    )
    measured: dict[str, float] = {}
    caches = {name: tempfile.mkdtemp(dir=directory) for name in ("first", "both")}

    def run(what: str, datasets: list[Dataset], cache: AnalyzerCache | None) -> None:
        with _timed(measured, what):
            analyze(
                # What depends on another analyzer cannot be cached: that changes with every span.
                one_phase_fn,
                ExampleFiles(schema=SCHEMA),
                datasets,
                tempfile.mkdtemp(dir=directory),
                engine=LocalEngine(1),
                temporary_directory=tempfile.mkdtemp(dir=directory),
                cache=cache,
            )

    run("second", [second], None)
    run("first", [first], AnalyzerCache([], caches["first"]))
    run("all anew", [first, second], None)
    run("both", [first, second], AnalyzerCache([caches["first"]], caches["both"]))
    return measured


@contextmanager
def _timed(measured: dict[str, float], what: str) -> Iterator[None]:
    began = time.perf_counter()
    yield
    measured[what] = time.perf_counter() - began


def main() -> None:
    task, directory, *arguments = sys.argv[1:]
    if task == "write":
        from transform_function import write_examples

        write_examples(directory, int(arguments[0]))
        return
    if task == "ours":
        import trainwright.transform.phase_pass  # noqa: F401  not a part of what is measured

        measured = _run_ours(directory, int(arguments[0]))
    elif task == "beam":
        measured = _run_beam(directory)
    else:
        measured = _run_cache(directory)
    print(json.dumps(measured))


if __name__ == "__main__":
    main()
