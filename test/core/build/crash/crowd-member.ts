/** One of many processes that build the same graph with one store: see crowd.property.test.ts. */
import { setTimeout } from "node:timers/promises";
import { createEngine } from "../../../../core/build/engine.ts";
import { digestBytes } from "../../../../core/build/key/digest.ts";
import type { Action } from "../../../../core/build/model/action.ts";
import type { Graph, Member } from "./crowd.ts";

const { graph, member, root, store, log } = JSON.parse(process.argv[2] as string) as {
  readonly graph: Graph;
  readonly member: Member;
  readonly root: string;
  readonly store: string;
  readonly log: string;
};

// Clocks of processes that share a store differ, and jump.
const { now } = Date;
const start = now();
Date.now = () => now() + (now() - start > member.jumpsAfter ? member.jump : 0);

const actions: Action[] = graph.map(({ needs, milliseconds, fails }, at) => ({
  address: `a${at}`,
  step: "command",
  command: {
    argv: [
      "sh",
      "-c",
      `echo a${at} >> ${log}; sleep ${milliseconds / 1000}; ${fails ? "exit 3" : `cat ${needs.map((need) => `i${need}`).join(" ")} /dev/null > o; echo a${at} >> o`}`,
    ],
  },
  inputs: needs.map((need) => ({ name: `i${need}`, from: { action: `a${need}`, output: "o" } })),
  outputs: [{ name: "o", kind: "file", place: `out/o${at}` }],
  deterministic: true,
}));

const engine = createEngine({
  root,
  store,
  outputFolder: "out",
  jobs: member.jobs,
  registry: {
    steps: new Map([["command", { name: "command", digest: digestBytes("command") }]]),
    expansions: new Map(),
  },
});
const stop = new AbortController();
process.on("SIGINT", () => stop.abort());
// As `arc watch` does: a build that gives way is not over before the next one begins.
let given: AbortController | undefined;
let last: ReturnType<typeof engine.build> | undefined;
for (const [at, after] of [...member.givesWayAfter, undefined].entries()) {
  given?.abort();
  await last;
  given = new AbortController();
  last = engine.build(actions, {
    context: `crowd ${at % member.contexts}`,
    keepGoing: true,
    signal: stop.signal,
    giveWay: given.signal,
    ...(member.forced ? { force: true } : {}),
    ...(member.checksHits ? { checkHits: 1 } : {}),
  });
  if (after !== undefined) await setTimeout(after);
}
const { ok, counts, interrupted } = (await last) as Awaited<ReturnType<typeof engine.build>>;
await engine.close();
process.stdout.write(JSON.stringify({ ok, counts, interrupted: interrupted === true }));
