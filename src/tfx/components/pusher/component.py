"""`trainwright.components.pusher.component` under the name that TFX gives it."""

from trainwright.components.pusher.component import Pusher as Pusher
