/** OpenMP's directives for the host's threads: handled by the C compiler under -fopenmp, otherwise reported. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { Rig } from "../rig.ts";

/** What threads do to variables of the host, as statements that print a line that no schedule changes. */
const statements: Readonly<Record<string, string>> = {
  private:
    "int t = 5; int sum = 0;\n#pragma omp parallel private(t) reduction(+:sum)\n{ t = omp_get_thread_num(); sum += t; }\nP(t, sum);",
  firstprivate:
    "int t = 5, sum = 0;\n#pragma omp parallel firstprivate(t) reduction(+:sum)\n{ t += omp_get_thread_num(); sum += t; }\nP(t, sum);",
  lastprivate:
    "int t = 5;\n#pragma omp parallel for lastprivate(t)\nfor (int i = 0; i < 9; i++) t = i;\nP(t, 0);",
  single:
    "int t = 0, u = 0;\n#pragma omp parallel\n{\n#pragma omp single\nt++;\n#pragma omp atomic\nu++;\n}\nP(t, u);",
  masked:
    "int t = 0;\n#pragma omp parallel\n{\n#pragma omp master\nt += 1 + omp_get_thread_num();\n}\nP(t, omp_in_parallel());",
  critical:
    "int t = 0;\n#pragma omp parallel for\nfor (int i = 0; i < 1000; i++) {\n#pragma omp critical\nt += i;\n}\nP(t, 0);",
  sections:
    "int t = 0, u = 0;\n#pragma omp parallel sections\n{\n#pragma omp section\nt = 1;\n#pragma omp section\nu = 2;\n}\nP(t, u);",
  task: "int t = 0, u = 0;\n#pragma omp parallel\n#pragma omp single\n{\n#pragma omp task shared(t)\nt = 7;\n#pragma omp task shared(u)\nu = 8;\n#pragma omp taskwait\n}\nP(t, u);",
  ordered:
    "int t = 0, u = 1;\n#pragma omp parallel for ordered\nfor (int i = 0; i < 9; i++) {\n#pragma omp ordered\n{ t = t * 3 + i; }\n}\nP(t, u);",
  threadprivate:
    "int sum = 0;\n#pragma omp parallel\nown = omp_get_thread_num();\n#pragma omp parallel reduction(+:sum)\nsum += own;\nP(own, sum);",
  barrier:
    "int seen[3] = {0}, t = 0;\n#pragma omp parallel reduction(+:t)\n{ seen[omp_get_thread_num()] = 1;\n#pragma omp barrier\nt += seen[(omp_get_thread_num() + 1) % 3]; }\nP(t, omp_get_max_threads());",
  lock: "int t = 0; omp_lock_t lock; omp_init_lock(&lock);\n#pragma omp parallel for\nfor (int i = 0; i < 1000; i++) { omp_set_lock(&lock); t++; omp_unset_lock(&lock); }\nP(t, 0);",
  routine: "int t = 0;\n#pragma omp parallel for\nfor (int i = 0; i < 1000; i++) bump(&t, i);\nP(t, 0);",
  regions:
    "int t = 0;\n#pragma omp parallel for reduction(+:t)\nfor (int k = 0; k < 12; k++) {\nint b[50];\n#pragma omp target teams distribute parallel for map(from: b)\nfor (int i = 0; i < 50; i++) b[i] = k * i;\nfor (int i = 0; i < 50; i++) t += b[i];\n}\nP(t, 0);",
};

const program = `#include <omp.h>
#include <stdio.h>
#define P(a, b) printf("%s %d %d\\n", __func__, a, b)
static int own;
#pragma omp threadprivate(own)
#pragma omp declare target
static void bump(int *t, int by) {
#pragma omp atomic
  *t += by;
}
#pragma omp end declare target
${Object.entries(statements)
  .map(([name, text]) => `static void of_${name}(void) {\n${text}\n}\n`)
  .join("")}
int main(void) {
  omp_set_dynamic(0);
  omp_set_num_threads(3);
${Object.keys(statements)
  .map((name) => `  of_${name}();\n`)
  .join("")}
#ifdef _OPENMP
  printf("_OPENMP %d\\n", _OPENMP);
#endif
  return 0;
}
`;

/** As gcc's own OpenMP runs it, regions included. */
function byGcc(rig: Rig): string {
  const exe = path.join(rig.folder, "reference");
  const { status, stderr } = spawnSync("gcc", ["-fopenmp", "-w", "a.c", "-o", exe], {
    cwd: rig.folder,
    encoding: "utf8",
  });
  expect(status, stderr).toBe(0);
  return spawnSync(exe, { encoding: "utf8" }).stdout;
}

describe("directives for the host's threads", { timeout: 120_000 }, () => {
  it("mean under arc cc -fopenmp what they mean to the C compiler", async () => {
    const rig = new Rig({ "a.c": program }, "shared");
    expect(await rig.arc(["cc", "-fopenmp", "a.c", "-o", "a"])).toMatchObject({ status: 0, err: "" });
    const want = byGcc(rig);
    expect(want).toContain("of_private 5 3\n");
    expect((await rig.run("./a", [])).out).toBe(want);
    // Object by object, and with OpenACC's switch.
    expect(await rig.arc(["cc", "-acc", "-fopenmp", "-c", "a.c"])).toMatchObject({ status: 0, err: "" });
    expect(await rig.arc(["cc", "-acc", "-fopenmp", "a.o", "-o", "b"])).toMatchObject({ status: 0 });
    expect((await rig.run("./b", [])).out).toBe(want);
  });

  it("mean the same in a project whose cflags say -fopenmp, also in its other files", async () => {
    const rig = new Rig(
      {
        "a.c": program
          .replace("return 0;", "return other() - 3;")
          .replace("static int own", "int other(void);\nstatic int own"),
        "other.c":
          "#include <omp.h>\nint other(void) { int n = 0;\n#pragma omp parallel reduction(+:n)\nn++;\nreturn n; }\n",
        "arc.yaml":
          "arc: 1\nproject: p\nsources: [a.c]\nhost: [other.c]\ncflags: [-fopenmp]\ntargets: { cpu: { kind: host } }\nruns: { all: {} }\nverify: { run: all }\n",
      },
      "shared",
    );
    const ran = await rig.arc(["run", "cpu"]);
    expect(ran.err).not.toContain("warning");
    expect(ran.out).toContain("of_private 5 3\n");
    expect(ran.status, ran.out + ran.err).toBe(0);
    expect(await rig.arc(["build", "serial#link"])).toMatchObject({ status: 0 });
  });

  it("are named, the first of them, where the C compiler does not read them", async () => {
    const rig = new Rig({ "a.c": program }, "shared");
    const { status, err } = await rig.arc(["cc", "-omp", "-c", "a.c"]);
    expect(status).toBe(0);
    expect(err.match(/host-threads/g)).toHaveLength(1);
    expect(err).toContain("a.c:5:13: warning[host-threads]: 'threadprivate' is for the host's own threads");
    expect(err).toContain("-fopenmp");
  });

  it("give one thread its copies of variables, where arc runs the tasks or the loop is a simd loop", async () => {
    const text = `#include <stdint.h>
#include <stdio.h>
int main(void) {
  int t = 1, u = 5, s = 0, j = 77, v[3] = {1, 2, 3}, m[4][5];
#pragma omp parallel firstprivate(t, v) private(u)
#pragma omp single
  { t++; u = 7; v[1] = 9;
#pragma omp task shared(s)
    s += t + u + v[1];
#pragma omp taskwait
  }
#pragma omp parallel
#pragma omp single private(u)
  { u = 2;
#pragma omp task shared(s) firstprivate(u)
    s += u;
  }
#pragma omp simd collapse(2) private(t, j)
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 5; k++) { t = i * 2; for (j = 0; j < 3; j++) t += j; m[i][k] = t + k; }
  char c[3];
#pragma omp allocate(c) align(256)
  printf("%d %d %d %d %d %d %d\\n", t, u, s, v[1], j, m[3][4], (int)((uintptr_t)c % 256));
  return 0;
}
`;
    const rig = new Rig({ "a.c": text }, "shared");
    for (const flag of ["-omp", "-fopenmp"]) {
      expect(await rig.arc(["cc", flag, "a.c", "-o", "a"])).toMatchObject({ status: 0, err: "" });
      expect((await rig.run("./a", [])).out).toBe("1 5 20 2 77 13 0\n");
    }
  });

  it("stand in GNU C's nested functions, which stay with the C compiler", async () => {
    const text = `#include <stdio.h>
int main(void) {
  int t = 1, own = 0;
  int twice(int k) {
#pragma omp parallel for reduction(+:own)
    for (int i = 0; i < 9; i++) own += i * k;
    t += k;
    return 2 * own;
  }
  printf("%d", twice(3));
  printf(" %d\\n", t);
  return 0;
}
`;
    const rig = new Rig({ "a.c": text }, "shared");
    for (const flags of [["-omp", "-fopenmp"], ["-omp"], ["-acc"]]) {
      expect(await rig.arc(["cc", ...flags, "a.c", "-o", "a"])).toMatchObject({ status: 0 });
      expect((await rig.run("./a", [])).out).toBe("216 4\n");
    }
  });

  it("are no matter where loops are only to be vectors", async () => {
    const text =
      "int main(void) { int s = 0;\n#pragma omp simd reduction(+:s)\nfor (int i = 0; i < 9; i++) s += i;\nreturn s - 36; }\n";
    const rig = new Rig({ "a.c": text }, "shared");
    expect(await rig.arc(["cc", "-omp", "a.c", "-o", "a"])).toMatchObject({ status: 0, err: "" });
  });

  it("stand beside every form of declare target", async () => {
    const text = `#pragma omp begin declare target
static int twice(int x) { return 2 * x; }
#pragma omp end declare target
int a[9];
#pragma omp declare target to(a)
int main(void) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < 9; i++) a[i] = twice(i);
#pragma omp target update from(a)
  return a[8] - 16;
}
`;
    const rig = new Rig({ "a.c": text }, "shared");
    expect(await rig.arc(["cc", "-fopenmp", "a.c", "-o", "a"])).toMatchObject({ status: 0, err: "" });
    expect((await rig.run("./a", [])).status).toBe(0);
  });
});

it("routines of a host with one thread are not those of kernels", { timeout: 60_000 }, async () => {
  const text = `#include <omp.h>
int main(void) { int a[99] = {0}, s = omp_get_thread_num();
#pragma omp target teams distribute parallel for
for (int i = 0; i < 99; i++) a[i]++;
for (int i = 0; i < 99; i++) s += a[i];
return s - 99 + omp_get_num_threads() - 1; }
`;
  const rig = new Rig({ "a.c": text }, "shared");
  expect(await rig.arc(["cc", "-omp", "-rdynamic", "a.c", "-o", "a"])).toMatchObject({ status: 0, err: "" });
  expect((await rig.run("./a", [], { env: { OMP_NUM_THREADS: "4" } })).status).toBe(0);
});

it("strict numbers of threads, and routines that the library has not, are named", {
  timeout: 60_000,
}, async () => {
  const text = `#include <omp.h>
int main(void) { int a[8] = {0}, n = 2;
#pragma omp parallel for num_threads(strict: n) message("few") severity(warning)
for (int i = 0; i < 8; i++) a[i] = i;
return a[7] - 7 + omp_of_tomorrow(); }
`;
  const rig = new Rig({ "a.c": text }, "shared");
  const { status, err } = await rig.arc(["cc", "-fopenmp", "-c", "a.c"]);
  expect({ status, err }).toMatchObject({ status: 0 });
  expect(err).toContain("a.c:3:26: warning[strict-threads]");
  expect(err).toContain("take a compiler with a newer version of OpenMP");
});

it("'apply' is refused, which C compilers drop", { timeout: 60_000 }, async () => {
  const text = `void f(float *a) {
#pragma omp tile sizes(4) apply(grid: reverse)
  for (int i = 0; i < 64; i++) a[i] += 1;
#pragma omp unroll partial(2)
  for (int i = 0; i < 64; i++) a[i] += 1;
}
`;
  const rig = new Rig({ "a.c": text }, "shared");
  const { status, err } = await rig.arc(["cc", "-fopenmp", "-c", "a.c"]);
  expect(status).toBe(1);
  expect(err.match(/error\[.*/g)).toEqual([
    "error[unsupported-clause]: 'apply' of 'tile' is not carried out (OpenMP 6.0, section 11.1)",
  ]);
});

it("host code is C90 where the program is", { timeout: 60_000 }, async () => {
  const text = `static double x[9];
int main(void) {
  int i, s = 0;
#pragma acc enter data copyin(x) async(2)
#pragma acc parallel loop reduction(+: s) wait(2) num_gangs(s + 3)
  for (i = 0; i < 9; i++) { s += i; x[i] = i; }
#pragma acc update self(x[2:3])
#pragma acc wait(2)
  return s - 36;
}
`;
  const rig = new Rig({ "a.c": text }, "shared");
  const strict = ["-std=c90", "-pedantic", "-Wall", "-Wextra", "-Werror"];
  expect(await rig.arc(["cc", "-acc", ...strict, "a.c", "-o", "a"])).toMatchObject({ status: 0, err: "" });
  expect((await rig.run("./a", [])).status).toBe(0);
});
