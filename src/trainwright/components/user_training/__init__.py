"""Support for user code that trains, in Trainer and Tuner: FnArgs, libraries, errors."""
