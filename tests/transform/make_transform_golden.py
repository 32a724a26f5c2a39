"""Writes what tf.Transform on Beam makes of some cases: `make_transform_golden.py [case ...]`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from battery import CASES
from beam_transform import run_beam
from transform_data import records_of, write_shards

_ROWS = 12


def main(names: list[str]) -> None:
    golden = Path(__file__).parent / "golden"
    for name in names or ["objects", "phases", "sample", "sequences"]:
        case = CASES[name]
        with tempfile.TemporaryDirectory() as directory:
            paths = write_shards(records_of(case.schema), Path(directory), case.shards)
            result = run_beam(case.function, paths, Path(directory), schema=case.schema)
        (golden / f"{name}.json").write_text(result.to_json(_ROWS) + "\n")


if __name__ == "__main__":
    main(sys.argv[1:])
