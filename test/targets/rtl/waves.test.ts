/** Waveforms of a simulated run, through the real `arc run`. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Rig } from "../../cli/rig.ts";

const project = {
  "arc.yaml": [
    "arc: 1",
    "project: twice",
    "sources: [twice.c]",
    "targets: { cpu: { kind: host }, fpga: { kind: rtl } }",
  ].join("\n"),
  "twice.c": `#include <stdio.h>
static void twice(int n, int *restrict a) {
#pragma acc parallel loop copy(a[0:n])
  for (int i = 0; i < n; i++) a[i] = 2 * a[i];
}
int main(void) {
  int a[5] = {1, 2, 3, 4, 5};
  twice(5, a);
  twice(3, a);
  printf("%d %d\\n", a[2], a[4]);
}
`,
};

describe("arc run --waves", () => {
  it("writes a file for each launch, with the design's signals by their names and the clock's edges", async () => {
    const rig = new Rig(project, "shared");
    const report = path.join(rig.root, "cycles");
    const { status, out, err } = await rig.arc(["run", "fpga", "--waves", "out.vcd"], {
      env: { ARC_RTL_REPORT: report },
    });
    expect(status, out + err).toBe(0);
    expect(out).toBe("12 10\n");
    const cycles = readFileSync(report, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).cycles as number);
    ["out.vcd", "out.2.vcd"].forEach((file, launch) => {
      const text = rig.read(file);
      expect(text).toMatch(/\$scope module kernel \$end/);
      expect(text).toMatch(/\$var wire +1 \S+ done \$end/);
      // Two steps of time per cycle, and a few cycles of reset before the launch.
      const last = Number(
        text
          .match(/^#\d+$/gm)
          ?.at(-1)
          ?.slice(1),
      );
      expect(last).toBeGreaterThanOrEqual(2 * (cycles[launch] ?? Number.NaN));
      expect(last).toBeLessThan(2 * ((cycles[launch] ?? 0) + 12));
    });
  }, 240_000);

  it.each([
    [["run", "cpu", "--waves", "out.vcd"], /target cpu is of kind host, which simulates no signals/],
    [["run", "fpga", "--waves", "out.png"], /out\.png is no file of waveforms[\s\S]*\.vcd or \.fst/],
  ])("is refused where there can be none: %j", async (args, message) => {
    const rig = new Rig(project, "shared");
    const { status, err } = await rig.arc(args);
    expect(status).toBe(2);
    expect(err).toMatch(message);
    expect(existsSync(path.join(rig.folder, "out.vcd"))).toBe(false);
  });
});
