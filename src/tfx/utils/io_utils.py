"""`trainwright.dsl.io.io_utils` under TFX's path."""

from typing import TYPE_CHECKING

from tfx._names import missing_names
from trainwright.dsl.io.io_utils import SchemaReader as SchemaReader
from trainwright.dsl.io.io_utils import all_files_pattern as all_files_pattern
from trainwright.dsl.io.io_utils import copy_dir as copy_dir
from trainwright.dsl.io.io_utils import copy_file as copy_file
from trainwright.dsl.io.io_utils import delete_dir as delete_dir
from trainwright.dsl.io.io_utils import ensure_local as ensure_local
from trainwright.dsl.io.io_utils import get_only_uri_in_dir as get_only_uri_in_dir
from trainwright.dsl.io.io_utils import load_csv_column_names as load_csv_column_names
from trainwright.dsl.io.io_utils import parse_json_file as parse_json_file
from trainwright.dsl.io.io_utils import parse_pbtxt_file as parse_pbtxt_file
from trainwright.dsl.io.io_utils import read_bytes_file as read_bytes_file
from trainwright.dsl.io.io_utils import read_string_file as read_string_file
from trainwright.dsl.io.io_utils import write_bytes_file as write_bytes_file
from trainwright.dsl.io.io_utils import write_pbtxt_file as write_pbtxt_file
from trainwright.dsl.io.io_utils import write_string_file as write_string_file

if not TYPE_CHECKING:
    __getattr__ = missing_names(
        __name__,
        (
            "generate_fingerprint",
            "write_tfrecord_file",
        ),
    )
