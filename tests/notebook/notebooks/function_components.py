# %% [markdown] Python functions as components, in the shape of TFX's tutorial, and what goes wrong.

# %%
from typing import List

from tfx import v1 as tfx
from tfx.dsl.component.experimental.annotations import OutputDict
from tfx.dsl.component.experimental.decorators import component
from tfx.orchestration.experimental.interactive.interactive_context import InteractiveContext

%load_ext tfx.orchestration.experimental.interactive.notebook_extensions.skip

# %%
context = InteractiveContext(pipeline_name="functions", pipeline_root="root")

# %%
@tfx.dsl.components.component
def MyGenerator(
    data: tfx.dsl.components.OutputArtifact[tfx.types.standard_artifacts.Examples],
    words: tfx.dsl.components.Parameter[str] = "one two three",
):
    print("generating", words)
    with open(data.uri + "/words.txt", "w") as file:
        file.write(words)
    data.set_string_custom_property("custom_field", words)


@component
def Count(
    data: tfx.dsl.components.InputArtifact[tfx.types.standard_artifacts.Examples],
) -> OutputDict(count=int):
    with open(data.uri + "/words.txt") as file:
        words: List[str] = file.read().split()
    return {"count": len(words)}


@component
def Fail(data: tfx.dsl.components.InputArtifact[tfx.types.standard_artifacts.Examples]):
    numbers = {"known": 1}
    print(numbers["unknown"])

# %%
generator = MyGenerator()
context.run(generator)

# %%
counter = Count(data=generator.outputs["data"])
context.run(counter)

# %%
print("counted", counter.outputs["count"].get()[0].read())

# %%
again = context.run(MyGenerator(), enable_cache=True)
print("state", {node: state.value for node, state in again.run_result.states.items()})

# %%
generator

# %%
generator.outputs["data"]

# %%
context.run(Fail(data=generator.outputs["data"]))

# %%
context.run(Count(data=MyGenerator(words="four").outputs["data"]))

# %%
context.run("generator")

# %%
# The old components still read what they were declared with.
generator = MyGenerator(words="only one")
context.run(generator)
old = context.run(counter)
new = context.run(Count(data=generator.outputs["data"]))
print("old", old.component.outputs["count"].get()[0].read())
print("new", new.component.outputs["count"].get()[0].read())

# %%
%%skip_for_export
print("not exported")

# %%
import os
import shutil

shutil.rmtree(generator.outputs["data"].get()[0].uri)
context.run(Count(data=generator.outputs["data"]))
