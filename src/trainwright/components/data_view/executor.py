"""The executors of TfGraphDataViewProvider and DataViewBinder."""

from __future__ import annotations

import time
from typing import Any

from trainwright._imports import require
from trainwright.components.user_module import get_user_function
from trainwright.dsl.base_executor import ArtifactDict, BaseExecutor
from trainwright.types.artifact import Artifact
from trainwright.types.payload_format import (
    DATA_VIEW_CREATE_TIME_KEY,
    DATA_VIEW_URI_PROPERTY_KEY,
)


class TfGraphDataViewProviderExecutor(BaseExecutor):
    """Calls the user's function and saves the decoder that it returns."""

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        decoders = require("tfx_bsl.coders.tf_graph_record_decoder", extra="transform")
        create_decoder = get_user_function(exec_properties, "create_decoder_func")
        [data_view] = output_dict["data_view"]
        decoders.save_decoder(create_decoder(), data_view.uri)


class DataViewBinderExecutor(BaseExecutor):
    """Gives on the examples where they are, with the place and the time of the DataView."""

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        [data_view] = input_dict["data_view"]
        [examples] = input_dict["input_examples"]
        [bound] = output_dict["output_examples"]
        bound.copy_from(examples)
        bound.set_string_custom_property(DATA_VIEW_URI_PROPERTY_KEY, data_view.uri)
        bound.set_string_custom_property(DATA_VIEW_CREATE_TIME_KEY, str(_create_time(data_view)))


def _create_time(artifact: Artifact) -> int:
    """When the artifact was made, in milliseconds; now, if it is not known."""
    noted = artifact.mlmd_artifact.create_time_since_epoch
    return int(noted or time.time() * 1000)
