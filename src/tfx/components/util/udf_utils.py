"""`trainwright.compat.components.udf_utils` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.components.udf_utils import (
        TempPipInstallContext as TempPipInstallContext,
    )
    from trainwright.compat.components.udf_utils import (
        UserModuleFilePipDependency as UserModuleFilePipDependency,
    )
    from trainwright.compat.components.udf_utils import (
        add_user_module_dependency as add_user_module_dependency,
    )
    from trainwright.compat.components.udf_utils import (
        decode_user_module_key as decode_user_module_key,
    )
    from trainwright.compat.components.udf_utils import get_fn as get_fn
    from trainwright.compat.components.udf_utils import get_version_hash as __get_version_hash_
    from trainwright.compat.components.udf_utils import (
        install_to_temp_directory as install_to_temp_directory,
    )
    from trainwright.compat.components.udf_utils import (
        package_user_module_file as package_user_module_file,
    )
    from trainwright.compat.components.udf_utils import (
        should_package_user_modules as should_package_user_modules,
    )
    from trainwright.compat.components.udf_utils import try_get_fn as try_get_fn

    _get_version_hash = __get_version_hash_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.components.udf_utils": (
                "TempPipInstallContext",
                "UserModuleFilePipDependency",
                "add_user_module_dependency",
                "decode_user_module_key",
                "get_fn",
                "get_version_hash as _get_version_hash",
                "install_to_temp_directory",
                "package_user_module_file",
                "should_package_user_modules",
                "try_get_fn",
            ),
        },
    )
