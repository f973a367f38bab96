/** The tests that guard a room (ARC_MUTATED), and no bundle. Survivors run all of them, so that these are few. */
import { defineConfig } from "vitest/config";

const TESTS: Readonly<Record<string, readonly string[]>> = {
  key: ["key/*"],
  decide: ["state/decide", "key/action-key", "state/leftovers", "bad-input"],
  store: ["store/*"],
};

export default defineConfig({
  test: {
    include: (TESTS[process.env.ARC_MUTATED ?? ""] ?? []).map((name) => `test/core/build/${name}.test.ts`),
    testTimeout: 60_000,
    maxWorkers: 1,
  },
});
