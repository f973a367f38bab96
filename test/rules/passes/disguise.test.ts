/** The programs of test/programs/fpga under other names, with their sums and products the other way round. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { translateKernels } from "../../../rules/translate.ts";
import { vitisEmitter } from "../../../targets/vitis/emit.ts";
import { Rig } from "../../cli/rig.ts";
import { disguised } from "../../programs/disguise.ts";
import { stratixV } from "./harness.ts";

const folder = path.resolve(import.meta.dirname, "../../programs/fpga");
const names = readdirSync(folder).flatMap((f) => (f.endsWith(".c") ? [f.slice(0, -2)] : []));
const choice = { model: "swi", window: 2, reduction: 4, hoist: true, collapse: true };

/** What the passes did with each region, without names. */
function deeds(source: string): readonly string[] {
  const text = execFileSync("gcc", ["-E", "-dD", "-D_OPENACC=202211", "-x", "c", "-"], {
    input: source,
    encoding: "utf8",
  });
  const { stories, diagnostics } = translateKernels({ file: "a.c", text }, vitisEmitter, undefined, {
    device: stratixV,
    all: choice,
    named: [],
  });
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return stories.flatMap(({ remarks }) =>
    remarks.map((r) => `${r.pass} ${r.applied} ${r.message.replace(/'[^']*'/g, "'...'")}`),
  );
}

describe("a program in disguise", () => {
  it.each(names)(
    "meets the same passes and gives the serial result: %s",
    async (name) => {
      const source = readFileSync(path.join(folder, `${name}.c`), "utf8");
      const other = disguised(source, `${name}.c`);
      expect(deeds(other)).toEqual(deeds(source));
      const yaml = `arc: 1
project: ${name}
sources: [${name}.c]
cflags: [-O0, -ffp-contract=off]
targets: { amd: { kind: vitis, emulate: true } }
variants: { window: [2], reduction: [4], hoist: [true], collapse: [true] }
runs: { all: {} }
verify: { run: all, tolerance: { rel: 1e-3, abs: 1e-4 } }
`;
      const rig = new Rig({ "arc.yaml": yaml, [`${name}.c`]: other }, "shared");
      const { status, err } = await rig.arc(["verify"]);
      expect(status, err).toBe(0);
      expect(err).toContain("with the serial program");
    },
    120_000,
  );
});
