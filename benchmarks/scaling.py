"""Cost of 10^9 rows on 100 machines: calculated on paper, with constants measured here.

Nothing of it was run on 100 machines. Measured on this one are: the processor time of a row in
statistics, Transform and ExampleGens, without what a run costs once; what one process has to do
for each shard or row, however many machines there are; and how large accumulators are. The rest is
arithmetic, in `_reckon`, and what it assumes of machines and network is said with the figures.
"""

from __future__ import annotations

import glob
import json
import math
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from typing import Any

from csv_example_gen import write_csv
from engines import ALONE
from measuring import Figure, run_process

ROWS = 10**9
MACHINES = 100
# Of a machine that the figures speak of; as fast as one of this.
PROCESSORS = 8
ROWS_OF_A_SHARD = 100_000
# One machine's way to the object store, and the driver's.
BYTES_PER_SECOND = 1e9
SMALL, LARGE = 400_000, 1_000_000
SHARDS = 1000


def run(quick: bool) -> list[Figure]:
    scale = 5 if quick else 1
    small, large = SMALL // scale, LARGE // scale
    with tempfile.TemporaryDirectory() as directory:
        for rows in (small, large):
            run_process([sys.executable, __file__, "write", f"{directory}/{rows}", str(rows)])
        per_row = {}
        for work in ("statistics", "transform", "csv", "import"):
            costs = [_measure(work, f"{directory}/{rows}") for rows in (small, large)]
            per_row[work] = {
                name: max(0.0, costs[1][name] - costs[0][name]) / (large - small)
                for name in costs[0]
            }
        accumulator = _measure("accumulator", f"{directory}/{large}")
        with tempfile.TemporaryDirectory(prefix="ray-", dir="/tmp") as home:
            environment = {"RAY_TMPDIR": home, "HOME": home}
            command = [*ALONE, sys.executable, __file__, "shards", str(SHARDS // scale)]
            per_shard = json.loads(run_process(command, environment).output.splitlines()[-1])
    return _reckon(per_row, accumulator, per_shard)


def _measure(work: str, directory: str) -> dict[str, float]:
    output = run_process([sys.executable, __file__, work, directory]).output
    measured: dict[str, float] = json.loads(output.splitlines()[-1])
    return measured


def _reckon(
    per_row: dict[str, dict[str, float]],
    accumulator: dict[str, float],
    per_shard: dict[str, float],
) -> list[Figure]:
    processors = MACHINES * PROCESSORS
    shards = ROWS // ROWS_OF_A_SHARD
    # A pass that has only just begun its last shards keeps most processors waiting.
    rounds = math.ceil(shards / processors)
    where = f"{MACHINES} machines of {PROCESSORS} processors like this one's"
    figures = []
    # The two phases of the benchmark's preprocessing function, and writing what it makes.
    for work, what, passes in (("statistics", "statistics", 1), ("transform", "Transform", 3)):
        seconds = per_row[work]["all"] * ROWS_OF_A_SHARD * rounds
        handing_out = passes * shards * per_shard["driver"]
        # From where on the process that hands out shards is the limit.
        most = per_row[work]["all"] * ROWS / handing_out / PROCESSORS
        figures.append(
            Figure(
                what=f"on paper: {what} of 10^9 rows",
                value=max(seconds, handing_out),
                unit="s",
                remark=f"{where}, {shards:,} shards; {per_row[work]['all'] * 1e6:.2f} us of a "
                f"processor for a row, {seconds:.0f} s in all; handing out shards takes the driver "
                f"{handing_out:.0f} s, the limit from {most:,.0f} machines on, with shards "
                f"of ten times the rows from {10 * most:,.0f} on; without the start of a cluster",
            )
        )
    groups = math.ceil(math.log(shards, 32))
    figures += [
        Figure(
            what="on paper: merging their accumulators",
            value=accumulator["merge"] * 32 * groups,
            unit="s",
            remark=f"{groups} levels of 32, each {accumulator['bytes'] / 1e6:.2f} MB and "
            f"{accumulator['merge'] * 1e3:.1f} ms; statistics of ten columns",
        ),
        *(
            Figure(
                what=f"on paper: {what} of 10^9 rows",
                value=per_row[work]["caller"] * ROWS / 3600,
                unit="h",
                remark="one process reads the input in order, "
                f"{per_row[work]['caller'] * 1e6:.2f} us for a row, and more than "
                f"{per_row[work]['all'] / per_row[work]['caller']:.1f} processors do not help: "
                "spans that are imported side by side do",
            )
            for work, what in (("csv", "CsvExampleGen"), ("import", "ImportExampleGen"))
        ),
        Figure(
            what="on paper: 10^9 rows through one machine",
            value=ROWS * accumulator["bytes_of_a_row"] / BYTES_PER_SECOND / 60,
            unit="min",
            remark=f"{accumulator['bytes_of_a_row']:.0f} bytes a row at "
            f"{BYTES_PER_SECOND / 1e9:g} GB/s: what filesystem=own costs for files that are not in "
            "an object store, and what each epoch of a Trainer on one machine costs",
        ),
    ]
    return figures


def _processor_time() -> dict[str, float]:
    own, children = (
        usage.ru_utime + usage.ru_stime
        for usage in map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    )
    return {"caller": own, "all": own + children}


def _cost_of(act: Callable[[], object]) -> dict[str, float]:
    before = _processor_time()
    act()
    after = _processor_time()
    return {name: after[name] - before[name] for name in after}


def _examples(directory: str) -> list[str]:
    return sorted(glob.glob(f"{directory}/examples/*.gz"))


def _write(directory: str, rows: str) -> dict[str, float]:
    from transform_function import write_examples

    os.makedirs(f"{directory}/csv")
    write_csv(f"{directory}/csv/rows.csv", int(rows))
    write_examples(f"{directory}/examples", int(rows))
    return {}


def _statistics(directory: str) -> dict[str, float]:
    from trainwright.engine.local_engine import LocalEngine
    from trainwright.statistics.generate import generate_statistics

    engine = LocalEngine(1)
    return _cost_of(lambda: generate_statistics(_examples(directory), engine=engine))


def _transform(directory: str) -> dict[str, float]:
    from engines import transform

    return _cost_of(lambda: transform("local://?processes=1", f"{directory}/examples"))


def _csv(directory: str) -> dict[str, float]:
    from trainwright.components import CsvExampleGen
    from trainwright.components.example_gen.csv_example_gen.executor import Executor

    return _cost_of_generating(CsvExampleGen(f"{directory}/csv"), Executor)


def _import(directory: str) -> dict[str, float]:
    from trainwright.components import ImportExampleGen
    from trainwright.components.example_gen.import_example_gen.executor import Executor

    return _cost_of_generating(ImportExampleGen(f"{directory}/examples"), Executor)


def _cost_of_generating(component: Any, executor: Any) -> dict[str, float]:
    from trainwright.types.standard_artifacts import Examples

    examples = Examples()
    with tempfile.TemporaryDirectory() as examples.uri:
        properties = dict(component.exec_properties)
        return _cost_of(lambda: executor().Do({}, {"examples": [examples]}, properties))


def _accumulator(directory: str) -> dict[str, float]:
    """Of a shard of ROWS_OF_A_SHARD rows or so: its bytes, and what merging it takes."""
    from trainwright.data.example_reading.example_files import ExampleFiles
    from trainwright.engine.passes import AccumulatingPass, PassSpec, Shard
    from trainwright.statistics.stats_options import StatsOptions

    examples = ExampleFiles.of_any(_examples(directory)).with_schema(None)
    built = PassSpec(
        "trainwright.statistics.statistics_pass:StatisticsPass",
        {"options_json": StatsOptions().to_json(), "examples": examples.to_json()},
    ).build()
    assert isinstance(built, AccumulatingPass)
    rows: list[int] = []
    shards = [Shard.from_json(shard) for shard in examples.shards()]
    parts = [built.run(shard, rows.append) for shard in shards]
    began = time.process_time()
    built.merge_serialized(parts)
    return {
        "merge": (time.process_time() - began) / len(parts),
        "bytes": sum(map(len, parts)) / len(parts),
        "bytes_of_a_row": sum(os.path.getsize(path) for path in _examples(directory)) / sum(rows),
    }


def _shards(count: str) -> dict[str, float]:
    """What the process that hands out shards to Ray spends on each."""
    from trainwright.engine.choice import open_engine
    from trainwright.testing.engine_contract import JOIN, word_shards

    with open_engine("ray://?processes=2") as engine:
        engine.accumulate(JOIN, word_shards("a", "b"))
        before = time.process_time()
        engine.accumulate(JOIN, word_shards(*map(str, range(int(count)))))
        return {"driver": (time.process_time() - before) / int(count)}


WORK: dict[str, Callable[..., dict[str, float]]] = {
    "write": _write,
    "statistics": _statistics,
    "transform": _transform,
    "csv": _csv,
    "import": _import,
    "accumulator": _accumulator,
    "shards": _shards,
}

if __name__ == "__main__":
    name, *arguments = sys.argv[1:]
    print(json.dumps(WORK[name](*arguments)))
