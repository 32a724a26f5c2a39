"""Time of a Transform node in a pipeline: the penguins and 15 000 taxi trips.

TFX's figures were measured with TFX 1.21 on a machine of this kind; its node includes Beam's start.
"""

from __future__ import annotations

import importlib.util
import os
import sys
import tempfile

from measuring import REPOSITORY, Figure, describe, median

TFX_SECONDS = {"penguin": 22.7, "taxi": 36.1}


def run(quick: bool) -> list[Figure]:
    if importlib.util.find_spec("tensorflow_transform") is None:
        print("transform_nodes: skipped: pip install 'trainwright[transform]'")
        return []
    figures = []
    for name, tfx_seconds in TFX_SECONDS.items():
        seconds = [_measure(name) for _ in range(1 if quick else 3)]
        figures.append(
            Figure(
                what=f"Transform node of the {name} pipeline, wall",
                value=median(seconds),
                unit="s",
                aim=tfx_seconds,
                remark=f"{describe(seconds)}; TFX {tfx_seconds} s",
            )
        )
    return figures


def _measure(name: str) -> float:
    """The seconds of the Transform node in a run of its own, from examples and schema on."""
    from trainwright import LocalDagRunner, Pipeline
    from trainwright.components import CsvExampleGen, SchemaGen, StatisticsGen, Transform
    from trainwright.orchestration.events import RunEvent, RunEventKind

    with tempfile.TemporaryDirectory() as directory:
        data, module_file = _prepare(name, directory)
        example_gen = CsvExampleGen(input_base=data)
        statistics_gen = StatisticsGen(examples=example_gen.outputs["examples"])
        schema_gen = SchemaGen(statistics=statistics_gen.outputs["statistics"])
        transform = Transform(
            examples=example_gen.outputs["examples"],
            schema=schema_gen.outputs["schema"],
            module_file=module_file,
        )
        seconds: dict[str, float] = {}

        def note(event: RunEvent) -> None:
            if event.kind is RunEventKind.NODE_COMPLETED:
                seconds[event.node] = event.data["seconds"]

        pipeline = Pipeline(
            name,
            os.path.join(directory, "root"),
            components=[example_gen, statistics_gen, schema_gen, transform],
        )
        LocalDagRunner(observer=note).run(pipeline)
        return seconds["Transform"]


def _prepare(name: str, directory: str) -> tuple[str, str]:
    """The directory with the CSV file, and the module file."""
    examples = os.path.join(REPOSITORY, "examples")
    data = os.path.join(directory, "data")
    os.mkdir(data)
    if name == "taxi":
        sys.path.insert(0, os.path.join(examples, "taxi"))
        from make_data import write_trips

        write_trips(os.path.join(data, "trips.csv"), 15_000)
        return data, os.path.join(examples, "taxi", "taxi_preprocessing.py")
    source = os.path.join(examples, "penguin", "data", "penguins.csv")
    os.symlink(source, os.path.join(data, "penguins.csv"))
    return data, os.path.join(REPOSITORY, "benchmarks", "penguin_preprocessing.py")
