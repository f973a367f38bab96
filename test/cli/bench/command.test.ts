/** `arc bench` of a program that runs here. */
import { expect, it } from "vitest";
import type { PageData } from "../../../cli/report/model/page-data.ts";
import { lines, Rig } from "../rig.ts";

const source = `#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  float a[100];
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < 100; i++) a[i] = 2.0f * i;
  FILE *file = fopen(argv[1], "r");
  int n = -1;
  if (file) fscanf(file, "%d", &n);
  printf("%d %g\\n", n, a[3]);
  FILE *left = fopen("left.txt", "w");
  fclose(left);
  return n == 7 ? 0 : 3;
}
`;
const yaml = `arc: 1
project: p
sources: [p.c]
targets: { cpu: { kind: host }, ice: { kind: rtl, part: ice40-hx8k } }
runs: { small: { args: [n.txt] }, other: { args: [m.txt] } }
`;

/** What follows the build's events. */
const resultsOf = (out: string) =>
  (JSON.parse(lines(out).at(-1) ?? "") as { results: { program: { count: number } }[] }).results;

it("measures in a separate folder, and a second call adds repetitions", { timeout: 240_000 }, async () => {
  const rig = new Rig({ "arc.yaml": yaml, "p.c": source, "n.txt": "7\n", "m.txt": "8\n" }, "shared");
  const first = await rig.arc(["bench", "cpu", "-n", "4", "--watched", "1", "--json"]);
  expect(first.status, first.err).toBe(0);
  const [one] = resultsOf(first.out);
  expect(one).toMatchObject({
    variant: "cpu:default",
    run: "small",
    program: { count: 4 },
    launches: { count: 1 },
  });
  expect(rig.has("left.txt")).toBe(false);
  const second = await rig.arc(["bench", "cpu", "small", "-n", "3", "--watched", "0"]);
  const unknown = await rig.arc(["bench", "cpu", "smal"]);
  expect([unknown.status, unknown.err]).toEqual([
    2,
    "arc: no run or target is called smal\n  try: did you mean small?\n",
  ]);
  expect(second.out).toMatch(/^cpu:default +small +7 +[\d.]+ [mµ]?s +[\d.]+ [mµ]?s and /m);

  // The page has what was measured of the program as it is, and what its kernels do.
  expect((await rig.arc(["build", "ice#kernels"])).status).toBe(0);
  await rig.arc(["report", "--html", "report.html"]);
  const [, text = ""] = /id="arc-report">(.*?)<\/script>/.exec(rig.read("report.html")) ?? [];
  const { measured, variants } = JSON.parse(text) as PageData;
  expect(measured).toMatchObject([
    {
      variant: "cpu:default",
      run: "small",
      program: { count: 7 },
      launches: { count: 1 },
      rows: [{ kind: "launch", file: "p.c", line: 5, count: 1, bytes: 400 }],
    },
  ]);
  const [row] = measured?.[0]?.rows ?? [];
  expect(measured?.[0]?.operations).toEqual({ [row?.region ?? ""]: 100 });
  const [loop] = variants.flatMap(({ hardware = [] }) => hardware.flatMap(({ loops }) => loops));
  expect(loop?.schedule?.steps.map(({ what }) => what)).toContain("store a");

  // Another input is another measurement.
  rig.write("n.txt", "7 \n");
  const [changed] = resultsOf((await rig.arc(["bench", "cpu", "-n", "1", "--watched", "0", "--json"])).out);
  expect(changed?.program.count).toBe(1);

  const wrong = await rig.arc(["bench", "cpu", "other", "-n", "1"]);
  expect(wrong.status).toBe(1);
  expect(wrong.err).toMatch(/cpu:default other ended with 3, not 0$/m);

  const simulated = await rig.arc(["bench", "ice"]);
  expect(simulated.status).toBe(2);
  expect(simulated.err).toContain("ice:default is simulated");
  expect((await rig.arc(["bench", "cpu", "-n", "0"])).err).toContain("--repetitions 0 is no number of runs");
});
