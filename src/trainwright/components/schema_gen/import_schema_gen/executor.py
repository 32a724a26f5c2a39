"""Copies and checks a schema."""

from __future__ import annotations

import os
import shutil
from typing import Any

from trainwright.dsl.base_executor import ArtifactDict, BaseExecutor
from trainwright.dsl.remote_files import local_file
from trainwright.schemas.schema_file import SCHEMA_FILE_NAME, read_schema
from trainwright.types.artifact_utils import get_single_uri


class Executor(BaseExecutor):
    """Writes `schema.pbtxt`, byte for byte as it was given."""

    def Do(
        self,
        input_dict: ArtifactDict,
        output_dict: ArtifactDict,
        exec_properties: dict[str, Any],
    ) -> None:
        if not exec_properties.get("schema_file"):
            raise ValueError("Schema file path is missing in exec_properties.")
        source = local_file(exec_properties["schema_file"], exec_properties)
        directory = get_single_uri(output_dict["schema"])
        if not os.path.exists(source):
            raise FileNotFoundError(f"The schema file {source!r} does not exist.")
        read_schema(source)
        os.makedirs(directory, exist_ok=True)
        shutil.copyfile(source, os.path.join(directory, SCHEMA_FILE_NAME))
