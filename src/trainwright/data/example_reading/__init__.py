"""Reading of examples, whatever their payload format: `ExampleFiles`."""
