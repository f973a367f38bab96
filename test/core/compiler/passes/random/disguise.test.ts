/** The programs of test/programs/fpga under other names, with their sums and products the other way round. */
import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { translateKernels } from "../../../../../core/compiler/driver/translate.ts";
import { vitisEmitter } from "../../../../../targets/vitis/emit.ts";
import { Rig } from "../../../../cli/rig.ts";
import { disguised } from "../../../../programs/disguise.ts";
import { stratixV } from "../harness.ts";

const folder = path.resolve(import.meta.dirname, "../../../../programs/fpga");
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

const originals = new Map(names.map((name) => [name, readFileSync(path.join(folder, `${name}.c`), "utf8")]));
const others = new Map([...originals].map(([name, text]) => [name, disguised(text, `${name}.c`)]));

describe("a program in disguise", () => {
  it.each(names)("meets the same passes: %s", (name) => {
    expect(deeds(others.get(name) as string)).toEqual(deeds(originals.get(name) as string));
  });

  /** One build for all: each program's main is a function, and what they print follows each other. */
  it("gives the serial result as HLS C++, whichever it is", async () => {
    const files = Object.fromEntries(
      [...others].map(([name, text]) => [
        `${name}.c`,
        text.replace(/\bint main\(void\)/, `int ${name}_main(void)`),
      ]),
    );
    const main = [
      ...names.map((name) => `int ${name}_main(void);`),
      `int main(void) { ${names.map((name) => `${name}_main();`).join(" ")} }`,
    ].join("\n");
    const yaml = `arc: 1
project: all
sources: [${names.map((name) => `${name}.c`).join(", ")}]
host: [driver.c]
cflags: [-O0, -ffp-contract=off]
targets: { amd: { kind: vitis, emulate: true } }
variants: { window: [2], reduction: [4], hoist: [true], collapse: [true] }
runs: { all: {} }
verify: { run: all, tolerance: { rel: 1e-3, abs: 1e-4 } }
`;
    const rig = new Rig({ "arc.yaml": yaml, "driver.c": main, ...files }, "shared");
    const { status, err } = await rig.arc(["verify"]);
    expect(status, err).toBe(0);
    expect(err).toContain("with the serial program");
    const ran = await rig.arc(["run", "amd"]);
    expect(ran.out.split("\n").length).toBeGreaterThan(100);
  }, 120_000);
});
