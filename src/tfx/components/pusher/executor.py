"""`trainwright.components.pusher.executor` under the name that TFX gives it."""

from trainwright.components.pusher.executor import Executor as Executor
