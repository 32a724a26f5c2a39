"""TFX's words for what its ModelValidator was given and gave."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.components.model_validator_constants import (
        ARTIFACT_PROPERTY_BLESSED_KEY as ARTIFACT_PROPERTY_BLESSED_KEY,
    )
    from trainwright.compat.components.model_validator_constants import (
        ARTIFACT_PROPERTY_BLESSED_MODEL_ID_KEY as ARTIFACT_PROPERTY_BLESSED_MODEL_ID_KEY,
    )
    from trainwright.compat.components.model_validator_constants import (
        ARTIFACT_PROPERTY_BLESSED_MODEL_URI_KEY as ARTIFACT_PROPERTY_BLESSED_MODEL_URI_KEY,
    )
    from trainwright.compat.components.model_validator_constants import (
        ARTIFACT_PROPERTY_CURRENT_MODEL_ID_KEY as ARTIFACT_PROPERTY_CURRENT_MODEL_ID_KEY,
    )
    from trainwright.compat.components.model_validator_constants import (
        ARTIFACT_PROPERTY_CURRENT_MODEL_URI_KEY as ARTIFACT_PROPERTY_CURRENT_MODEL_URI_KEY,
    )
    from trainwright.compat.components.model_validator_constants import (
        BLESSED_FILE_NAME as BLESSED_FILE_NAME,
    )
    from trainwright.compat.components.model_validator_constants import (
        BLESSED_MODEL_EVAL_RESULT_PATH as BLESSED_MODEL_EVAL_RESULT_PATH,
    )
    from trainwright.compat.components.model_validator_constants import (
        BLESSED_VALUE as BLESSED_VALUE,
    )
    from trainwright.compat.components.model_validator_constants import BLESSING_KEY as BLESSING_KEY
    from trainwright.compat.components.model_validator_constants import (
        CURRENT_MODEL_EVAL_RESULT_PATH as CURRENT_MODEL_EVAL_RESULT_PATH,
    )
    from trainwright.compat.components.model_validator_constants import EXAMPLES_KEY as EXAMPLES_KEY
    from trainwright.compat.components.model_validator_constants import MODEL_KEY as MODEL_KEY
    from trainwright.compat.components.model_validator_constants import (
        NOT_BLESSED_FILE_NAME as NOT_BLESSED_FILE_NAME,
    )
    from trainwright.compat.components.model_validator_constants import (
        NOT_BLESSED_VALUE as NOT_BLESSED_VALUE,
    )
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.components.model_validator_constants": (
                "ARTIFACT_PROPERTY_BLESSED_KEY",
                "ARTIFACT_PROPERTY_BLESSED_MODEL_ID_KEY",
                "ARTIFACT_PROPERTY_BLESSED_MODEL_URI_KEY",
                "ARTIFACT_PROPERTY_CURRENT_MODEL_ID_KEY",
                "ARTIFACT_PROPERTY_CURRENT_MODEL_URI_KEY",
                "BLESSED_FILE_NAME",
                "BLESSED_MODEL_EVAL_RESULT_PATH",
                "BLESSED_VALUE",
                "BLESSING_KEY",
                "CURRENT_MODEL_EVAL_RESULT_PATH",
                "EXAMPLES_KEY",
                "MODEL_KEY",
                "NOT_BLESSED_FILE_NAME",
                "NOT_BLESSED_VALUE",
            ),
        },
    )
