"""Parts of tensorflow-transform beside its public names, which another version may move."""

from __future__ import annotations

import subprocess
import sys

import pytest

tft = pytest.importorskip("tensorflow_transform", reason="pip install 'trainwright[transform]'")

from tensorflow_transform import (  # noqa: E402
    analyzer_nodes,
    analyzers,
    annotators,
    graph_tools,
    impl_helper,
    info_theory,
    nodes,
    output_wrapper,
    schema_inference,
    tf2_utils,
    tf_utils,
)
from tensorflow_transform.saved import saved_transform_io, saved_transform_io_v2  # noqa: E402
from tensorflow_transform.tf_metadata import dataset_metadata, metadata_io  # noqa: E402

INTERNAL_NAMES = [
    (analyzer_nodes, "TENSOR_REPLACEMENTS TensorSource PTransform FlattenLists"),
    (analyzer_nodes, "CacheableCombineAccumulate CacheableCombineMerge"),
    (analyzer_nodes, "CacheableCombinePerKeyAccumulate CacheableCombinePerKeyMerge"),
    (analyzer_nodes, "CacheableCombinePerKeyFormatKeys CacheableCombinePerKeyFormatLarge"),
    (analyzer_nodes, "ScaleAndFlattenPerKeyBucketBouandaries ExtractCombineMergeOutputs"),
    (analyzer_nodes, "VocabularyAccumulate VocabularyMerge VocabularyCount VocabularyPrune"),
    (analyzer_nodes, "VocabularyOrderAndWrite ExtractVocabularyReservedTokens"),
    (analyzers, "_VocabOrderingType WeightedMeanAndVarCombiner get_empy_vocabulary_dummy_value"),
    (analyzers, "calculate_recommended_min_diff_from_avg"),
    (analyzers._VocabOrderingType, "FREQUENCY WEIGHTED_FREQUENCY MUTUAL_INFORMATION"),
    (analyzers._VocabOrderingType, "WEIGHTED_MUTUAL_INFORMATION"),
    (annotators, "get_asset_annotations clear_asset_annotations"),
    (dataset_metadata, "DatasetMetadata"),
    (graph_tools, "InitializableGraphAnalyzer describe_path_as_analyzer_cache_hash"),
    (graph_tools, "get_analyzers_fingerprint get_dependent_inputs"),
    (impl_helper, "trace_preprocessing_function trace_and_write_v2_saved_model"),
    (impl_helper, "METADATA_DIR_NAME make_tensor_to_arrow_converter"),
    (info_theory, "calculate_partial_mutual_information"),
    (info_theory, "calculate_partial_expected_mutual_information"),
    (metadata_io, "read_metadata write_metadata"),
    (nodes, "Traverser Visitor"),
    (output_wrapper.TFTransformOutput, "ASSET_MAP TRANSFORM_FN_DIR TRANSFORMED_METADATA_DIR"),
    (saved_transform_io, "partially_apply_saved_transform_internal"),
    (saved_transform_io, "write_saved_transform_from_session"),
    (saved_transform_io_v2, "SavedModelLoader"),
    (schema_inference, "infer_feature_schema"),
    (tf2_utils, "get_structured_inputs_from_func_graph"),
    (tf_utils, "GLOBAL_Y_COUNT_SENTINEL_STRING GLOBAL_Y_COUNT_SENTINEL_INT"),
    (tf_utils, "fetch_vocabulary_reserved_tokens hashable_tensor_or_op"),
]


def test_the_version_is_the_one_whose_nodes_we_know():
    assert tft.__version__.startswith("1.21.")


@pytest.mark.parametrize(("module", "names"), INTERNAL_NAMES)
def test_the_names_we_use_are_there(module, names):
    assert [name for name in names.split() if not hasattr(module, name)] == []


def test_analysis_and_transform_do_without_beam(paths, tmp_path):
    code = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import tensorflow_transform as tft
from transform_results import run_ours

def preprocessing_fn(inputs):
    return {
        "id": inputs["id"],
        "x": tft.scale_to_z_score(inputs["x"]),
        "word": tft.compute_and_apply_vocabulary(inputs["word"]),
    }

result = run_ours(preprocessing_fn, sys.argv[3:], Path(sys.argv[2]))
print(len(result.rows), "apache_beam" in sys.modules)
"""
    here = __file__.rpartition("/")[0]
    finished = subprocess.run(
        [sys.executable, "-c", code, here, str(tmp_path), *paths], capture_output=True, text=True
    )
    assert finished.stdout.split() == ["240", "False"], finished.stderr
