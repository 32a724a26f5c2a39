# %% [markdown] The same without TFX's names, and a whole pipeline in a cell.

# %%
from trainwright import LocalDagRunner, Notebook, Pipeline
from trainwright.components import CsvExampleGen, SchemaGen, StatisticsGen

notebook = Notebook("penguins", "root")

# %%
example_gen = CsvExampleGen(input_base="data")
statistics_gen = StatisticsGen(examples=example_gen.outputs["examples"])
schema_gen = SchemaGen(statistics=statistics_gen.outputs["statistics"])
for component in (example_gen, statistics_gen, schema_gen):
    notebook.run(component)

# %%
notebook.show(schema_gen)

# %%
notebook.show("anything else")

# %%
import sys

print("heavy", sorted({"tensorflow", "apache_beam", "pandas"} & sys.modules.keys()))

# %%
pipeline = Pipeline("whole", "root", components=[CsvExampleGen(input_base="data")])
LocalDagRunner().run(pipeline)

# %%
notebook.close()
notebook.run(CsvExampleGen(input_base="data"), enable_cache=False)
