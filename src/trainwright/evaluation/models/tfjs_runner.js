// Runs a TF.js model for tfjs_model.py: loads it, then answers each batch that comes by stdin.
//
//   node tfjs_runner.js <node_modules> <model.json>
//
// A message is the length of a JSON text (4 bytes, little-endian), that text, and the bytes of the
// tensors that it lists. Strings are in the text, in base64. The process ends with its stdin.
'use strict';

const fs = require('fs');
const path = require('path');

const [modules, file] = process.argv.slice(2);
// Whatever logs, must not write between messages.
console.log = console.info = console.debug = console.error;
const tf = require(path.join(modules, '@tensorflow', 'tfjs'));
tf.enableProdMode();

const ARRAYS = {float32: Float32Array, int32: Int32Array, bool: Uint8Array};

function load() {
  const json = JSON.parse(fs.readFileSync(file, 'utf8'));
  return tf.loadGraphModel({
    load: () => tf.io.getModelArtifactsForJSON(json, async (manifest) => {
      const files = manifest.flatMap((group) => group.paths);
      const read = (name) => fs.readFileSync(path.join(path.dirname(file), name));
      const bytes = Buffer.concat(files.map(read));
      const weights = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length);
      return [manifest.flatMap((group) => group.weights), weights];
    }),
  });
}

async function answer(model, request, bytes) {
  const given = {};
  let offset = 0;
  for (const {name, dtype, shape, strings} of request.inputs) {
    let values = strings && strings.map((one) => new Uint8Array(Buffer.from(one, 'base64')));
    if (!values) {
      const size = ARRAYS[dtype].BYTES_PER_ELEMENT * shape.reduce((product, one) => product * one, 1);
      // Copied, because a typed array must begin at a multiple of its element's size.
      values = new ARRAYS[dtype](new Uint8Array(bytes.subarray(offset, offset + size)).buffer);
      offset += size;
    }
    given[name] = tf.tensor(values, shape, dtype);
  }
  const computed = [].concat(await model.executeAsync(given, request.outputs));
  const outputs = [];
  const parts = [];
  for (const tensor of computed) {
    const {dtype, shape} = tensor;
    const values = await tensor.data();
    if (dtype === 'string') {
      outputs.push({dtype, shape, strings: values.map((one) => Buffer.from(one).toString('base64'))});
    } else if (ARRAYS[dtype]) {
      outputs.push({dtype, shape});
      parts.push(Buffer.from(values.buffer, values.byteOffset, values.byteLength));
    } else {
      throw new Error(`an output is of the type ${dtype}`);
    }
  }
  tf.dispose([Object.values(given), computed]);
  return [{outputs}, parts];
}

function send(message, parts = []) {
  const text = Buffer.from(JSON.stringify(message));
  const head = Buffer.alloc(4);
  head.writeUInt32LE(text.length);
  process.stdout.write(Buffer.concat([head, text, ...parts]));
}

async function* readMessages() {
  let chunks = [];
  let size = 0;
  let needed = 4;
  let text = null;
  for await (const chunk of process.stdin) {
    chunks.push(chunk);
    size += chunk.length;
    while (size >= needed) {
      const all = Buffer.concat(chunks);
      const textEnd = 4 + all.readUInt32LE(0);
      if (all.length >= textEnd && text === null) {
        text = JSON.parse(all.toString('utf8', 4, textEnd));
      }
      const end = text === null ? textEnd : textEnd + text.bytes;
      if (all.length >= end && text !== null) {
        yield [text, all.subarray(textEnd, end)];
        chunks = [all.subarray(end)];
        size = all.length - end;
        needed = 4;
        text = null;
      } else {
        chunks = [all];
        needed = end;
      }
    }
  }
}

async function main() {
  let model;
  try {
    model = await load();
    send({backend: tf.getBackend()});
  } catch (error) {
    send({error: String(error && error.message || error)});
    return;
  }
  for await (const [request, bytes] of readMessages()) {
    try {
      send(...await answer(model, request, bytes));
    } catch (error) {
      send({error: String(error && error.message || error)});
    }
  }
}

main();
