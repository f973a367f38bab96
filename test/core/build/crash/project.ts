/** A small project of what an engine knows: commands, functions, a folder, an expansion. */
import { mkdirSync, writeFileSync } from "node:fs";
import { createEngine } from "../../../../core/build/engine.ts";
import type { Engine } from "../../../../core/build/engine-interface.ts";
import { digestBytes } from "../../../../core/build/key/digest.ts";
import type { Action, Expansion, Step } from "../../../../core/build/model/action.ts";

const sources = ["s0", "s1", "s2"];

function command(address: string, script: string, inputs: Record<string, string>, output: string): Action {
  return {
    address,
    step: "command",
    command: { argv: ["sh", "-c", script] },
    inputs: Object.entries(inputs).map(([name, from]) => ({
      name,
      from: from.includes("#") ? { action: from.slice(0, -1), output: "o" } : { file: from },
    })),
    outputs: [{ name: "o", kind: "file", place: output }],
  };
}

export const graph: Action[] = [
  ...sources.map((name) =>
    command(`upper-${name}`, "tr a-z A-Z < i > o; echo did it", { i: name }, `out/${name}`),
  ),
  command("all", "cat a b c > o", { a: "upper-s0#", b: "upper-s1#", c: "upper-s2#" }, "out/all"),
  {
    address: "folder",
    step: "folder",
    inputs: [{ name: "i", from: { action: "all", output: "o" } }],
    outputs: [{ name: "o", kind: "folder", place: "out/folder" }],
  },
  {
    address: "words",
    step: "copy",
    inputs: [{ name: "i", from: { action: "all", output: "o" } }],
    outputs: [{ name: "o", kind: "file" }],
    expand: { rule: "words", promises: [] },
  },
];

const copy: Step = {
  name: "copy",
  digest: digestBytes("copy"),
  async run(context) {
    await context.writeOutput("o", await context.readInput("i"));
    return { ok: true };
  },
};

const makeFolder: Step = {
  name: "folder",
  digest: digestBytes("folder"),
  async run(context) {
    mkdirSync(`${context.output("o")}/deep`);
    writeFileSync(`${context.output("o")}/deep/x`, await context.readInput("i"));
    writeFileSync(`${context.output("o")}/y`, "y\n");
    return { ok: true };
  },
};

const words: Expansion = {
  rule: "words",
  digest: digestBytes("words"),
  async expand(_action, read) {
    const list = (await read("o")).toString().trim().split("\n");
    return list.map((word, at) => command(`word-${at}`, `echo ${word} > o`, {}, `out/words/${at}`));
  },
};

const run: Step = { name: "command", digest: digestBytes("command") };

export const open = (root: string, store: string): Engine =>
  createEngine({
    root,
    store,
    jobs: 2,
    registry: {
      steps: new Map([run, copy, makeFolder].map((step) => [step.name, step])),
      expansions: new Map([[words.rule, words]]),
    },
  });
