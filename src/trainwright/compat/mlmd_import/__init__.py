"""The records of an ml-metadata file, as TFX writes it, brought over into a Trainwright store."""
