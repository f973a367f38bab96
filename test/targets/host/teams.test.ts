/** One team of the host's threads runs all iterations of a region's loop, and all kernels that wait in a queue. */
import { beforeAll, describe, expect, it } from "vitest";
import { Rig } from "../../cli/rig.ts";

/** Row k of a triangle needs row k - 1; a number goes from step to step; short rows are one gang's. */
const triangle = `#include <stdio.h>
enum { n = 400 };
static long cell[n][n];

static void fill(int rows, long carried, int first) {
#pragma acc parallel copy(cell) async(first)
  {
#pragma acc loop seq
    for (int k = 1; k < rows; k++) {
      carried += cell[k - 1][0] % 7;
      long mine = carried;
#pragma acc loop
      for (int i = 0; i <= k; i++) cell[k][i] = (cell[k - 1][i] + (i ? cell[k - 1][i - 1] : 1) + mine) % 1000003;
    }
  }
  rows = carried = -1;
#pragma acc wait
}

int main(void) {
  for (int round = 0; round < 3; round++) fill(round == 2 ? 1 : n, round, round);
  long sum = 0;
  for (int k = 0; k < n; k++)
    for (int i = 0; i < n; i++) sum = (sum * 31 + cell[k][i]) % 1000000007;
  printf("%ld\\n", sum);
}
`;

/** The queue has a long kernel to do while the others are launched; each needs the results of the one before. */
const chain = `#include <stdio.h>
enum { n = 60000, links = 40 };
static float v[n];
int main(void) {
  for (int i = 0; i < n; i++) v[i] = i % 1000;
#pragma acc data copy(v)
  {
#pragma acc parallel num_gangs(1) async(1)
    for (int k = 0; k < 40000000; k++) v[k % 16] = v[k % 16] * 0.5f + 1;
    for (int k = 0; k < links; k++) {
#pragma acc parallel loop async(1) firstprivate(k)
      for (int i = 0; i < n / 2; i++) v[i] = v[i] * 0.5f + v[n - 1 - i] + k;
#pragma acc parallel loop async(1)
      for (int i = n / 2; i < n; i++) v[i] = v[i] * 0.25f + v[n - 1 - i];
#pragma acc serial async(1)
      v[0] = v[n / 2] + v[n - 1];
    }
#pragma acc wait(1)
  }
  double sum = 0;
  for (int i = 0; i < n; i++) sum += v[i];
  printf("%a\\n", sum);
}
`;

/** Counts the teams of several threads that gcc's OpenMP library starts. */
const counter = `#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
static _Atomic int forks;
void GOMP_parallel(void (*run)(void *), void *of, unsigned threads, unsigned flags) {
  static void (*real)(void (*)(void *), void *, unsigned, unsigned);
  forks += threads != 1;
  if (!real) *(void **)&real = dlsym(RTLD_NEXT, "GOMP_parallel");
  if (!real) *(void **)&real = dlsym(dlopen("libgomp.so.1", RTLD_NOW), "GOMP_parallel");
  real(run, of, threads, flags);
}
static __attribute__((destructor)) void tell(void) { fprintf(stderr, "%d forks\\n", forks); }
`;

describe("kernels in a queue", { timeout: 120_000 }, () => {
  const rig = new Rig({ "chain.c": chain, "counter.c": counter }, "shared");

  it("are one team's if they wait for another one", async () => {
    await rig.run("gcc", ["-w", "chain.c", "-o", "serial"]);
    await rig.run("gcc", ["-shared", "-fPIC", "-O1", "counter.c", "-o", "counter.so"]);
    expect(await rig.arc(["cc", "-acc", "-O1", "-w", "chain.c", "-o", "chain"])).toMatchObject({ status: 0 });
    const { out, err } = await rig.run("./chain", [], {
      env: { LD_PRELOAD: "./counter.so", OMP_NUM_THREADS: "3" },
    });
    expect(out).toBe((await rig.run("./serial", [])).out);
    // Eighty kernels need several threads.
    expect(Number(/(\d+) forks/.exec(err)?.[1])).toBeLessThan(20);
  });
});

describe("a sequential loop of a region", { timeout: 120_000 }, () => {
  const rig = new Rig({ "triangle.c": triangle, "counter.c": counter }, "shared");
  let serial = "";
  beforeAll(async () => {
    await rig.run("gcc", ["-w", "triangle.c", "-o", "serial"]);
    await rig.run("gcc", ["-shared", "-fPIC", "-O1", "counter.c", "-o", "counter.so"]);
    serial = (await rig.run("./serial", [])).out;
    expect(await rig.arc(["cc", "-acc", "-O1", "triangle.c", "-o", "triangle"])).toMatchObject({ status: 0 });
  }, 120_000);

  const run = async (env: Readonly<Record<string, string>>) => {
    const { out, err } = await rig.run("./triangle", [], {
      env: { LD_PRELOAD: "./counter.so", OMP_NUM_THREADS: "3", ...env },
    });
    return { out, forks: Number(/(\d+) forks/.exec(err)?.[1]) };
  };

  it("starts one team each time it is launched", async () => {
    // The third launch has no iteration.
    expect(await run({})).toEqual({ out: serial, forks: 2 });
    expect(await run({ ARC_HOST_MEMORY: "separate" })).toEqual({ out: serial, forks: 2 });
  });

  it.each([{ ARC_WAIT: "each" }, { ARC_PROFILE: "1" }])(
    "starts several while somebody watches launches: %o",
    async (env) => {
      const { out, forks } = await run(env);
      expect(out).toBe(serial);
      expect(forks).toBeGreaterThan(5);
    },
  );
});
