"""`trainwright.compat.utils.test_case_utils` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.mlmd.records_for_tests import MlmdMixins as MlmdMixins
    from trainwright.compat.utils.test_case_utils import TfxTest as TfxTest
    from trainwright.compat.utils.test_case_utils import change_working_dir as change_working_dir
    from trainwright.compat.utils.test_case_utils import override_env_var as override_env_var
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.mlmd.records_for_tests": ("MlmdMixins",),
            "trainwright.compat.utils.test_case_utils": (
                "TfxTest",
                "change_working_dir",
                "override_env_var",
            ),
        },
    )
