import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
    exclude: ["test/bench/**", "node_modules/**"],
    globalSetup: ["test/build.setup.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // Tests start compilers; more files at once than cores only adds contention.
    maxWorkers: 2,
  },
});
