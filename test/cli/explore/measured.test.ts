/** `arc explore` of kernels that run here: they are measured. */
import path from "node:path";
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
  gpu: { kind: cuda, variants: { vector-length: [auto, 64] } }
  ice: { kind: rtl, part: ice40-hx8k }
runs: { small: { args: [100] }, large: { args: [10000] } }
`;

interface Exploration {
  readonly run: string;
  readonly by: string;
  readonly best: readonly string[];
  readonly chosen?: { readonly id: string; readonly by: string };
  readonly outcomes: readonly { readonly id: string; readonly values?: readonly number[] }[];
  readonly results: readonly {
    readonly variant: string;
    readonly launches: { readonly count: number; readonly median: number };
    readonly energy?: { readonly median: number };
  }[];
}
const explorationOf = (out: string) => JSON.parse(lines(out).at(-1) ?? "") as Exploration;
const median = (results: Exploration["results"], id: string) =>
  results.find(({ variant }) => variant === id)?.launches.median as number;

it("measures each design, keeps what it measured, and writes the winner into arc.yaml", {
  timeout: 240_000,
}, async () => {
  const rig = new Rig({ "arc.yaml": yaml, "p.c": source }, "shared");
  const first = await rig.arc(["explore", "ocl", "large", "-n", "2", "--budget", "10 min", "--json"]);
  expect(first.status, first.err).toBe(0);
  const { run, by, best, outcomes, results } = explorationOf(first.out);
  expect([run, by]).toEqual(["large", "measurements"]);
  // OpenCL groups have 256 items by default; 512 are not possible.
  expect(first.err).toContain("4 variants of ocl, 2 designs, 0 measured before");
  expect(first.out).toContain("groups of 512 items");
  // The target's first variant is what the others are compared with.
  expect(outcomes[0]?.id).toBe("ocl:default");
  for (const { launches } of results) expect(launches.count).toBeGreaterThan(0);
  const fastest = [...results].sort((a, b) => a.launches.median - b.launches.median)[0]?.variant;
  expect(best).toEqual([fastest]);

  // Nothing is run again, so the answer is the same.
  const again = await rig.arc(["explore", "ocl", "large", "-n", "1", "--budget", "0", "--apply"]);
  expect(again.status, again.err).toBe(0);
  expect(again.err).toContain(`2 designs, ${results.length} measured before`);
  expect(again.err).toContain(
    `0 designs measured, 0 failed, ${2 - results.length} left out; best: ${fastest}`,
  );
  expect(again.out).toMatch(/^variant +runs +in launches/);
  const wanted =
    fastest === "ocl:default" ? yaml : yaml.replace("[auto, 256, 64, 512]", "[64, auto, 256, 512]");
  expect(rig.read("arc.yaml")).toBe(wanted);
  expect(again.err).toContain(
    fastest === "ocl:default" ? "is the first variant of ocl already" : "is now the first variant of ocl in ",
  );

  // Of another program, earlier measurements say nothing.
  rig.write("p.c", source.replace("2 * i", "3 * i"));
  const changed = await rig.arc(["explore", "ocl", "large", "-n", "1", "--budget", "1"]);
  expect(changed.err).toContain("0 measured before");
});

it("compares energy where it is counted, and names the variants that no other beats", {
  timeout: 240_000,
}, async () => {
  const counter = "powercap/intel-rapl:0/energy_uj";
  // The program moves the counter itself: 5 J for groups of 64, else 3 J.
  const consuming = source.replace("int main", "#include <string.h>\nint main").replace(
    "  printf",
    `  const char *target = getenv("ARC_TARGET"), *file = getenv("COUNTER");
  if (target && file) {
    long now = 0;
    FILE *counter = fopen(file, "r");
    if (fscanf(counter, "%ld", &now) != 1) return 1;
    fclose(counter);
    counter = fopen(file, "w");
    fprintf(counter, "%ld\\n", now + (strstr(target, "vl64") ? 5000000 : 3000000));
    fclose(counter);
  }
  printf`,
  );
  const rig = new Rig({ "arc.yaml": yaml, "p.c": consuming, [counter]: "0\n" }, "shared");
  rig.write("powercap/intel-rapl:0/name", "package-0\n");
  rig.write("powercap/intel-rapl:0/max_energy_range_uj", "1000000000000\n");
  const env = {
    ARC_POWERCAP: path.join(rig.folder, "powercap"),
    COUNTER: path.join(rig.folder, counter),
  };
  const words = ["explore", "ocl", "large", "-n", "1", "--budget", "2", "--json"];
  const least = await rig.arc([...words, "--goal", "energy"], { env });
  expect(least.status, least.err).toBe(0);
  const { best, results } = explorationOf(least.out);
  expect(best).toEqual(["ocl:default"]);
  expect(least.err).toMatch(/^arc: joules are of this machine's processors and memory \(RAPL\): opencl:0 /m);
  const joules = results.map(({ variant, energy }) => [variant, energy?.median]);
  expect(joules).toContainEqual(["ocl:default", 3]);

  const front = await rig.arc([...words, "--goal", "pareto"], { env });
  const both = explorationOf(front.out);
  const measured = both.results.map(({ variant }) => variant);
  const isFaster =
    measured.includes("ocl:vl64") && median(both.results, "ocl:vl64") < median(both.results, "ocl:default");
  expect(both.best).toEqual(isFaster ? ["ocl:vl64", "ocl:default"] : ["ocl:default"]);
  const frugal = await rig.arc([...words, "--goal", "time,energy", "--choose", "energy"], { env });
  expect(explorationOf(frugal.out)).toMatchObject({
    objectives: ["time", "energy"],
    best: both.best,
    chosen: { id: "ocl:default", by: "least energy of the front" },
  });

  // What was measured in another run says nothing of this one, where nothing counts.
  const uncounted = await rig.arc(["explore", "ocl", "small", "-n", "1", "--goal", "energy"], {
    env: { ARC_POWERCAP: path.join(rig.folder, "nowhere") },
  });
  expect(uncounted.status).toBe(2);
  expect(uncounted.err).toContain("the energy of ocl:default is not known");
});

it("learns from what cannot be built or ends with a wrong status, and passes over wrong results", {
  timeout: 240_000,
}, async () => {
  const strict = source.replace("int main", "#include <string.h>\nint main").replace(
    "  printf",
    `  const char *target = getenv("ARC_TARGET");
  if (target && strstr(target, "vl64")) return 3;
  if (target && strstr(target, "default")) a[n / 2] = 7;
  printf`,
  );
  const rig = new Rig(
    {
      "arc.yaml": yaml.replace("[auto, 256, 64, 512], unroll: [auto]", "[auto, 64], unroll: [auto, 4]"),
      "p.c": strict.replace(
        "i++) a[i] = 2 * i",
        "i++) { float s = 0; for (int k = 0; k < 8; k++) s += i * 0.25f; a[i] = s; }",
      ),
    },
    "shared",
  );
  const { status, out, err } = await rig.arc(["explore", "ocl", "-n", "1", "--budget", "4", "--json"]);
  expect(status, err).toBe(0);
  const { best, outcomes } = explorationOf(out);
  expect(best).toEqual(["ocl:u4"]);
  expect(err).toContain("ocl:vl64 small ended with 3, not 0");
  expect(outcomes).toContainEqual({ id: "ocl:vl64", failed: true });
  expect(outcomes.find(({ id }) => id === "ocl:default")?.values).toHaveLength(1);
});

it("ends when it is interrupted, and goes on from what it measured", { timeout: 240_000 }, async () => {
  const rig = new Rig({ "arc.yaml": yaml, "p.c": source }, "shared");
  const words = ["explore", "ocl", "large", "-n", "1"];
  const ended = await rig.arc([...words, "--json"], { interruptAt: '"address":"ocl:default#images"' });
  expect(ended.status, ended.err).toBe(130);
  const { status, err } = await rig.arc([...words, "--budget", "1"]);
  expect(status, err).toBe(0);
  expect(err).toMatch(/best: ocl:/);
});

it("works for kernels on this machine's processor", { timeout: 240_000 }, async () => {
  const rig = new Rig(
    {
      "arc.yaml": yaml.replace("{ kind: host }", "{ kind: host, variants: { unroll: [auto, 8] } }"),
      "p.c": source,
    },
    "shared",
  );
  const { status, out, err } = await rig.arc(["explore", "cpu", "-n", "2", "--json"]);
  expect(status, err).toBe(0);
  const { best, results } = explorationOf(out);
  const fastest = [...results].sort((a, b) => a.launches.median - b.launches.median)[0]?.variant;
  expect(best).toEqual([fastest]);
  expect(results.map(({ variant }) => variant)).toContain("cpu:default");
  expect(err).toContain("2 variants of cpu, 2 designs");
});

it.each([
  [["explore", "cpu"], "cpu has one variant"],
  [["explore", "ocl", "larg"], "did you mean large?"],
  [["explore", "ocl", "--budget", "soon"], "--budget soon is no budget"],
  [["explore", "ocl", "-n", "0"], "--repetitions 0 measures nothing"],
  [["explore", "ocl", "--goal", "area"], "kernels of ocl have no area"],
  [["explore", "gpu", "--goal", "energy"], "gpu cannot be measured here: the CUDA driver"],
  [["explore", "oc"], "did you mean ocl?"],
  [["tune", "oc"], "did you mean ocl?"],
])("refuses %j", async (words, said) => {
  const rig = new Rig({ "arc.yaml": yaml, "p.c": source }, "shared");
  const { status, err } = await rig.arc(words);
  expect(status).toBe(2);
  expect(err).toContain(said);
});
