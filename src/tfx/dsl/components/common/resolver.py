"""`trainwright.dsl.resolver` under TFX's path."""

from trainwright.dsl.resolver import Resolver as Resolver
from trainwright.dsl.resolver_strategy import ResolverStrategy as ResolverStrategy
