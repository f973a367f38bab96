/** `arc tune` of a program whose kernels run here. */
import { expect, it } from "vitest";
import { lines, Rig } from "../rig.ts";

// Whole rows by one lane each, with 64 or 1 of them: what the axes change is seen, and what it costs is no matter.
const source = `#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  int n = argc > 1 ? atoi(argv[1]) : 10;
  float *a = malloc(n * sizeof *a);
#pragma acc parallel loop copyout(a[0:n])
  for (int i = 0; i < n; i++) a[i] = 2 * i;
  printf("%g\\n", a[n / 2]);
  return 0;
}
`;
const yaml = `arc: 1
project: p
sources: [p.c]
targets:
  ocl: # the device
    kind: opencl
    variants: { vector-length: [auto, 256, 64, 512], unroll: [auto] }
  cpu: { kind: host }
  ice: { kind: rtl, part: ice40-hx8k }
runs: { small: { args: [100] }, large: { args: [10000] } }
`;

interface Tuning {
  readonly run: string;
  readonly best: string;
  readonly results: readonly { readonly variant: string; readonly launches: { readonly count: number } }[];
  readonly failed: readonly string[];
  readonly left: number;
}
const tuningOf = (out: string) => JSON.parse(lines(out).at(-1) ?? "") as Tuning;

it("measures each design, keeps what it measured, and writes the winner into arc.yaml", {
  timeout: 240_000,
}, async () => {
  const rig = new Rig({ "arc.yaml": yaml, "p.c": source }, "shared");
  const first = await rig.arc(["tune", "ocl", "large", "-n", "2", "--budget", "10 min", "--json"]);
  expect(first.status, first.err).toBe(0);
  const { run, best, results, failed, left } = tuningOf(first.out);
  expect(run).toBe("large");
  // OpenCL groups have 256 items by default; 512 are not possible.
  expect(first.err).toContain("4 variants of ocl");
  expect(first.out).toContain("groups of 512 items");
  const measured = results.map(({ variant }) => variant);
  expect(measured).toContain("ocl:default");
  expect(measured).not.toContain("ocl:vl256");
  expect(best).toBe(measured[0]);
  expect([...measured, ...failed].length + left).toBe(3);
  for (const { launches } of results) expect(launches.count).toBeGreaterThan(0);

  // Nothing is run again, so the answer is the same.
  const again = await rig.arc(["tune", "ocl", "large", "-n", "1", "--apply"]);
  expect(again.status, again.err).toBe(0);
  expect(again.err).toContain(`best: ${best}`);
  expect(again.out).toMatch(/^variant +runs +in launches/);
  const wanted = best === "ocl:default" ? yaml : yaml.replace("[auto, 256, 64, 512]", "[64, auto, 256, 512]");
  expect(rig.read("arc.yaml")).toBe(wanted);
  expect(again.err).toContain(
    best === "ocl:default" ? "is the first variant of ocl already" : "is now the first variant of ocl in ",
  );
});

it("measures no more designs than the budget says", { timeout: 240_000 }, async () => {
  const rig = new Rig({ "arc.yaml": yaml, "p.c": source }, "shared");
  const { status, out, err } = await rig.arc(["tune", "ocl", "-n", "1", "--budget", "1", "--json"]);
  expect(status, err).toBe(0);
  const { results, failed, left } = tuningOf(out);
  expect([results.length, failed.length, left]).toEqual([1, 0, 2]);
});

it.each([
  [["tune", "cpu"], "cpu has one variant"],
  [["tune", "ice"], "ice is simulated"],
  [["tune", "ocl", "larg"], "did you mean large?"],
  [["tune", "ocl", "--budget", "soon"], "--budget soon is no budget"],
  [["tune", "ocl", "-n", "0"], "--repetitions 0 measures nothing"],
  [["tune", "oc"], "did you mean ocl?"],
])("refuses %j", async (words, said) => {
  const rig = new Rig({ "arc.yaml": yaml, "p.c": source }, "shared");
  const { status, err } = await rig.arc(words);
  expect(status).toBe(2);
  expect(err).toContain(said);
});
