"""Functions that choose a node's inputs among artifacts, written as calls of operators.

Such a function is called once, while the pipeline is declared, with nodes of a graph in the place
of artifacts; what it returns is evaluated when the pipeline runs.
"""
