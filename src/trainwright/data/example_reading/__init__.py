"""How examples are read, whatever their payload format: `ExampleFiles`."""
