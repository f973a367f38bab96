/** Regions on this machine's processor: all its cores, its widest vector units, and no copies. */
import { execFileSync } from "node:child_process";
import { readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { Rig } from "../../cli/rig.ts";

const sums = `#include <dirent.h>
#include <pthread.h>
#include <stdio.h>
enum { n = 100000, callers = 4 };
static double x[callers][n];

static int threads(void) {
  int count = 0;
  DIR *folder = opendir("/proc/self/task");
  for (struct dirent *task; (task = readdir(folder));) count += task->d_name[0] != '.';
  closedir(folder);
  return count;
}

static double work(double *v, int caller) {
  double sum = 0;
#pragma acc parallel loop copy(v[0:n])
  for (int i = 0; i < n; i++) v[i] = i % 10 + caller;
#pragma acc parallel loop reduction(+:sum) copyin(v[0:n])
  for (int i = 0; i < n; i++) sum += v[i];
  return sum;
}

static void *call(void *v) {
  static double results[callers];
  long caller = (double(*)[n])v - x;
  for (int k = 0; k < 20; k++) results[caller] = work(v, caller);
  return &results[caller];
}

int main(int argc, char **argv) {
  double sum = work(x[0], 0);
  printf("%g, %d threads\\n", sum, threads());
  if (argc < 2) return 0;
  pthread_t thread[callers];
  for (int c = 0; c < callers; c++) pthread_create(&thread[c], NULL, call, x[c]);
  for (int c = 0; c < callers; c++) {
    void *result;
    pthread_join(thread[c], &result);
    printf(" %g", *(double *)result);
  }
  printf("\\n");
}
`;

describe("a program for the host", { timeout: 120_000 }, () => {
  const rig = new Rig({ "sums.c": sums }, "shared");
  beforeAll(async () => {
    expect(await rig.arc(["cc", "-acc", "-O1", "sums.c", "-o", "sums"])).toMatchObject({
      status: 0,
      err: "",
    });
  }, 120_000);
  const run = (env: Readonly<Record<string, string>>, ...args: string[]) => rig.run("./sums", args, { env });

  it.each(["1", "3", "7"])(
    "runs its regions with the threads that OMP_NUM_THREADS asks for: %s",
    async (n) => {
      expect(await run({ OMP_NUM_THREADS: n })).toMatchObject({ out: `450000, ${n} threads\n`, err: "" });
    },
  );

  it("runs them with as many as the process may use processors", async () => {
    const { out } = await rig.run("taskset", ["-c", "0", "./sums"]);
    expect(out).toBe("450000, 1 threads\n");
  });

  it("is right where several threads launch regions at a time", async () => {
    const { out } = await run({ OMP_NUM_THREADS: "3" }, "all");
    expect(out.split("\n")[1]).toBe(" 450000 550000 650000 750000");
  });

  it("moves no data", async () => {
    const { err } = await run({ ARC_VERBOSE: "2" });
    expect(err).toContain("opened host");
    expect(err).not.toMatch(/\d bytes/);
  });

  it("runs with one thread where the C compiler has no OpenMP", async () => {
    const cc = path.join(rig.folder, "plain-cc");
    writeFileSync(
      cc,
      `#!/bin/sh
for word; do
  case $word in
  -print-file-name=*) echo "\${word#*=}"; exit ;;
  -fopenmp) echo "no OpenMP here" >&2; exit 1 ;;
  esac
done
exec gcc "$@"
`,
      { mode: 0o755 },
    );
    const built = await rig.arc(["cc", "-acc", "sums.c", "-o", "plain"], { env: { CC: cc } });
    expect(built).toMatchObject({ status: 0, err: "" });
    const { out } = await rig.run("./plain", [], { env: { OMP_NUM_THREADS: "3" } });
    expect(out).toBe("450000, 1 threads\n");
    const doctor = await rig.arc(["doctor"], { env: { CC: cc } });
    expect(doctor.out).toContain("kernels of kind host run with one thread");
  });
});

describe("kernels of a target of kind host", { timeout: 120_000 }, () => {
  const project = (cflags: string) => `arc: 1
project: sums
sources: [sums.c]
cflags: [${cflags}]
targets: { cpu: { kind: host } }
`;
  /** The functions in the kernels' code. */
  async function functions(cflags: string): Promise<string> {
    const rig = new Rig({ "sums.c": sums, "arc.yaml": project(cflags) }, "shared");
    expect(await rig.arc(["build"])).toMatchObject({ status: 0 });
    const folder = path.join(rig.folder, "out");
    const images = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((file) =>
      file.endsWith(".arci"),
    );
    return images
      .map((file) => execFileSync("strings", ["-a", path.join(folder, file)], { encoding: "utf8" }))
      .join("");
  }

  it.runIf(process.arch === "x64")("are there for each generation of vector units", async () => {
    expect(await functions("-O2")).toMatch(/_group\.arch_x86_64_v3\n/);
    // Where the user chose the processor, for that one.
    expect(await functions("-march=haswell")).not.toContain("x86_64_v3");
  });
});
