"""Pictures of graphs: boxes and arrows, laid out in layers, as SVG or as Graphviz text."""
