/** The tests of a room (ARC_MUTATED), and no bundle. */
import { defineConfig } from "vitest/config";
import { testsOf } from "./tests.mjs";

export default defineConfig({
  test: {
    include: testsOf(process.env.ARC_MUTATED ?? ""),
    testTimeout: 60_000,
    maxWorkers: 1,
  },
});
