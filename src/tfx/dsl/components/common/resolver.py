"""`trainwright.dsl.resolver` under TFX's path."""

# Written by scripts/generate_names.py from scripts/names.toml: change that.

from typing import TYPE_CHECKING

from tfx._names import lazy_tfx_names

if TYPE_CHECKING:
    from trainwright.compat.orchestration.node_drivers import ResolverDriver as __ResolverDriver_
    from trainwright.dsl.resolver import RESOLVER_CONFIG as RESOLVER_CONFIG
    from trainwright.dsl.resolver import RESOLVER_STRATEGY_CLASS as RESOLVER_STRATEGY_CLASS
    from trainwright.dsl.resolver import Resolver as Resolver
    from trainwright.dsl.resolver_strategy import ResolverStrategy as ResolverStrategy

    _ResolverDriver = __ResolverDriver_
else:
    __getattr__, __dir__, __all__ = lazy_tfx_names(
        __name__,
        {
            "trainwright.compat.orchestration.node_drivers": ("ResolverDriver as _ResolverDriver",),
            "trainwright.dsl.resolver": (
                "RESOLVER_CONFIG",
                "RESOLVER_STRATEGY_CLASS",
                "Resolver",
            ),
            "trainwright.dsl.resolver_strategy": ("ResolverStrategy",),
        },
    )
