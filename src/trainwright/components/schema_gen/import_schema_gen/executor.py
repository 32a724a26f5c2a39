"""Copies and checks a schema."""

from __future__ import annotations

import os
import shutil
from typing import Any

from trainwright.components.schema_gen.schema_file import SCHEMA_FILE_NAME, read_schema
from trainwright.dsl.base_executor import ArtifactDict, BaseExecutor


class Executor(BaseExecutor):
    """Writes `schema.pbtxt`, byte for byte as it was given."""

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        source = exec_properties["schema_file"]
        read_schema(source)
        shutil.copyfile(source, os.path.join(output_dict["schema"][0].uri, SCHEMA_FILE_NAME))
