"""Every analyzer and mapper of tf.Transform, beside tf.Transform's own implementation on Beam.

Where both are exact they must be equal: transformed rows, vocabularies byte by byte, schemas.
Numbers may differ by the rounding of float32. What the library itself only estimates:

- Quantiles and buckets are within `epsilon` of the rank; on the few rows of the battery both are
  exact, on many rows a test of its own checks the bound.
- L-moments (`tukey_*`, `scale_to_gaussian`) depend on what is a batch: compared in one batch.
- Approximate vocabularies are exact while there is room; `test_frequent_tokens.py` has the bound.
"""

from __future__ import annotations

import inspect
import re
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("tensorflow_transform", reason="pip install 'trainwright[transform]'")

import battery  # noqa: E402
import tensorflow_transform as tft  # noqa: E402
from battery import CASES, each_row  # noqa: E402
from transform_data import SCHEMA, encode, make_rows, records_of, write_shards  # noqa: E402
from transform_results import assert_same, run_ours  # noqa: E402

NOT_COMPARED = {
    "apply_pyfunc": "Python code, which no SavedModel contains; it works in one process alone",
    "get_analyze_input_columns": "looks at the function and at no data",
    "get_transform_input_columns": "looks at the function and at no data",
}


def public_functions(module):
    return {
        name
        for name, value in vars(module).items()
        if inspect.isfunction(value)
        and not name.startswith("_")
        and value.__module__.startswith("tensorflow_transform")
    }


def test_every_public_function_is_in_the_battery():
    source = Path(battery.__file__).read_text()
    called = set(re.findall(r"\btft\.(?:experimental\.)?(\w+)", source))
    known = public_functions(tft) | public_functions(tft.experimental)
    assert len(known) > 45
    assert known - called - NOT_COMPARED.keys() == set()
    assert NOT_COMPARED.keys() <= known - called


@pytest.mark.reference
@pytest.mark.parametrize(
    ("name", "force_tf_compat_v1"),
    [*((name, False) for name in CASES), ("sample", True), ("phases", True), ("sequences", True)],
)
def test_a_case_gives_the_same_on_beam(name, force_tf_compat_v1, tmp_path):
    from beam_transform import run_beam

    case = CASES[name]
    paths = write_shards(records_of(case.schema), tmp_path, case.shards)
    expected, found = (
        run(
            case.function,
            paths,
            tmp_path,
            schema=case.schema,
            force_tf_compat_v1=force_tf_compat_v1,
        )
        for run in (run_beam, run_ours)
    )
    assert len(found.rows) == len(expected.rows) == 240
    assert_same(found, expected, tolerances=case.tolerances, rounded_files=case.rounded_files)


@pytest.mark.reference
def test_without_rows_it_gives_the_same_on_beam(tmp_path):
    from beam_transform import run_beam

    def preprocessing_fn(inputs):
        outputs = battery.moments(inputs)
        outputs["buckets"] = tft.bucketize(inputs["x"], 3)
        outputs["word"] = tft.compute_and_apply_vocabulary(inputs["word"], vocab_filename="word")
        outputs["informative"] = tft.compute_and_apply_vocabulary(
            inputs["word"], labels=inputs["label"], vocab_filename="informative"
        )
        outputs["per_key"] = tft.scale_to_0_1_per_key(
            inputs["x"], inputs["key"], key_vocabulary_filename="per_key"
        )
        outputs["later"] = tft.scale_to_0_1(tft.scale_to_z_score(inputs["x"]))
        return outputs

    paths = write_shards([], tmp_path)
    expected = run_beam(preprocessing_fn, paths, tmp_path)
    assert expected.rows == {}
    assert_same(run_ours(preprocessing_fn, paths, tmp_path), expected)


@pytest.mark.reference
@pytest.mark.parametrize("epsilon", [0.01, 0.05])
def test_quantiles_of_many_rows_keep_their_bound_as_on_beam(tmp_path, epsilon):
    from beam_transform import run_beam

    count, buckets = 20_000, 10

    def preprocessing_fn(inputs):
        boundaries = tft.quantiles(inputs["y"], buckets, epsilon)
        return {
            "id": inputs["id"],
            "boundaries": each_row(boundaries, inputs, [buckets - 1]),
            "weighted": each_row(
                tft.quantiles(inputs["y"], buckets, epsilon, weights=inputs["weight"]),
                inputs,
                [buckets - 1],
            ),
        }

    schema = type(SCHEMA)()
    names = ("id", "y", "weight")
    schema.feature.extend(feature for feature in SCHEMA.feature if feature.name in names)
    rows = [{name: row[name] for name in names} for row in make_rows(count, seed=3)]
    paths = write_shards([encode(row) for row in rows], tmp_path, shards=6)
    values = np.array([row["y"][0] for row in rows])
    weights = np.array([row["weight"][0] for row in rows])
    wanted = np.arange(1, buckets) / buckets
    for run in (run_ours, run_beam):
        row = run(preprocessing_fn, paths, tmp_path, schema=schema).rows[0]
        for found, by in ((row["boundaries"], np.ones(count)), (row["weighted"], weights)):
            ranks = [by[values <= boundary].sum() / by.sum() for boundary in found]
            assert np.abs(np.array(ranks) - wanted).max() <= epsilon
