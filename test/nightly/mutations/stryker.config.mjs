/** What Stryker is told: ARC_MUTATED is a room, ARC_MUTATIONS_RESULT the file of its results. */
import path from "node:path";
import { inProcess, testsOf } from "./tests.mjs";

const room = process.env.ARC_MUTATED;
const result = process.env.ARC_MUTATIONS_RESULT;

const runner = inProcess(room)
  ? {
      testRunner: "in-process",
      plugins: ["./test/nightly/mutations/in-process/runner.mjs"],
      buildCommand: `node test/nightly/mutations/in-process/bundle.mjs ${testsOf(room, path.parse(result).name).join(" ")}`,
    }
  : {
      testRunner: "vitest",
      plugins: ["./node_modules/.mutations/node_modules/@stryker-mutator/vitest-runner/dist/src/index.js"],
      vitest: { configFile: "test/nightly/mutations/vitest.config.mjs", related: false },
    };

const copied = ["cli", "core", "rules", "schema", "targets", "test"];

export default {
  ...runner,
  coverageAnalysis: "perTest",
  timeoutMS: 10_000,
  ignoreStatic: true,
  // A test whose imports are not in the copy runs no test, and vitest's runner does not say so.
  ignorePatterns: [
    "*",
    ...copied.flatMap((folder) => [`!${folder}`, `!${folder}/**`]),
    "!package.json",
    ...["programs", "bench", "conformance"].map((folder) => `test/${folder}/**`),
  ],
  reporters: ["clear-text", "json"],
  jsonReporter: { fileName: result },
  clearTextReporter: { allowColor: false, reportTests: false, reportScoreTable: true },
  tempDirName: `${result}.sandbox`,
  tsconfigFile: "none",
  allowEmpty: true,
};
