/**
 * A build in a process of its own, to be killed: `victim ROOT STORE`. Tells on stdout what runs and what is
 * done, one line each.
 */
import { mkdirSync, writeFileSync, writeSync } from "node:fs";
import { createEngine } from "../../../../core/build/engine.ts";
import { checkUpToDate } from "../../../../core/build/files/up-to-date.ts";
import { digestBytes } from "../../../../core/build/key/digest.ts";
import type { Action, Expansion, Step } from "../../../../core/build/model/action.ts";

const [root = "", store = ""] = process.argv.slice(2);
process.chdir(root);

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

const graph: Action[] = [
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

const engine = createEngine({
  root,
  store,
  jobs: 2,
  registry: {
    steps: new Map([run, copy, makeFolder].map((step) => [step.name, step])),
    expansions: new Map([[words.rule, words]]),
  },
});

function say(text: string): void {
  writeSync(1, `${text}\n`);
}

const options = {
  context: "victim",
  onEvent: (event: { type: string; address?: string; message?: string }) => {
    if (event.type === "running") say(`ran ${event.address}`);
    if (event.type === "done") say(`done ${event.address}`);
    if (event.type === "failed" || event.type === "warning") say(`${event.type} ${event.message}`);
  },
};

const check = checkUpToDate(`${root}/.arc`, "victim");
if (check.upToDate) say("up to date");
else {
  const result = (await engine.resume(check, options)) ?? (await engine.build(graph, options));
  say(result.ok ? "ok" : "not ok");
}
await engine.close();
