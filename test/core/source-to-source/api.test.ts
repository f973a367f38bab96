/** Calls of one standard's routines in the other's, one by one, and whole programs of them as gcc and arc run them. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, expect, it, test } from "vitest";
import type { Language, OpenMpVersion } from "../../../core/source-to-source/model/source.ts";
import { arcProgram } from "../../cli/rig.ts";
import { translated } from "./translating.ts";

const PROTOTYPES = `
typedef unsigned long size_t;
enum acc { acc_device_none, acc_device_default, acc_device_host, acc_device_not_host, acc_device_nvidia };
void acc_set_device_num(int, int); int acc_get_device_num(int); int acc_get_num_devices(int); int acc_on_device(int);
void acc_init(int); void *acc_malloc(size_t); void acc_free(void *); int acc_is_present(void *, size_t);
void acc_memcpy_to_device(void *, void *, size_t); void acc_memcpy_from_device(void *, void *, size_t);
void acc_memcpy_device(void *, void *, size_t); void acc_map_data(void *, void *, size_t); void acc_unmap_data(void *);
void *acc_copyin(void *, size_t); void *acc_create(void *, size_t); void acc_copyout(void *, size_t);
void acc_delete(void *, size_t); void acc_delete_finalize(void *, size_t); void *acc_pcopyin(void *, size_t);
void acc_update_device(void *, size_t); void acc_update_self(void *, size_t); void acc_update_host(void *, size_t);
void acc_copyin_async(void *, size_t, int); void acc_copyout_async(void *, size_t, int);
void acc_update_self_async(void *, size_t, int);
void acc_wait(int); void acc_wait_all(void); void acc_wait_async(int, int); void acc_async_wait_all(void);
int acc_async_test(int); int acc_get_device_type(void); void acc_prof_register(int);
void omp_set_default_device(int); int omp_get_default_device(void); int omp_get_initial_device(void);
int omp_get_num_devices(void); int omp_is_initial_device(void); void *omp_target_alloc(size_t, int);
void omp_target_free(void *, int); int omp_target_is_present(const void *, int);
int omp_target_memcpy(void *, const void *, size_t, size_t, size_t, int, int);
int omp_target_associate_ptr(const void *, const void *, size_t, size_t, int);
int omp_target_disassociate_ptr(const void *, int); int omp_get_device_num(void); int size(void);
void *acc_deviceptr(void *); void *omp_get_mapped_ptr(const void *, int);
struct pair { int one, two; };
`;
const before = `${PROTOTYPES}void f(int n, double *x, void *d, struct pair *p, int k) {\n  double a[100]; float m[6][7]; struct pair v; int t;\n`;

function made(statement: string, to: Language, openmp: OpenMpVersion = "5.0") {
  const { text, diagnostics } = translated(`${before}  ${statement}\n}\n`, to, openmp);
  const body = text.slice(text.indexOf("int t;") + 6, text.lastIndexOf("}"));
  return { body: body.trim().replace(/\s*\n\s*/g, " "), problems: diagnostics.map((d) => d.message) };
}

const device = "omp_get_default_device()";
const host = "omp_get_initial_device()";

test("acc_deviceptr is a routine of OpenMP 5.1", () => {
  const acc = "d = acc_deviceptr((void *)(x));";
  const omp = `d = omp_get_mapped_ptr((void *)(x), ${device});`;
  expect(made(acc, "openmp", "5.1")).toEqual({ body: omp, problems: [] });
  expect(made(`d = omp_get_mapped_ptr(x, ${device});`, "openacc")).toEqual({ body: acc, problems: [] });
});

describe("a call of OpenACC's in OpenMP", () => {
  test.each([
    ["acc_set_device_num(2, acc_device_not_host);", "omp_set_default_device(2);"],
    ["acc_set_device_num(0, acc_device_host);", `omp_set_default_device(${host});`],
    ["t = acc_get_device_num(acc_device_default);", `t = ${device};`],
    ["t = acc_get_num_devices(acc_device_host);", "t = 1;"],
    ["t = acc_get_num_devices(acc_device_not_host);", "t = omp_get_num_devices();"],
    ["t = acc_on_device(acc_device_host);", "t = omp_is_initial_device();"],
    ["t = acc_on_device(acc_device_not_host);", "t = !omp_is_initial_device();"],
    ["acc_init(acc_device_default);", ""],
    ["if (n) acc_init(acc_device_default);", "if (n) {}"],
    ["d = acc_malloc(n * 8);", `d = omp_target_alloc(n * 8, ${device});`],
    ["acc_free(d);", `omp_target_free(d, ${device});`],
    ["t = acc_is_present(x, 1);", `t = omp_target_is_present(x, ${device});`],
    [
      "t = acc_is_present(x, n * 8);",
      `t = (omp_target_is_present(x, ${device}) && omp_target_is_present((const char *)(x) + (n * 8) - 1, ${device}));`,
    ],
    ["acc_memcpy_to_device(d, x, n * 8);", `omp_target_memcpy(d, x, n * 8, 0, 0, ${device}, ${host});`],
    ["acc_memcpy_from_device(x, d, n * 8);", `omp_target_memcpy(x, d, n * 8, 0, 0, ${host}, ${device});`],
    ["acc_memcpy_device(d, d, n * 8);", `omp_target_memcpy(d, d, n * 8, 0, 0, ${device}, ${device});`],
    ["acc_map_data(x, d, n * 8);", `omp_target_associate_ptr(x, d, n * 8, 0, ${device});`],
    ["acc_unmap_data(x);", `omp_target_disassociate_ptr(x, ${device});`],
    ["acc_copyin(x, n * sizeof(double));", "#pragma omp target enter data map(to: x[0:n])"],
    ["acc_pcopyin(x, n * sizeof *x);", "#pragma omp target enter data map(to: x[0:n])"],
    ["acc_create(x, 800);", "#pragma omp target enter data map(alloc: x[0:(800) / sizeof *x])"],
    ["acc_copyout(a, sizeof a);", "#pragma omp target exit data map(from: a)"],
    ["acc_copyout(a + k, 10 * sizeof(double));", "#pragma omp target exit data map(from: a[k:10])"],
    ["acc_copyin(&x[3], n * sizeof(double));", "#pragma omp target enter data map(to: x[3:n])"],
    ["acc_copyin(&a[k], 10 * sizeof a[0]);", "#pragma omp target enter data map(to: a[k:10])"],
    ["acc_copyin(&m[k], 3 * sizeof *m);", "#pragma omp target enter data map(to: m[k:3])"],
    ["acc_create(&x[k], n * 8);", "#pragma omp target enter data map(alloc: x[k:(n * 8) / sizeof (x[k])])"],
    ["acc_copyout(m[k], sizeof m[k]);", "#pragma omp target exit data map(from: m[k])"],
    ["acc_delete((void *)x, n * sizeof(double));", "#pragma omp target exit data map(release: x[0:n])"],
    ["acc_delete(&v, sizeof v);", "#pragma omp target exit data map(release: v)"],
    ["acc_delete_finalize(p, 4 * sizeof *p);", "#pragma omp target exit data map(delete: p[0:4])"],
    [
      "if (n) acc_update_device(x, n * 8);",
      "if (n) { #pragma omp target update to(x[0:(n * 8) / sizeof *x]) }",
    ],
    ["acc_update_host(x, n * sizeof(double));", "#pragma omp target update from(x[0:n])"],
    ["acc_wait_all();", "#pragma omp taskwait"],
    ["acc_async_wait_all();", "#pragma omp taskwait"],
    ["acc_wait(3);", "#pragma omp taskwait depend(inout: queue_of[3])"],
    ["acc_wait(-2);", ""],
    ["acc_wait_async(1, 2);", "#pragma omp task depend(in: queue_of[1]) depend(inout: queue_of[2]) ;"],
    ["acc_wait_async(1, -2);", ""],
    [
      "acc_copyin_async(x, n * sizeof(double), 1);",
      "#pragma omp target enter data map(to: x[0:n]) nowait depend(inout: queue_of[1])",
    ],
    [
      "acc_copyout_async(x, n * sizeof(double), 2);",
      "#pragma omp target exit data map(from: x[0:n]) nowait depend(inout: queue_of[2])",
    ],
    [
      "acc_update_self_async(x, n * sizeof(double), 1);",
      "#pragma omp target update from(x[0:n]) nowait depend(inout: queue_of[1])",
    ],
    ...[
      ["d", "n"],
      ["&m[k][2]", "8 * sizeof(float)"],
      ["x", "n"],
    ].map(([what, size]) => [
      `acc_copyin(${what}, ${size});`,
      `{ char *bytes_of = (char *)(${what}); #pragma omp target enter data map(to: bytes_of[0:${size}]) }`,
    ]),
  ])("%s", (acc = "", omp = "") => {
    const { body, problems } = made(acc, "openmp");
    expect(problems).toEqual([]);
    expect(body).toBe(omp);
  });

  test.each([
    ["t = acc_get_num_devices(acc_device_nvidia);", "OpenMP counts devices of all types together"],
    ["t = acc_on_device(acc_device_nvidia);", "OpenMP knows the host and devices, no types of them"],
    ["t = acc_is_present(x, size());", "OpenMP asks for one byte, and this is a question about several"],
    ["t = acc_async_test(1);", "OpenMP has no counterpart of 'acc_async_test'"],
    ["acc_prof_register(n);", "OpenMP has no counterpart of 'acc_prof_register'"],
    ["d = acc_copyin(x, n * sizeof(double));", "'acc_copyin' is a directive in OpenMP, which has no value"],
    ["d = acc_deviceptr(x);", "OpenMP 5.0 has no counterpart of 'acc_deviceptr'"],
    ["acc_free(acc_malloc(n));", "'acc_malloc' stands in the arguments of a call that becomes another"],
  ])("%s is refused", (acc, message) => {
    expect(made(acc, "openmp").problems).toEqual([message]);
  });
});

test.each([
  "int acc_sum = 0; acc_sum += n; t = acc_sum;",
  "struct { int acc_count; } s, *q = &s; q->acc_count = s.acc_count;",
  "goto acc_end; acc_end: t = 1;",
])("a name of the program's own that begins like OpenACC's stays: %s", (statement) => {
  expect(made(statement, "openmp")).toEqual({ body: statement, problems: [] });
});

describe("a call of OpenMP's in OpenACC", () => {
  test.each([
    ["omp_set_default_device(2);", "acc_set_device_num(2, acc_get_device_type());"],
    [`omp_set_default_device(${host});`, "acc_set_device_type(acc_device_host);"],
    [`t = ${device};`, "t = acc_get_device_num(acc_get_device_type());"],
    ["t = omp_get_num_devices();", "t = acc_get_num_devices(acc_device_not_host);"],
    ["t = omp_is_initial_device();", "t = acc_on_device(acc_device_host);"],
    [`d = omp_target_alloc(n * 8, ${device});`, "d = acc_malloc(n * 8);"],
    [`omp_target_free(d, ${device});`, "acc_free(d);"],
    [`t = omp_target_is_present(x, ${device});`, "t = acc_is_present((void *)(x), 1);"],
    [`omp_target_memcpy(d, x, n * 8, 0, 0, ${device}, ${host});`, "acc_memcpy_to_device(d, x, n * 8);"],
    [
      `omp_target_memcpy(x, d, n * 8, 8, k, ${host}, ${device});`,
      "acc_memcpy_from_device((char *)(x) + (8), (char *)(d) + (k), n * 8);",
    ],
    [
      `omp_target_memcpy(d, d, 8, 0, 8, ${device}, ${device});`,
      "acc_memcpy_device(d, (char *)(d) + (8), 8);",
    ],
    [`omp_target_associate_ptr(x, d, n * 8, 0, ${device});`, "acc_map_data(x, d, n * 8);"],
    [`omp_target_associate_ptr(x, d, n * 8, 16, ${device});`, "acc_map_data(x, (char *)(d) + (16), n * 8);"],
    [`omp_target_disassociate_ptr(x, ${device});`, "acc_unmap_data(x);"],
  ])("%s", (omp, acc) => {
    const { body, problems } = made(omp, "openacc");
    expect(problems).toEqual([]);
    expect(body).toBe(acc);
  });

  const chosen = (name: string) => `OpenACC's '${name}' is about the device that is chosen`;
  test.each([
    [`omp_set_default_device(${host} + 0);`, "the host has no number among OpenACC's devices"],
    ["d = omp_target_alloc(n, 1);", chosen("acc_malloc")],
    ["omp_target_free(d, k);", chosen("acc_free")],
    ["t = omp_target_is_present(x, 0);", chosen("acc_is_present")],
    ["omp_target_associate_ptr(x, d, 8, 0, 0);", chosen("acc_map_data")],
    [`t = omp_target_associate_ptr(x, d, 8, 0, ${device});`, "acc_map_data has no result"],
    [`t = omp_target_disassociate_ptr(x, ${device});`, "acc_unmap_data has no result"],
    [`t = omp_target_memcpy(d, x, 8, 0, 0, ${device}, ${host});`, "OpenACC's copies have no result"],
    [
      "omp_target_memcpy(d, x, 8, 0, 0, 0, 1);",
      "OpenACC copies between the host and the device that is chosen",
    ],
    ["t = omp_get_device_num();", "OpenACC has no counterpart of 'omp_get_device_num'"],
  ])("%s is refused", (omp, message) => {
    expect(made(omp, "openacc").problems[0]).toBe(message);
  });
});

/** Uses device memory in every way, on the device that is chosen, and ends with 0 if all values are right. */
const PROGRAM = `
#include <openacc.h>
#include <stdlib.h>
int main(void) {
  int n = 50, wrong = 0;
  double *x = malloc(n * sizeof(double)), *y = malloc(n * sizeof(double));
  for (int i = 0; i < n; i++) x[i] = i;
  acc_init(acc_device_default);
  double *d = acc_malloc(2 * n * sizeof(double));
  acc_memcpy_to_device(d, x, n * sizeof(double));
  acc_memcpy_device(d + n, d, n * sizeof(double));
  acc_memcpy_from_device(y, d + n, n * sizeof(double));
  for (int i = 0; i < n; i++) wrong += y[i] != i;
  acc_free(d);
  acc_copyin(x, n * sizeof(double));
  acc_create(y, n * sizeof(double));
#pragma acc parallel loop present(x[0:n], y[0:n])
  for (int i = 0; i < n; i++) y[i] = x[i] + 1;
  acc_update_self(y, n * sizeof(double));
  for (int i = 0; i < n; i++) wrong += y[i] != i + 1;
  acc_delete(x, n * sizeof(double));
#pragma acc parallel loop present(y[0:n])
  for (int i = 0; i < n; i++) y[i] *= 2;
  acc_copyout(y, n * sizeof(double));
  for (int i = 0; i < n; i++) wrong += y[i] != 2 * (i + 1);
  free(x);
  free(y);
  return wrong;
}
`;

describe("a program that handles device memory by calls", () => {
  it("is right in OpenMP by gcc, and there and back by arc with separate memory", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "arc-api-"));
    try {
      const file = (name: string) => path.join(folder, name);
      writeFileSync(file("acc.c"), PROGRAM);
      const run = (...args: string[]) => execFileSync(arcProgram, args, { cwd: folder });
      writeFileSync(file("omp.c"), run("translate", "acc.c", "--to", "openmp"));
      execFileSync("gcc", ["-fopenmp", "omp.c", "-o", "by-gcc"], { cwd: folder });
      execFileSync(file("by-gcc"));
      writeFileSync(file("back.c"), run("translate", "omp.c", "--to", "openacc"));
      for (const [source, option] of [
        ["acc.c", "-acc"],
        ["omp.c", "-omp"],
        ["back.c", "-acc"],
      ] as const) {
        run("cc", option, source, "-o", "program");
        for (const memory of ["shared", "separate"])
          execFileSync(file("program"), { env: { ...process.env, ARC_HOST_MEMORY: memory } });
      }
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});

test("macros of a routine's name, for where there is no OpenACC, are no calls", () => {
  const head = "#define acc_copyin(p, n) (p)\n#undef acc_copyin\n";
  const { text, diagnostics } = translated(
    `${head}${PROTOTYPES}void f(int *p) { acc_copyin(p, 4); }`,
    "openmp",
  );
  expect(diagnostics).toEqual([]);
  expect(text).toContain("#define acc_copyin(p, n) (p)");
  expect(text).toContain("omp target enter data");
});
