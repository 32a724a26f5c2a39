"""What surrounds user code that trains, in Trainer and Tuner: FnArgs, libraries, errors."""
