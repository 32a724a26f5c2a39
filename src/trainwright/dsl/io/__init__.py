"""Reading and writing files by path, under the names that TFX's components use."""
