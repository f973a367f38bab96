import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { withOptions } from "../../../rules/inputs/option-axes.ts";
import { vocabulary } from "../../../rules/vocabulary.ts";
import type { Project, Target } from "../../../schema/contract/project.ts";
import { expandVariants } from "../../../schema/contract/variants.ts";
import { parseProject } from "../../../schema/load.ts";

const root = mkdtempSync(path.join(tmpdir(), "arc-axes-"));
writeFileSync(path.join(root, "a.c"), "");

const load = (variants: string, options = "clock: 80") =>
  parseProject(
    `arc: 1
project: p
sources: [a.c]
kernels: { k: { source: a.c, function: f } }
targets:
  fpga: { kind: rtl, part: ice40-hx8k, ${options}, variants: { ${variants} } }
  cpu: { kind: host }
`,
    path.join(root, "arc.yaml"),
    vocabulary,
  );

const targets = (variants: string) => (load(variants).project as Project).targets as [Target, Target];

describe("the axis `clock`", () => {
  it("chooses the target's option, is no business of the passes, and stands in the variant's name", () => {
    const [fpga] = targets("clock: [0, 120], window: [0]");
    const variants = [...expandVariants(fpga.space, "rtl", vocabulary.axes).variants];
    expect(variants.map(({ name }) => name)).toEqual(["sw0", "sw0_clk120"]);
    const made = variants.map((variant) => withOptions(fpga, variant));
    expect(made.map(({ target }) => target.options.clock)).toEqual([80, 120]);
    expect(made.map(({ variant }) => variant.all)).toEqual([{ window: 0 }, { window: 0 }]);
  });

  it("is none of other kinds", () => {
    const [, cpu] = targets("clock: [0]");
    expect([...expandVariants(cpu.space, "host", vocabulary.axes).variants].map(({ name }) => name)).toEqual([
      "default",
    ]);
  });

  it("is refused for one kernel", () => {
    expect(load("k: { clock: [100] }").diagnostics).toMatchObject([
      { code: "bad-value", message: "`clock` cannot be chosen for one kernel" },
    ]);
  });

  it("is refused where one of its values does not go with another option", () => {
    expect(
      load("clock: [0, 12]", "clock: 25, oscillator: 100, wrapper: uart").diagnostics.map((d) => d.code),
    ).toContain("options-conflict");
  });
});
