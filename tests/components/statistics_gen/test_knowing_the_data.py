"""From a CSV file to anomalies: statistics, a schema that is kept, data that does not fit."""

from __future__ import annotations

import pytest

from trainwright import LocalDagRunner, Pipeline
from trainwright.components import (
    CsvExampleGen,
    ExampleValidator,
    ImportSchemaGen,
    SchemaGen,
    StatisticsGen,
)

pytestmark = pytest.mark.reference
pytest.importorskip("tfx_bsl", reason="decodes examples: pip install 'trainwright[transform]'")


def run(tmp_path, schema_file=None):
    example_gen = CsvExampleGen(input_base=str(tmp_path / "data"))
    statistics_gen = StatisticsGen(examples=example_gen.outputs["examples"])
    statistics = statistics_gen.outputs["statistics"]
    if schema_file is None:
        schema_gen = SchemaGen(statistics=statistics)
    else:
        schema_gen = ImportSchemaGen(schema_file=str(schema_file))
    validator = ExampleValidator(statistics=statistics, schema=schema_gen.outputs["schema"])
    components = [example_gen, statistics_gen, schema_gen, validator]
    pipeline = Pipeline("know", str(tmp_path / "root"), components=components, enable_cache=True)
    return LocalDagRunner(observer=lambda event: None).run(pipeline)


def write_csv(tmp_path, islands: list[str]) -> None:
    directory = tmp_path / "data"
    directory.mkdir(exist_ok=True)
    rows = [f"{number},{islands[number % len(islands)]}\n" for number in range(300)]
    (directory / "data.csv").write_text("mass,island\n" + "".join(rows))


def test_data_fits_the_schema_that_was_inferred_from_it(tmp_path):
    write_csv(tmp_path, ["Biscoe", "Dream"])
    result = run(tmp_path)
    assert result.notes == ["ExampleValidator: anomalies in train: none; eval: none"]
    assert {state.value for state in run(tmp_path).states.values()} == {"cached"}


def test_new_data_is_held_against_the_schema_that_was_kept(tmp_path):
    write_csv(tmp_path, ["Biscoe", "Dream"])
    schema = run(tmp_path).outputs["SchemaGen"]["schema"][0]
    kept = tmp_path / "schema.pbtxt"
    with open(f"{schema.uri}/schema.pbtxt") as file:
        kept.write_text(file.read())
    write_csv(tmp_path, ["Biscoe", "Torgersen"])
    (note,) = run(tmp_path, kept).notes
    assert note.startswith("ExampleValidator: anomalies in train: 1: island (Unexpected string")
