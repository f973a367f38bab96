/** `arc bench` of a program that runs here. */
import path from "node:path";
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

/** What a run leaves comes from a file that outlives it, as by chance: the count of runs so far. */
const unsteady = `#include <stdio.h>
#include <stdlib.h>
int main(int argc, char **argv) {
  float a[10];
#pragma acc parallel loop copyout(a)
  for (int i = 0; i < 10; i++) a[i] = i;
  int n = 0;
  const char *count = getenv("COUNT");
  FILE *file = count ? fopen(count, "r") : NULL;
  if (file) fscanf(file, "%d", &n), fclose(file);
  if (count) file = fopen(count, "w"), fprintf(file, "%d", n + 1), fclose(file);
  int wrong = atoi(argv[1]), written = atoi(argv[2]);
  printf("sum %g\\n", a[3] + (n == wrong ? 1 : n * 1e-7));
  file = fopen("out.bin", "wb");
  float value = n == written ? 8 : 7;
  fwrite(&value, sizeof value, 1, file);
  fclose(file);
  return 0;
}
`;

it("names results that differ from run to run, keeps their times, and trusts them no more", {
  timeout: 240_000,
}, async () => {
  const project = (args: string) => `arc: 1
project: p
sources: [p.c]
targets: { cpu: { kind: host, variants: { unroll: [auto, 2] } } }
runs: { small: { args: ${args}, outputs: [{ file: out.bin, type: f32 }] } }
verify: { tolerance: { rel: 1e-5, abs: 0 } }
`;
  const rig = new Rig({ "arc.yaml": project("[9, 9]"), "p.c": unsteady }, "shared");
  const count = path.join(rig.folder, "count.txt");
  const bench = (...words: readonly string[]) =>
    rig.arc(["bench", "cpu", "--watched", "0", ...words], { env: { COUNT: count } });
  interface Told {
    readonly results: readonly {
      program: { count: number };
      differing?: { with: string; runs: number; of: number };
    }[];
  }
  const toldOf = (out: string) => (JSON.parse(lines(out).at(-1) ?? "") as Told).results[0];

  // Differences within the tolerance are none.
  const steady = await bench("-n", "2", "--json");
  expect(steady.status, steady.err).toBe(0);
  expect(toldOf(steady.out)?.differing).toBeUndefined();

  // The runs of earlier calls are compared, too: only this call's second run differs from all before.
  rig.write("arc.yaml", project("[1, 9]"));
  rig.write("count.txt", "0");
  const printed = await bench("-n", "3", "--warm-up", "0", "--json");
  expect(printed.status).toBe(1);
  expect(printed.err).toContain(
    "arc: cpu:default, small: its results are not those of its first run in 1 of 2 runs, so its times are not trusted: run 2: stdout, line 1: 4, the first run 3, in `sum 4`",
  );
  expect(toldOf(printed.out)).toMatchObject({ program: { count: 3 }, differing: { with: "first", runs: 1 } });
  const later = await bench("-n", "1", "--warm-up", "0");
  expect(later.status).toBe(1);
  expect(later.out).toMatch(/^cpu:default +small +4 .* differ in 1 of 3$/m);

  // Files that the run declares count as what it prints, and so does what only warms up.
  rig.write("arc.yaml", project("[9, 1]"));
  rig.write("count.txt", "0");
  const written = await bench("-n", "1", "--warm-up", "2");
  expect(written.err).toContain("run 2: out.bin[0]: 8, the first run 7");

  // Where `arc verify` has the serial program's results they are what counts.
  rig.write("arc.yaml", project("[2, 9]"));
  expect((await rig.arc(["build", "serial#run-small"])).status).toBe(0);
  rig.write("count.txt", "0");
  const wrong = await bench("-n", "3", "--warm-up", "0");
  expect(wrong.err).toContain(
    "its results are not those of the serial program in 1 of 3 runs, so its times are not trusted: run 3: stdout, line 1: 4, the serial program 3",
  );

  // The report shows the time, says so, and names another as the best.
  const other = await rig.arc(["bench", "cpu:u2", "-n", "1"]);
  expect(other.status, other.err).toBe(0);
  const best = await rig.arc(["report", "--best", "time"]);
  expect(best.err).toContain("arc: left out, as results differ: cpu:default");
  expect(best.out).toMatch(/^cpu:u2 /m);
  const all = await rig.arc(["report", "--all"]);
  expect(all.out).toMatch(/^cpu:default .* differ in 1 of 3 runs of small +median of arc bench$/m);
  await rig.arc(["report", "--all", "--html", "report.html"]);
  expect(rig.read("report.html")).toContain('"differing":[{"run":"small","with":"serial"');

  // A search measures it, and does not choose it.
  const explored = await rig.arc(["explore", "cpu", "-n", "1", "--budget", "2"]);
  expect(explored.status, explored.err).toBe(0);
  expect(explored.err).toMatch(/^arc: 1 of at most 2: cpu:default: .* in launches, not trusted$/m);
  expect(explored.err).toContain("best: cpu:u2");
  expect(explored.out).toMatch(/^cpu:default .* differ in 1 of \d$/m);
});

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
