"""Cost of engines: nothing at all, statistics and a Transform on each, beside the local one.

Every measurement is a process of its own, without the imports of Trainwright and TensorFlow but
with all that an engine needs: Beam's import, Ray's start, processes. Beam runs in memory, which is
one worker; Ray is a cluster of two processors on this machine, made for the measurement, in a
network namespace where there is loopback only.
"""

from __future__ import annotations

import glob
import importlib.util
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable

from measuring import Figure, describe, median, run_process

ENGINES = {
    "local, 2 processes": "local://?processes=2",
    "Ray, 2 processes": "ray://?processes=2",
    "Beam in memory": "beam://?runner=InMemoryRunner",
}
ROWS = 1_000_000
ALONE = ["unshare", "--net", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]


def run(quick: bool) -> list[Figure]:
    missing = [name for name in ("tfx_bsl", "ray") if importlib.util.find_spec(name) is None]
    if missing:
        print(f"engines: skipped, needs {missing[0]}: pip install 'trainwright[transform,ray]'")
        return []
    rows = ROWS // 10 if quick else ROWS
    times = 1 if quick else 3
    figures = [*_compare("nothing", "a pass over 4 shards of nothing", "", times)]
    with tempfile.TemporaryDirectory() as directory:
        run_process([sys.executable, __file__, "write", directory, str(rows)])
        figures += _compare("statistics", f"statistics of {rows:,} rows", directory, times)
        figures += _compare("transform", f"Transform of {rows:,} rows", directory, times)
    return figures


def _compare(work: str, what: str, directory: str, times: int) -> list[Figure]:
    seconds: dict[str, list[float]] = {name: [] for name in ENGINES}
    for _ in range(times):  # in turn, so that other load on the machine meets all of them alike
        for name, url in ENGINES.items():
            alone = ALONE if url.startswith("ray") else []
            with tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp") as home:
                output = run_process(
                    [*alone, sys.executable, __file__, work, url, directory],
                    {"RAY_TMPDIR": home, "HOME": home},
                ).output
            seconds[name].append(json.loads(output.splitlines()[-1]))
    local = median(seconds["local, 2 processes"])
    return [
        Figure(
            what=f"{what}: {name}",
            value=median(measured),
            unit="s",
            # A pass over nothing is done by the calling process where that is local.
            remark=describe(measured)
            + (f"; {median(measured) / local:.2f} times local" if directory else ""),
        )
        for name, measured in seconds.items()
    ]


def _do_nothing(url: str, directory: str) -> None:
    from trainwright.engine.choice import open_engine
    from trainwright.testing.engine_contract import JOIN, word_shards

    with open_engine(url) as engine:
        engine.accumulate(JOIN, word_shards("a", "b", "c", "d"))


def _compute_statistics(url: str, directory: str) -> None:
    from trainwright.engine.choice import open_engine
    from trainwright.statistics.generate import generate_statistics

    with open_engine(url) as engine:
        generate_statistics(sorted(glob.glob(f"{directory}/*.gz")), engine=engine)


def transform(url: str, directory: str) -> None:
    from google.protobuf import text_format
    from transform_function import SCHEMA, preprocessing_fn

    from trainwright.components.transform.request import TransformRequest
    from trainwright.components.transform.splits import SplitFiles
    from trainwright.components.transform.transformation import run_transform
    from trainwright.data.example_reading.example_files import ExampleFiles

    split = SplitFiles("train", "train", sorted(glob.glob(f"{directory}/*.gz")))
    with tempfile.TemporaryDirectory(dir=directory) as output:
        schema = os.path.join(output, "schema.pbtxt")
        with open(schema, "w") as file:
            file.write(text_format.MessageToString(SCHEMA))
        os.mkdir(os.path.join(output, "temporary"))
        request = TransformRequest(
            preprocessing_fn=preprocessing_fn,
            schema_path=schema,
            examples=ExampleFiles(),
            to_analyze=[split],
            to_transform=[split],
            graph_directory=os.path.join(output, "graph"),
            transformed_directory=os.path.join(output, "transformed"),
        )
        run_transform(request, os.path.join(output, "temporary"), lambda done: None, engine=url)


WORK: dict[str, Callable[[str, str], None]] = {
    "nothing": _do_nothing,
    "statistics": _compute_statistics,
    "transform": transform,
}


def _import_for(work: str) -> None:
    """What every engine's caller has imported before."""
    import trainwright.engine.choice
    import trainwright.testing.engine_contract

    if work == "statistics":
        import trainwright.statistics.statistics_pass
    if work == "transform":
        import trainwright.components.transform.transformation  # noqa: F401


if __name__ == "__main__":
    command, *arguments = sys.argv[1:]
    if command == "write":
        from transform_function import write_examples

        write_examples(arguments[0], int(arguments[1]))
    else:
        _import_for(command)
        began = time.perf_counter()
        WORK[command](*arguments)
        print(json.dumps(time.perf_counter() - began))
