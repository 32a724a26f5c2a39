"""`tfx.components.statistics_gen.stats_artifact_utils`: the statistics of a split."""

from __future__ import annotations

import os

from trainwright.compat.tfdv.files import load_statistics as load_file
from trainwright.compat.tfdv.statistics_views import DatasetListView
from trainwright.types import splits
from trainwright.types.artifact import Artifact

BINARY_PB_BASENAME = "FeatureStats.pb"
TFRECORD_BASENAME = "stats_tfrecord"
SHARDED_STATS_PREFIX = "FeatureStats"


def load_statistics(stats_artifact: Artifact, split: str) -> DatasetListView:
    """The statistics of a split, also of artifacts that versions before 0.29 wrote.

    Example: `load_statistics(artifact, "train").proto().datasets[0].num_examples`
    """
    directory = splits.get_split_uri([stats_artifact], split)
    path = os.path.join(directory, BINARY_PB_BASENAME)
    older = os.path.join(stats_artifact.uri, split, TFRECORD_BASENAME)
    return DatasetListView(load_file(older if os.path.exists(older) else path))
