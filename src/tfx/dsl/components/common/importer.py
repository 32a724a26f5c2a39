"""`trainwright.dsl.importer` under TFX's path."""

from trainwright.dsl.importer import Importer as Importer
