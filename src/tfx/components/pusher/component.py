"""`trainwright.components.pusher.component` under TFX's path."""

from trainwright.components.pusher.component import Pusher as Pusher
