"""`trainwright.dsl.function_component` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.dsl.function_component import (
        BaseFunctionalComponent as BaseFunctionalComponent,
    )
    from trainwright.dsl.function_component import (
        BaseFunctionalComponentFactory as BaseFunctionalComponentFactory,
    )
    from trainwright.dsl.function_component import SimpleBeamComponent as __SimpleBeamComponent_
    from trainwright.dsl.function_component import SimpleComponent as __SimpleComponent_
    from trainwright.dsl.function_component import component as component
    from trainwright.dsl.function_executor import FunctionBeamExecutor as __FunctionBeamExecutor_
    from trainwright.dsl.function_executor import FunctionExecutor as __FunctionExecutor_

    _SimpleBeamComponent = __SimpleBeamComponent_
    _SimpleComponent = __SimpleComponent_
    _FunctionBeamExecutor = __FunctionBeamExecutor_
    _FunctionExecutor = __FunctionExecutor_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.dsl.function_component": (
                "BaseFunctionalComponent",
                "BaseFunctionalComponentFactory",
                "SimpleBeamComponent as _SimpleBeamComponent",
                "SimpleComponent as _SimpleComponent",
                "component",
            ),
            "trainwright.dsl.function_executor": (
                "FunctionBeamExecutor as _FunctionBeamExecutor",
                "FunctionExecutor as _FunctionExecutor",
            ),
        },
    )
