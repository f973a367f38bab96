/** From C to an iCE40's bitstream by the installed Yosys, nextpnr and icepack, through the real build. */
import { readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Rig } from "../../cli/rig.ts";

const source = `
#include <stdio.h>
int main(void) {
  unsigned char a[64], b[64];
  for (int i = 0; i < 64; i++) a[i] = i;
#pragma acc parallel loop copyin(a) copyout(b)
  for (int i = 0; i < 64; i++) b[i] = a[i] ^ 85;
  printf("%d\\n", b[9]);
  return 0;
}
`;

describe("place and route", () => {
  it("ends in a bitstream and a report of cells, clock and initiation interval", async () => {
    const rig = new Rig({
      "arc.yaml": [
        "arc: 1",
        "project: mask",
        "sources: [mask.c]",
        "targets: { ice: { kind: rtl, part: ice40-hx8k, clock: 50 } }",
      ].join("\n"),
      "mask.c": source,
    });
    const { status, out, err } = await rig.arc(["build", "ice#configuration"]);
    expect(status, out + err).toBe(0);
    const folder = path.join(rig.folder, "out/ice/default/configuration");
    const [region] = /main_\w+/.exec(err + out) ?? [];
    // An iCE40's configuration begins with this word.
    expect(readFileSync(path.join(folder, `${region}.bin`)).includes(Buffer.from("7eaa997e", "hex"))).toBe(
      true,
    );
    const report = JSON.parse(readFileSync(path.join(folder, `${region}.report.json`), "utf8"));
    expect(report.loops.map((l: { ii: number }) => l.ii)).toEqual([1]);
    expect(report.resources.lcs).toBeGreaterThan(100);
    expect(report.percent.lcs).toBeLessThan(20);
    expect(report.fmax).toBeGreaterThan(40);
    const table = await rig.arc(["report"]);
    expect(table.out).toContain(`ice:default/${region}`);
  });
});
