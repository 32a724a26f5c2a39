"""The page of a search for hyperparameters: its files, its pictures, its table."""
