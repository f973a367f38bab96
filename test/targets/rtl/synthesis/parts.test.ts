/** Parts that are not placed, through the real build: counts of a netlist, and labelled so. */
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parts, resourcesOf, tableOf } from "../../../../targets/rtl/parts.ts";
import { pathWithout } from "../../../cli/path-without.ts";
import { Rig } from "../../../cli/rig.ts";

describe("a part's table", () => {
  it.each(Object.keys(parts))("of %s has the part's resources and their source", (part) => {
    const table = tableOf(part);
    const has = resourcesOf(table);
    expect(has.rams).toBeGreaterThan(0);
    expect(has.lcs ?? has.luts ?? has.aluts).toBeGreaterThan(1000);
    expect(table.resources.source).toMatch(/Data Sheet|Overview/);
    expect(table.logic.source).toMatch(/assumed/);
  });
});

describe("a part without a placement tool", () => {
  it("ends with the netlist's counts, against what the part has", async () => {
    const rig = new Rig(
      {
        "arc.yaml": [
          "arc: 1",
          "project: ring",
          "sources: [ring.c]",
          "targets:",
          "  seven: { kind: rtl, part: xc7a35t, clock: 100 }",
          "  five: { kind: rtl, part: cyclonev-5csema5 }",
          ...(process.env.ARC_SLOW_TESTS ? ["  nano: { kind: rtl, part: gw1nr-9c }"] : []),
        ].join("\n"),
        "ring.c": `void late(int *restrict a, int *restrict b) {
#pragma acc parallel loop copyin(a[0:9000]) copyout(b[0:9000])
#pragma openarc transform window(a, b)
  for (int i = 0; i < 9000; i++)
    b[i] = i < 700 ? 0 : a[i] + a[i - 700];
}
int main(void) {
  static int a[9000], b[9000];
  late(a, b);
  return b[0];
}
`,
      },
      "shared",
    );
    const PATH = pathWithout(path.join(rig.root, "path"), /^(yowasp-)?nextpnr-himbaechel/);
    const { status, out, err } = await rig.arc(["build", "*#configuration", "--json"], { env: { PATH } });
    expect(status, out + err).toBe(0);
    const last = out.split("\n").find((line) => line.startsWith('{"type":"hardware"')) ?? "{}";
    const kernels: readonly Record<string, never>[] = JSON.parse(last).kernels;
    expect(kernels).toMatchObject([
      { variant: "seven:default", from: "synthesis", how: "built" },
      { variant: "five:default", from: "synthesis", how: "built" },
      ...(process.env.ARC_SLOW_TESTS ? [{ variant: "nano:default", from: "synthesis", how: "built" }] : []),
    ]);
    for (const { resources, percent, lines, clock } of kernels as never as readonly {
      resources: Record<string, number>;
      percent: Record<string, number>;
      lines: readonly { line: number }[];
      clock?: number;
    }[]) {
      expect(resources.luts ?? resources.aluts).toBeGreaterThan(50);
      expect(resources.ffs).toBeGreaterThan(100);
      // 700 words of 32 bits wait in block RAM.
      expect(resources.rams).toBeGreaterThanOrEqual(0.5);
      expect(percent.rams).toBeGreaterThan(0.1);
      expect(percent.rams).toBeLessThan(10);
      expect(lines.map((l) => l.line)).toContain(5);
      // It was not placed.
      expect(clock).toBeUndefined();
    }
    const table = await rig.arc(["report"]);
    expect(table.out).toMatch(/^seven:default +late \(ring\.c:2\) .* LUT \(\d+ %\), .* synthesis only /m);
  }, 300_000);
});
