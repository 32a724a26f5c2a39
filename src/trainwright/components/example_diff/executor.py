"""ExampleDiff's executor: pairs the examples of two artifacts and counts how they differ."""

from __future__ import annotations

import logging
import os
import tempfile
from typing import Any

from trainwright.components.example_diff.config import read_config
from trainwright.components.split_pairs import SplitPair, choose_split_pairs, pair_name
from trainwright.data import feature_skew_files
from trainwright.dsl.base_executor import SUMMARY_KEY, ArtifactDict, BaseExecutor
from trainwright.types.artifact_utils import get_single_instance
from trainwright.types.standard_component_specs import (
    BASELINE_EXAMPLES_KEY,
    EXAMPLE_DIFF_RESULT_KEY,
    EXAMPLES_KEY,
    INCLUDE_SPLIT_PAIRS_KEY,
)

_logger = logging.getLogger(__name__)

# Of the files of a pair of splits, for TFX's programs.
STATS_FILE_NAME = feature_skew_files.STATS_FILE_NAME
MATCH_STATS_FILE_NAME = feature_skew_files.MATCH_STATS_FILE_NAME
CONFUSION_FILE_NAME = feature_skew_files.CONFUSION_FILE_NAME
_SAMPLE_FILE_NAME = feature_skew_files.SAMPLE_FILE_NAME


class Executor(BaseExecutor):
    """Writes, for each pair of splits, the files that TFDV's feature skew detector writes."""

    REPLACES_BEAM = True

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        # Arrow is not imported by a run that finds this node cached.
        from trainwright.components.example_diff.comparison import compare_examples
        from trainwright.engine.choice import engine_for_files, open_engine

        test = get_single_instance(input_dict[EXAMPLES_KEY])
        base = get_single_instance(input_dict[BASELINE_EXAMPLES_KEY])
        result = get_single_instance(output_dict[EXAMPLE_DIFF_RESULT_KEY])
        config = read_config(exec_properties)
        pairs = choose_split_pairs(
            test,
            base,
            exec_properties.get(INCLUDE_SPLIT_PAIRS_KEY),
            content="examples",
            same_name=False,
        )
        if not config.float_round_ndigits:
            _logger.info(
                "Floating-point numbers are compared as whole numbers: float_round_ndigits is 0."
            )
        lines = []
        with (
            tempfile.TemporaryDirectory(dir=self._own_directory()) as directory,
            open_engine(self.context.engine) as opened,
            engine_for_files(opened, carried=False) as engine,
        ):
            for pair, found, line in compare_examples(
                test, base, pairs, config, directory, engine, self.context.report_progress
            ):
                self._write(result.uri, pair, found)
                lines.append(f"{pair_name(pair)}: {line}")
                _logger.info("%s", lines[-1])
        result.set_string_custom_property(SUMMARY_KEY, "\n".join(lines))

    def _write(self, uri: str, pair: SplitPair, found: Any) -> None:
        found.write(os.path.join(uri, feature_skew_files.PAIR_PREFIX + pair_name(pair)))

    def _own_directory(self) -> str | None:
        return self._get_tmp_dir() if self.context.tmp_dir else None
