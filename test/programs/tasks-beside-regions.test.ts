/** OpenMP's constructs for devices among the program's own tasks, in files whose tasks arc runs. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { arcProgram } from "../cli/rig.ts";
import { start } from "./process.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-tasks-regions-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** The first task is slow: a construct that does not wait for it finds what the round before left. */
const program = (task: string) => `
#include <unistd.h>
int main(void) {
  static int a[64];
  int bad = 0;
#pragma omp target enter data map(alloc: a)
  for (int r = 0; r < 8; r++) {
${task}
    { usleep(3000); for (int i = 0; i < 64; i++) a[i] = i + r; }
#pragma omp target update to(a) depend(inout: a) nowait
#pragma omp target teams distribute parallel for depend(inout: a) nowait
    for (int i = 0; i < 64; i++) a[i] *= 2;
#pragma omp target update from(a) depend(inout: a)
#pragma omp task depend(in: a) shared(a, bad) firstprivate(r)
    for (int i = 0; i < 64; i++) if (a[i] != 2 * (i + r)) bad++;
#pragma omp taskwait
  }
#pragma omp target exit data map(release: a)
  return bad != 0;
}
`;

it.each([
  ["OpenMP's, without -fopenmp", "-omp", "#pragma omp task depend(out: a) shared(a)"],
  ["OmpSs's, with -fopenmp", "-fopenmp", "#pragma omp task out(a)"],
])("depend orders them behind tasks: %s", { timeout: 120_000 }, async (_, language, task) => {
  const file = path.join(folder, `program${language}.c`);
  const exe = file.replace(/\.c$/, "");
  writeFileSync(file, program(task));
  const env = { ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store") };
  const args = ["cc", language, "-target", "host", "-O0", file, "-o", exe];
  const built = await start(arcProgram, args, { env, seconds: 110 });
  expect(built.status, built.err).toBe(0);
  const ran = await start(exe, [], {
    env: { ...env, ARC_HOST_MEMORY: "separate", OMP_NUM_THREADS: "3" },
  });
  expect(ran.status, ran.err).toBe(0);
});
