"""TransformProcessor: TFX's way to transform files without artifacts."""

from __future__ import annotations

import glob
import os
import tempfile
from collections.abc import Mapping, Sequence
from itertools import zip_longest
from typing import Any

from trainwright.compat.components import transform_labels as labels
from trainwright.components.transform.request import StatisticsDirectories, TransformRequest
from trainwright.components.transform.splits import SplitFiles
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.proto import example_gen_pb2


class TransformProcessor:
    """Transforms the files that labels name; see `tfx.components.transform.labels`."""

    def Transform(
        self,
        inputs: Mapping[str, Any],
        outputs: Mapping[str, Any],
        status_file: str | None = None,
    ) -> None:
        """Analyzes, transforms and looks at the data.

        Args:
            inputs: The schema's path, the functions, and patterns of the files to analyze and to
                transform.
            outputs: The paths of the transform graph, of transformed files (their beginnings, one
                for each pattern), of the cache and of statistics.
            status_file: Not written, as in TFX.
        """
        # TensorFlow is imported by what does the work.
        from trainwright.components.transform.transformation import run_transform

        beginnings = _several(outputs, labels.TRANSFORM_MATERIALIZE_OUTPUT_PATHS_LABEL)
        request = TransformRequest(
            preprocessing_fn=inputs[labels.PREPROCESSING_FN],
            stats_options_updater_fn=inputs.get(labels.STATS_OPTIONS_UPDATER_FN),
            force_tf_compat_v1=bool(inputs.get(labels.FORCE_TF_COMPAT_V1_LABEL)),
            schema_path=inputs[labels.SCHEMA_PATH_LABEL],
            examples=ExampleFiles(
                payload_format=inputs.get(
                    labels.EXAMPLES_DATA_FORMAT_LABEL, example_gen_pb2.FORMAT_TF_EXAMPLE
                ),
                data_view=inputs.get(labels.DATA_VIEW_LABEL),
            ),
            to_analyze=_files(_several(inputs, labels.ANALYZE_DATA_PATHS_LABEL)),
            to_transform=_files(_several(inputs, labels.TRANSFORM_DATA_PATHS_LABEL), beginnings),
            graph_directory=outputs[labels.TRANSFORM_METADATA_OUTPUT_PATH_LABEL],
            transformed_directory=os.path.dirname(beginnings[0]) if beginnings else None,
            earlier_caches=_several(inputs, labels.CACHE_INPUT_PATH_LABEL),
            cache_directory=outputs.get(labels.CACHE_OUTPUT_PATH_LABEL),
            statistics=None if inputs.get(labels.DISABLE_STATISTICS_LABEL) else _places(outputs),
        )
        with tempfile.TemporaryDirectory(dir=outputs.get(labels.TEMP_OUTPUT_LABEL)) as directory:
            run_transform(request, directory, lambda progress: None)


def _several(values: Mapping[str, Any], label: str) -> Sequence[str]:
    value = values.get(label) or ()
    return (value,) if isinstance(value, str) else tuple(value)


def _files(patterns: Sequence[str], beginnings: Sequence[str] = ()) -> list[SplitFiles]:
    """A split for each pattern, since there are no names of splits."""
    directories: list[str | None] = [os.path.dirname(one) for one in beginnings]
    return [
        SplitFiles(f"part{number}", pattern, sorted(glob.glob(pattern)), directory)
        for number, (pattern, directory) in enumerate(zip_longest(patterns, directories))
    ]


def _places(outputs: Mapping[str, Any]) -> StatisticsDirectories | None:
    if labels.PRE_TRANSFORM_OUTPUT_STATS_PATH_LABEL not in outputs:
        return None
    return StatisticsDirectories(
        raw_schema=outputs[labels.PRE_TRANSFORM_OUTPUT_SCHEMA_PATH_LABEL],
        raw_statistics=outputs[labels.PRE_TRANSFORM_OUTPUT_STATS_PATH_LABEL],
        transformed_schema=outputs[labels.POST_TRANSFORM_OUTPUT_SCHEMA_PATH_LABEL],
        transformed_statistics=outputs[labels.POST_TRANSFORM_OUTPUT_STATS_PATH_LABEL],
        anomalies=outputs[labels.POST_TRANSFORM_OUTPUT_ANOMALIES_PATH_LABEL],
    )
