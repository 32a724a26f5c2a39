"""TFMA's extractors, run by Beam: each example gets what was made of it."""

from __future__ import annotations

import copy
import sys
from collections import namedtuple

import numpy as np
import pytest
import small_models

beam = pytest.importorskip("apache_beam")
pytest.importorskip("tfx_bsl")

from trainwright.components.evaluator.beam_extractors import BeamExtractors  # noqa: E402

Extractor = namedtuple("Extractor", ["stage_name", "ptransform"])

RECORDS = [small_models.make_example(x=float(number), town=f"{number}") for number in range(5)]


def add_predictions(extracts):
    changed = copy.copy(extracts)
    batch = extracts["arrow_record_batch"]
    names = batch.schema.names
    changed["predictions"] = np.array(batch.column(names.index("x")).flatten())
    changed["input"] = np.array(batch.column(names.index("__raw_record__")).flatten())
    del changed["arrow_record_batch"]
    return changed


def take_apart(extracts):
    for row in reversed(range(len(extracts["predictions"]))):
        yield {key: value[row : row + 1] for key, value in extracts.items()}


def lose_keys(extracts):
    return {"predictions": extracts["predictions"]}


PREDICT = Extractor("Predict", beam.Map(add_predictions))


def test_extractors_are_given_an_arrow_batch_with_the_records():
    extracts = BeamExtractors([PREDICT]).extract(RECORDS)
    assert extracts["predictions"].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert extracts["input"].tolist() == RECORDS


def test_rows_keep_their_place_whatever_beam_does_with_them():
    shuffle = Extractor("TakeApart", beam.FlatMap(take_apart))
    extracts = BeamExtractors([PREDICT, shuffle]).extract(RECORDS)
    assert extracts["predictions"].tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert extracts["input"].tolist() == RECORDS


def test_the_stages_that_only_take_batches_apart_are_left_out():
    last = [Extractor("ExtractUnbatchedInputs", None), Extractor("ExtractSliceKeys", None)]
    extracts = BeamExtractors([PREDICT, *last]).extract(RECORDS)
    assert len(extracts["predictions"]) == 5


def test_an_extractor_that_keeps_nothing_is_told_to():
    with pytest.raises(ValueError, match="copy.copy"):
        BeamExtractors([PREDICT, Extractor("Lose", beam.Map(lose_keys))]).extract(RECORDS)


def test_what_is_missing_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "tfx_bsl.coders.example_coder", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'trainwright\[transform\]'"):
        BeamExtractors([PREDICT])
