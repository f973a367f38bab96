/** Programs that are made for ARC_CHECK, by `arc cc -check` and by arc.yaml: mistakes in them are found, and nothing else. */
import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { hasOpenCl } from "../../programs/devices.ts";
import { Rig } from "../rig.ts";

/** Lines are identified by their content. */
const program = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
enum { n = 200 };
struct point { int at; double mass[2]; };
struct held { int n; float b[40]; };
static double total;
static double sum_of(const double *a) {
  double s = 0;
  for (int i = 0; i < n; i++) s += a[i]; // reads
  return s;
}
int main(int argc, char **argv) {
  int missing = argc > 1 && strcmp(argv[1], "missing") == 0, redundant = argc > 1 && strcmp(argv[1], "redundant") == 0;
  double *a = malloc(n * sizeof *a), factor = 3;
  struct point points[n];
  int last = -1;
  for (int i = 0; i < n; i++) a[i] = i, points[i] = (struct point){i, {i, 2.0 * i}};
  total = 0;
#pragma acc data copy(a[0:n], points)
  {
#pragma acc parallel loop private(last) // kernel
    for (int i = 0; i < n; i++) {
      last = i + 1717;
      a[i] += factor * last;
      points[i].mass[1] = points[i].at;
    }
#pragma acc update self(a[0:n]) if(!missing)
#pragma acc update self(a[0:n]) if(redundant) // again
    printf("%.0f\\n", sum_of(a));
#pragma acc parallel loop reduction(+:total) copy(total)
    for (int i = 0; i < n; i++) total += points[i].mass[0];
#pragma acc kernels
    {
      for (int i = 0; i < n; i++) a[i] = -a[i];
      for (int i = 1; i < n; i++) points[i].at = points[i].at / 2;
    }
  }
  struct held held = {40, {0}};
#pragma acc parallel loop copy(held.b[0:40])
  for (int i = 0; i < 40; i++) held.b[i] += 2;
  last += (int)held.b[39] - 2;
  printf("%g %g %d %d\\n", total, a[n - 1], points[n - 1].at, last);
  free(a);
  return 0;
}
`;
const lineOf = (text: string) => program.split("\n").findIndex((line) => line.includes(text)) + 1;

const watch = (rig: Rig, exe: string, args: readonly string[] = [], env: Record<string, string> = {}) =>
  rig.run(exe, args, { env: { ARC_CHECK: "kernels,transfers", ...env } });

describe("a program for ARC_CHECK", async () => {
  const rig = new Rig({ "main.c": program }, "shared");
  const targets = ["-target", "host", ...(hasOpenCl ? ["-target", "opencl"] : [])];
  const made = await rig.arc(["cc", "-acc", "-check", "-Wall", ...targets, "main.c", "-o", "prog"]);
  const out = `${4 * 19900 + 3 * 200 * 1717}\n19900 -5947 99 -1\n`;

  it("compiles without a word", () => {
    expect(made).toMatchObject({ status: 0, out: "", err: "" });
  });

  describe.each(hasOpenCl ? ["host", "opencl"] : ["host"])("on %s", (kind) => {
    const env = { ARC_TARGET: kind, ARC_OPENCL_PLATFORM: "Portable" };

    it("prints its output, and reports nothing if it is correct", async () => {
      const { status, out: printed, err } = await watch(rig, "./prog", [], env);
      expect({ status, printed, err }).toEqual({ status: 0, printed: out, err: "" });
    });

    it("reports a missing update at the host's read", async () => {
      const { err } = await watch(rig, "./prog", ["missing"], env);
      const [first, second, ...others] = err.trim().split("\n");
      expect(first).toContain(
        `main.c:${lineOf("// reads")}: warning[stale-host-read]: a[i]: byte 0 of a[0:n]: the host reads what a kernel has changed on the device (main.c:${lineOf("// kernel")})`,
      );
      expect(second).toContain("200 times in all, 1600 bytes");
      expect(others).toEqual([]);
    });

    it("reports a redundant one", async () => {
      const { err } = await watch(rig, "./prog", ["redundant"], env);
      expect(err).toMatch(
        new RegExp(
          `^main.c:${lineOf("// again")}: warning\\[redundant-transfer\\]: update: update self of a\\[0:n\\]: the host holds these 1600 bytes already\n$`,
        ),
      );
    });
  });

  it.skipIf(!hasOpenCl)("reports a kernel whose text was changed, with the first wrong value", async () => {
    const file = path.join(rig.folder, "prog");
    const bytes = readFileSync(file, "latin1");
    const changed = bytes
      .replaceAll("+ 1717;", "+ 1718;")
      // What the driver made of the text before is for another device then.
      .replace(/(payload binary \d+ )./g, "$1#");
    expect(changed).not.toBe(bytes);
    writeFileSync(file, changed, "latin1");
    const env = { ARC_TARGET: "opencl", ARC_OPENCL_PLATFORM: "Portable", ARC_CHECK: "kernels" };
    const { err } = await watch(rig, "./prog", [], env);
    expect(err).toMatch(
      new RegExp(
        `^main.c:${lineOf("// kernel")}: warning\\[kernel-result\\]: parallel loop: main_\\w+: a\\[0\\] is 5154 on the device and 5151 on the host \\(200 of 200 values differ\\)\n$`,
      ),
    );
    const wide = await watch(rig, "./prog", [], { ...env, ARC_CHECK_TOLERANCE: "0.01" });
    expect(wide.err).toBe("");
  });
});

describe("check in arc.yaml", () => {
  it("makes a program that is watched, with its tolerance; without it one that says so", async () => {
    const yaml = (check: string) =>
      `arc: 1\nproject: p\nsources: [main.c]\n${check}runs: { all: {} }\ntargets: { cpu: { kind: host } }\n`;
    const rig = new Rig({ "main.c": program, "arc.yaml": yaml("check: { tolerance: 1e-3 }\n") }, "shared");
    const run = () => rig.arc(["run", "cpu", "all"], { env: { ARC_CHECK: "kernels" } });
    expect(await run()).toMatchObject({ status: 0, err: expect.not.stringContaining("warning") });
    rig.write("arc.yaml", yaml(""));
    expect((await run()).err).toContain("the program was not built for it");
  });
});
