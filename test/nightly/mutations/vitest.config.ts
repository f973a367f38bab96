/** The tests that guard a room (ARC_MUTATED), and no bundle. Survivors run all of them, so that these are few. */
import { defineConfig } from "vitest/config";

const TESTS: Readonly<Record<string, readonly string[]>> = {
  key: ["build/key/*"],
  decide: ["build/state/decide", "build/key/action-key", "build/state/leftovers", "build/bad-input"],
  store: ["build/store/*"],
  // Those of whole programs and of random ones take too long, and the processes of `arc` see no change.
  passes: ["compiler/passes/!(programs|sobel|channels|ndrange)", "compiler/passes/rewrite/*"],
};

export default defineConfig({
  test: {
    include: (TESTS[process.env.ARC_MUTATED ?? ""] ?? []).map((name) => `test/core/${name}.test.ts`),
    testTimeout: 60_000,
    maxWorkers: 1,
  },
});
