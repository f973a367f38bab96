import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { registry } from "../../../rules/registry.ts";
import { processSteps } from "../../../rules/tools/processes.ts";

it("executors can run just the steps that start processes", () => {
  const folder = path.resolve(import.meta.dirname, "../../../rules/steps");
  const starting = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (file) =>
      file.endsWith(".ts") &&
      /context\.spawn\(|runTool\(context|^ {4}command: \{/m.test(
        readFileSync(path.join(folder, file), "utf8"),
      ),
  );
  const names = starting.map((file) => path.basename(file, ".ts")).filter((name) => registry.steps.has(name));
  expect([...processSteps].sort()).toEqual(names.sort());
});
