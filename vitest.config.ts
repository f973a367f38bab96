import { readFileSync } from "node:fs";
import { defineConfig, type Plugin } from "vitest/config";

/** Verilog files are imported as text, as in the bundle. */
const verilogAsText: Plugin = {
  name: "verilog-as-text",
  enforce: "pre",
  load: (id) =>
    id.endsWith(".v") ? `export default ${JSON.stringify(readFileSync(id, "utf8"))};` : undefined,
};

/** More random cases than every run takes: see ARCHITECTURE.md. */
const asksForMore = ["ARC_PROPERTIES", "ARC_RTL_SEEDS", "ARC_CSMITH_SEEDS"].some((name) => process.env[name]);

const everyTest = {
  exclude: ["test/bench/**", "node_modules/**"],
  // Ink reads these once and redraws nothing then: what is tested is a user's terminal, wherever the tests run.
  env: { CI: "false", CONTINUOUS_INTEGRATION: "false" },
  testTimeout: asksForMore ? 3_600_000 : 60_000,
  hookTimeout: 60_000,
};

/** They change nothing in their process, so that the next file finds the modules loaded: half a second for each file. */
const ofCompiler = [
  "test/core/{compiler,hw,ir,lang,lint,source-to-source}/**/*.test.ts",
  "test/{rules,schema,targets}/**/*.test.ts",
  "test/programs/combinations/**/*.test.ts",
];

export default defineConfig({
  test: {
    globalSetup: ["test/build.setup.ts"],
    // Tests wait for programs that they start: with two, a seventh of two cores was idle.
    maxWorkers: 3,
    projects: [
      {
        plugins: [verilogAsText],
        test: { ...everyTest, name: "compiler", include: ofCompiler, isolate: false },
      },
      {
        plugins: [verilogAsText],
        test: {
          ...everyTest,
          name: "arc",
          include: ["test/**/*.test.ts", "test/**/*.test.tsx"],
          exclude: [...everyTest.exclude, ...ofCompiler],
        },
      },
    ],
  },
});
