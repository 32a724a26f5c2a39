"""Programs for TFDV: run by TFDV for the golden files, by us in the test."""

from __future__ import annotations

import json
from pathlib import Path

ROWS = [
    "1.5,red,8,7,true",
    ",blue,9,8,false",
    "2.25,red,8,,true",
    "100,,17,9,false",
    '3.5,"green, dark",8,10,true',
    "4,red,9,11,",
]
COLUMNS = ["fare", "company", "hour", "tips", "paid"]
# Of rides as they should be: no green company, no fare beyond 50, whole tips.
SCHEMA = """
    feature { name: "fare" type: FLOAT presence { min_fraction: 1.0 min_count: 1 }
              float_domain { min: 0.0 max: 50.0 } value_count { min: 1 max: 1 } }
    feature { name: "company" type: BYTES presence { min_count: 1 }
              string_domain { value: "red" value: "blue" } value_count { min: 1 } }
    feature { name: "hour" type: INT int_domain { min: 7 max: 10 } }
    feature { name: "tips" type: FLOAT not_in_environment: "SERVING" presence { min_count: 1 } }
    feature { name: "paid" type: BYTES domain: "flags" }
    string_domain { name: "flags" value: "true" value: "false" }
    default_environment: "TRAINING"
    default_environment: "SERVING"
"""


def _schema():
    from google.protobuf import text_format
    from tensorflow_metadata.proto.v0 import schema_pb2

    return text_format.Parse(SCHEMA, schema_pb2.Schema())


def _write(directory, *, header=True, separator=","):
    path = directory / "rides.csv"
    rows = [",".join(COLUMNS), *ROWS] if header else ROWS
    if separator != ",":
        rows = [row.replace('"green, dark"', "green").replace(",", separator) for row in rows]
    path.write_text("\n".join(rows) + "\n")
    return str(path)


def csv(tfdv, directory):
    return tfdv.generate_statistics_from_csv(_write(directory))


def csv_of_another_form(tfdv, directory):
    path = _write(directory, header=False, separator=";")
    return tfdv.generate_statistics_from_csv(path, column_names=COLUMNS, delimiter=";")


def csv_with_types_of_the_schema(tfdv, directory):
    options = tfdv.StatsOptions(schema=_schema(), infer_type_from_schema=True)
    return tfdv.generate_statistics_from_csv(_write(directory), stats_options=options)


def csv_slices(tfdv, directory):
    slicer = tfdv.experimental_get_feature_value_slicer({"company": None, "hour": [8, 9]})
    options = tfdv.StatsOptions(
        experimental_slice_functions=[slicer], feature_allowlist=["company", "fare", "hour"]
    )
    return tfdv.generate_statistics_from_csv(_write(directory), stats_options=options)


def csv_slices_of_a_function(tfdv, directory):
    def slice_rows(batch):
        yield "the first two", batch.slice(0, 2)

    options = tfdv.StatsOptions(experimental_slice_functions=[slice_rows])
    return tfdv.generate_statistics_from_csv(_write(directory), stats_options=options)


def data_frame(tfdv, directory):
    import pandas

    frame = pandas.DataFrame(
        {
            "fare": [1.1, None, 2.25, 100.0],
            "company": ["red", None, "blue", "red"],
            "hour": [8, 9, 8, 17],
            "paid": [True, False, True, True],
        }
    )
    return tfdv.generate_statistics_from_dataframe(frame)


def anomalous_rows(tfdv, directory):
    options = tfdv.StatsOptions(schema=_schema(), infer_type_from_schema=True)
    return tfdv.validate_examples_in_csv(_write(directory), options)


def anomalous_examples(tfdv, directory):
    from google.protobuf import text_format
    from tensorflow_metadata.proto.v0 import schema_pb2

    schema = text_format.Parse(
        """
        feature { name: "category" type: INT int_domain { max: 2 } presence { min_count: 1 } }
        feature { name: "ragged_int" type: INT value_count { min: 1 max: 2 } }
        """,
        schema_pb2.Schema(),
    )
    options = tfdv.StatsOptions(schema=schema, feature_allowlist=["category", "ragged_int"])
    examples = Path(__file__).parent / "golden" / "values.gz"
    found = tfdv.validate_examples_in_tfrecord(str(examples), options)
    for dataset in found.datasets:
        # TFDV validates the features of the list, and has statistics of all of them.
        kept = [one for one in dataset.features if one.path.step[0] in options.feature_allowlist]
        del dataset.features[:]
        dataset.features.extend(kept)
    return found


def anomalies(tfdv, directory):
    return tfdv.validate_statistics(csv(tfdv, directory), _schema(), environment="SERVING")


def anomalies_of_slices(tfdv, directory):
    schema = _schema()
    del schema.default_environment[:]
    del schema.feature[3].not_in_environment[:]
    return tfdv.validate_corresponding_slices(csv_slices(tfdv, directory), schema)


def updated_schema(tfdv, directory):
    return tfdv.update_schema(_schema(), csv(tfdv, directory), max_string_domain_size=2)


def tables(tfdv, directory):
    """The data frames of schemas and anomalies, as JSON."""
    import importlib

    displays = importlib.import_module("tensorflow_data_validation.utils.display_util")
    frame = displays.get_anomalies_dataframe(anomalies(tfdv, directory))
    # TFDV has the types of anomalies since 1.17.
    described = frame[["Anomaly short description", "Anomaly long description"]]
    found = [
        *displays.get_schema_dataframe(_schema()),
        *displays.get_schema_dataframe(tfdv.infer_schema(csv(tfdv, directory))),
        described,
    ]
    frames = [json.loads(one.sort_index().to_json(orient="split")) for one in found]
    return json.dumps(frames, indent=1)


CASES = {
    one.__name__: one
    for one in (
        csv,
        csv_of_another_form,
        csv_with_types_of_the_schema,
        csv_slices,
        csv_slices_of_a_function,
        data_frame,
        anomalous_rows,
        anomalous_examples,
        anomalies,
        anomalies_of_slices,
        updated_schema,
        tables,
    )
}
