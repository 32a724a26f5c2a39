"""The BulkInferrer's executor: asks the model, unless it was not blessed."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Iterable, Mapping
from typing import Any

from trainwright.components.bulk_inferrer.output_columns import (
    OutputColumn,
    check_columns,
    read_columns,
)
from trainwright.components.bulk_inferrer.shards import OutputFiles, SplitFiles, find_splits
from trainwright.components.bulk_inferrer.signatures import (
    check_model_spec,
    check_records,
    choose_signatures,
)
from trainwright.components.bulk_inferrer.specs import Specs, read_specs
from trainwright.data.example_reading.example_files import ExampleFiles
from trainwright.dsl.base_executor import SUMMARY_KEY, ArtifactDict, BaseExecutor
from trainwright.engine.passes import PassSpec
from trainwright.evaluation.models.feeding import takes_serialized
from trainwright.evaluation.models.signatures import Signature
from trainwright.types import model_paths
from trainwright.types.artifact import Artifact
from trainwright.types.artifact_utils import get_single_instance
from trainwright.types.payload_format import set_payload_format
from trainwright.types.splits import encode_split_names
from trainwright.types.standard_component_specs import (
    EXAMPLES_KEY,
    INFERENCE_RESULT_KEY,
    MODEL_BLESSING_KEY,
    MODEL_KEY,
    OUTPUT_EXAMPLES_KEY,
)

_logger = logging.getLogger(__name__)

# TFX's names for the files, which its users' programs look for.
_PREDICTION_LOGS_FILE_NAME = "prediction_logs"
_EXAMPLES_FILE_NAME = "examples"

_INFERENCE = "trainwright.components.bulk_inferrer.inference_pass:InferencePass"


class Executor(BaseExecutor):
    """Writes prediction logs, or examples with what the model says of them."""

    STREAMED_INPUTS = (EXAMPLES_KEY,)

    REPLACES_BEAM = True

    PRELOAD = (
        "tensorflow",
        "trainwright.components.keras_preload",
        "trainwright.components.bulk_inferrer.executor",
    )

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        results = [
            get_single_instance(output_dict[key])
            for key in (INFERENCE_RESULT_KEY, OUTPUT_EXAMPLES_KEY)
            if output_dict.get(key)
        ]
        blessing = input_dict.get(MODEL_BLESSING_KEY)
        if blessing and get_single_instance(blessing).get_int_custom_property("blessed") != 1:
            self._say(results, "no predictions: model_blessing does not bless the model")
            return
        if not input_dict.get(MODEL_KEY):
            raise ValueError("There is no model to ask. Wire model=trainer.outputs['model'].")
        specs = read_specs(exec_properties)
        check_model_spec(specs.model)
        path = model_paths.serving_model_path(get_single_instance(input_dict[MODEL_KEY]).uri)
        tags, signatures = choose_signatures(path, specs.model)
        examples = ExampleFiles.of_artifacts(input_dict[EXAMPLES_KEY])
        wants_examples = bool(output_dict.get(OUTPUT_EXAMPLES_KEY))
        columns = _columns(specs, signatures, path, wants_examples=wants_examples)
        check_records(examples.record_format, signatures, is_merged=bool(columns))
        split_files = find_splits(input_dict[EXAMPLES_KEY], specs.data)
        paths = [path for one in split_files for path in one.paths]
        spec = PassSpec(
            _INFERENCE,
            {
                "model": path,
                "tags": tags,
                "signatures": _describe(signatures, examples.at(*paths)),
                "examples": examples.to_json(),
                "columns": [column.to_json() for column in columns],
            },
            files=[("model",), ("examples", "data_view")],
        )
        rows = self._run(spec, examples, split_files, output_dict)
        files = f"{len(paths)} {'file' if len(paths) == 1 else 'files'}"
        if wants_examples:
            output = get_single_instance(output_dict[OUTPUT_EXAMPLES_KEY])
            _describe_examples(output, input_dict[EXAMPLES_KEY], split_files, examples)
        by_split = ", ".join(f"{name} {count:,}" for name, count in rows.items())
        added = ", ".join(column.column for column in columns)
        kind = f"examples with {added}" if added else "predictions"
        self._say(results, f"{sum(rows.values()):,} {kind} in {files} ({by_split})")

    def _say(self, results: Iterable[Artifact], summary: str) -> None:
        _logger.info("%s", summary)
        for result in results:
            result.set_string_custom_property(SUMMARY_KEY, summary)
        self.context.report_progress({"result": summary})

    def _run(
        self,
        spec: PassSpec,
        examples: ExampleFiles,
        split_files: list[SplitFiles],
        output_dict: ArtifactDict,
    ) -> dict[str, int]:
        """Runs the pass over all files; returns how many rows each split has."""
        # TensorFlow is not imported by a run that finds this node cached.
        from trainwright.components.forking import can_fork
        from trainwright.engine.choice import engine_for_files, open_engine

        shards = OutputFiles(
            logs=_place(output_dict, INFERENCE_RESULT_KEY, _PREDICTION_LOGS_FILE_NAME),
            examples=_place(output_dict, OUTPUT_EXAMPLES_KEY, _EXAMPLES_FILE_NAME),
        ).make_shards(examples, split_files)
        options: dict[str, Any] = {"preload": ("tensorflow",), "can_fork": can_fork}
        with (
            open_engine(self.context.engine, **options) as opened,
            engine_for_files(opened, **options) as engine,
        ):
            written = engine.map(
                spec, shards, lambda done: self.context.report_progress({"examples": done})
            )
        rows = {one.name: 0 for one in split_files}
        for shard, result in zip(shards, written, strict=True):
            rows[shard.config["split"]] += result["rows"]
        return rows


def _place(output_dict: ArtifactDict, key: str, name: str) -> tuple[str, str] | None:
    """The directory of an output and the name of its files; None if it is not wanted."""
    if not output_dict.get(key):
        return None
    return get_single_instance(output_dict[key]).uri, name


def _columns(
    specs: Specs, signatures: Mapping[str, Signature], path: str, *, wants_examples: bool
) -> list[OutputColumn]:
    """What becomes features of output examples; nothing if only logs are written."""
    if specs.output is None:
        if wants_examples:
            raise ValueError("Output examples need an output_example_spec that says what is added.")
        return []
    columns = read_columns(specs.output, list(specs.model.model_signature_name))
    check_columns(columns, signatures, path)
    return columns


def _describe(signatures: Mapping[str, Signature], examples: ExampleFiles) -> list[dict[str, Any]]:
    """What the pass must know of the signatures; by the first records, the same for all files."""
    first = list(itertools.islice(examples.records(), 100))
    names = examples.features().names(first) if first else []
    return [
        {
            "name": name,
            "method": signature.method,
            "takes_serialized": takes_serialized(signature.inputs, names),
        }
        for name, signature in signatures.items()
    ]


def _describe_examples(
    output: Artifact,
    sources: list[Artifact],
    split_files: list[SplitFiles],
    examples: ExampleFiles,
) -> None:
    output.split_names = encode_split_names(sorted(one.name for one in split_files))
    output.span = sources[-1].span
    output.version = sources[-1].version
    set_payload_format(output, examples.record_format)
