"""The Rewriter's executor: writes each target, and compares it with the source."""

from __future__ import annotations

import glob
import itertools
import json
import logging
import os
from collections.abc import Mapping, Sequence
from typing import Any

from trainwright.components.rewriter.rewriting import compare_with_source, rewrite
from trainwright.components.rewriter.targets import REPORT, decode_targets, require_runtime
from trainwright.data.payload_reader import choose_reader
from trainwright.dsl.base_executor import ArtifactDict, BaseExecutor
from trainwright.evaluation.models.parity import PARITY_FILE
from trainwright.types import json_utils, model_paths, splits
from trainwright.types.artifact import Artifact
from trainwright.types.artifact_utils import get_single_instance
from trainwright.types.payload_format import get_common_payload_format

_logger = logging.getLogger(__name__)


class Executor(BaseExecutor):
    """Rewrites a model to its targets; fails if one of them does not say what the model says."""

    PRELOAD = ("tensorflow", "trainwright.components.rewriter.executor")

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        source = model_paths.serving_model_path(get_single_instance(input_dict["model"]).uri)
        signature_name = exec_properties.get("signature_name") or ""
        records = _read_records(input_dict["examples"], exec_properties)
        targets = decode_targets(exec_properties["targets"])
        for target in targets:
            require_runtime(target)
        compared: dict[str, dict[str, Any]] = {}
        for target in targets:
            model = get_single_instance(output_dict[target.key])
            destination = model_paths.serving_model_dir(model.uri)
            rewrite(source, destination, target, records, signature_name)
            found = compare_with_source(source, destination, target, records, signature_name)
            compared[target.key] = found
            model.set_string_custom_property("rewritten_to", target.to)
            model.set_string_custom_property("quantization", target.quantize)
            _logger.info("%s: %s", target.key, describe_comparison(found))
        report = get_single_instance(output_dict[REPORT])
        path = _write_report(report.uri, compared)
        refused = [
            f"  {key}: {problem}"
            for key, found in compared.items()
            for problem in found.get("problems", ())
        ]
        if refused:
            raise RuntimeError(
                "\n".join(["A rewritten model does not say what its source says.", *refused])
                + f"\nThe comparison is in {path}. Quantize less, calibrate with more examples "
                "(num_examples), or allow more by difference and agreement of the target."
            )
        lines = (f"{key}: {describe_comparison(found)}" for key, found in compared.items())
        report.set_string_custom_property("summary", "; ".join(lines))


def describe_comparison(found: Mapping[str, Any]) -> str:
    """A line on a rewritten model: what it differs by, and what it costs."""
    if "outputs" not in found:
        return str(found["remark"])
    largest = max(output["largest_absolute"] for output in found["outputs"])
    before, after = found["source"], found["rewritten"]
    return (
        f"differs by up to {largest:.2g} in {found['examples']} examples, "
        f"{after['size'] / 1000:,.0f} kB (was {before['size'] / 1000:,.0f}), "
        f"{after['milliseconds']:.2f} ms (was {before['milliseconds']:.2f})"
    )


def _read_records(examples: Sequence[Artifact], exec_properties: Mapping[str, Any]) -> list[bytes]:
    """The first examples of the splits."""
    names = json_utils.loads(exec_properties.get("example_splits") or "null")
    read, _ = choose_reader(get_common_payload_format(examples))
    files = [
        path
        for name in names or [splits.DEFAULT_EVAL_SPLIT]
        for uri in splits.get_split_uris(examples, name)
        for path in sorted(glob.glob(os.path.join(glob.escape(uri), "*")))
    ]
    records = (record for path in files for batch in read(path) for record in batch)
    found = list(itertools.islice(records, exec_properties["num_examples"]))
    if not found:
        raise ValueError(
            "There are no examples to compare the models with in "
            f"{', '.join(names or [splits.DEFAULT_EVAL_SPLIT])}: say which splits have some in "
            "example_splits of the Rewriter."
        )
    return found


def _write_report(directory: str, compared: Mapping[str, Any]) -> str:
    path = os.path.join(directory, PARITY_FILE)
    os.makedirs(directory, exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        json.dump({"targets": compared}, file, indent=1)
    return path
