/** The tests that guard a room. Survivors run all of them, so that these are few. */
import { existsSync } from "node:fs";

const build = {
  key: ["key/*"],
  decide: ["state/decide", "key/action-key", "state/leftovers", "bad-input"],
  store: ["store/*"],
};
/** The processes of `arc` see no change. */
const passes = {
  quick: [
    "pairs",
    "elim",
    "share",
    "replicate",
    "pipeline",
    "model",
    "flatten",
    "stencil",
    "../../ir/verify-region",
  ],
  slow: [
    ...["independence", "time-steps", "hoist", "fuse", "collapse", "reduction", "channels"],
    ...["rewrite/blocks", "window", "random/fuzz"],
  ],
};

/** What has no test of its name. */
const ownTest = {
  "time-loop": "time-steps",
  "stage-chain": "time-steps",
  turns: "time-steps",
  counters: "collapse",
  factors: "reduction",
  iterations: "fuse",
  aliasing: "rewrite/aliasing",
  blocks: "rewrite/blocks",
};

/** Rooms whose tests run within Stryker's worker. */
export const inProcess = (room) => room.startsWith("passes");

/** Passes have two rounds: the quick tests and the pass's own, then for what survives those the others. */
export function testsOf(room, name) {
  if (!inProcess(room)) return (build[room] ?? []).map((test) => `test/core/build/${test}.test.ts`);
  const own = name === "window" ? [] : [ownTest[name] ?? name];
  const tests =
    room === "passes" ? [...passes.quick, ...own] : passes.slow.filter((test) => !own.includes(test));
  return [...new Set(tests)].map((test) => `test/core/compiler/passes/${test}.test.ts`).filter(existsSync);
}
