"""Helpers around files, under TFX's names."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.utils.small_helpers import write_tfrecord_file as write_tfrecord_file
    from trainwright.dsl.io.io_utils import _REMOTE_FS_PREFIX as _REMOTE_FS_PREFIX
    from trainwright.dsl.io.io_utils import NANO_PER_SEC as NANO_PER_SEC
    from trainwright.dsl.io.io_utils import ProtoMessage as ProtoMessage
    from trainwright.dsl.io.io_utils import SchemaReader as SchemaReader
    from trainwright.dsl.io.io_utils import all_files_pattern as all_files_pattern
    from trainwright.dsl.io.io_utils import copy_dir as copy_dir
    from trainwright.dsl.io.io_utils import copy_file as copy_file
    from trainwright.dsl.io.io_utils import delete_dir as delete_dir
    from trainwright.dsl.io.io_utils import ensure_local as ensure_local
    from trainwright.dsl.io.io_utils import generate_fingerprint as generate_fingerprint
    from trainwright.dsl.io.io_utils import get_only_uri_in_dir as get_only_uri_in_dir
    from trainwright.dsl.io.io_utils import load_csv_column_names as load_csv_column_names
    from trainwright.dsl.io.io_utils import parse_json_file as parse_json_file
    from trainwright.dsl.io.io_utils import parse_pbtxt_file as parse_pbtxt_file
    from trainwright.dsl.io.io_utils import read_bytes_file as read_bytes_file
    from trainwright.dsl.io.io_utils import read_string_file as read_string_file
    from trainwright.dsl.io.io_utils import write_bytes_file as write_bytes_file
    from trainwright.dsl.io.io_utils import write_pbtxt_file as write_pbtxt_file
    from trainwright.dsl.io.io_utils import write_string_file as write_string_file
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.utils.small_helpers": ("write_tfrecord_file",),
            "trainwright.dsl.io.io_utils": (
                "NANO_PER_SEC",
                "ProtoMessage",
                "SchemaReader",
                "_REMOTE_FS_PREFIX",
                "all_files_pattern",
                "copy_dir",
                "copy_file",
                "delete_dir",
                "ensure_local",
                "generate_fingerprint",
                "get_only_uri_in_dir",
                "load_csv_column_names",
                "parse_json_file",
                "parse_pbtxt_file",
                "read_bytes_file",
                "read_string_file",
                "write_bytes_file",
                "write_pbtxt_file",
                "write_string_file",
            ),
        },
    )
