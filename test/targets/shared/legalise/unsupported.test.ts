import { expect, test } from "vitest";
import { diagnosticsOf, kernelOf, kernelsOf } from "../../translate.ts";

const region = (type: string) => `
void f(void) {
  ${type} z[8];
#pragma acc parallel loop copyout(z)
  for (int i = 0; i < 8; i++)
    z[i] = i * 2;
}`;

test.each(["opencl", "cuda"] as const)("long double, which %s devices lack, is an error", (kind) => {
  expect(() => kernelsOf(region("long double"), kind)).toThrow(/long-double/);
  expect(kernelsOf(region("double"), kind)).toHaveLength(1);
});

test("the host computes with long double", () => {
  expect(kernelsOf(region("long double"), "host")).toHaveLength(1);
});

const kinds = ["opencl", "cuda"] as const;

test.each(kinds)("an array whose size no launch knows, which %s devices lack, is an error", (kind) => {
  const own = (size: string) => `
void f(int n, double *z) {
#pragma acc parallel loop copyout(z[0:n])
  for (int i = 0; i < n; i++) {
    double row[${size}], (*rows)[${size}] = &row;
    row[0] = i;
    z[i] = (*rows)[0];
  }
}`;
  expect(() => kernelsOf(own("i + 1"), kind)).toThrow(/variable-array/);
  for (const size of ["n", "4"]) expect(kernelsOf(own(size), kind)).toHaveLength(1);
});

const calling = (call: string) => `
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
void f(int *z) {
#pragma acc parallel loop copy(z[0:8])
  for (int i = 0; i < 8; i++) {
    int own[2] = {1, 2};
    if (z[i] < 0)
      ${call};
    z[i] += own[1];
  }
}`;

test("ending the program is an error where a device cannot", () => {
  expect(() => kernelsOf(calling("abort()"), "opencl")).toThrow(/no-abort/);
  expect(kernelsOf(calling("abort()"), "cuda")[0]?.text).toContain("__trap()");
});

test("a pointer into device memory here and into private memory there, which OpenCL C 1.2 lacks, is an error", () => {
  const choosing = (other: string) => `
void f(const float *x, float *y) {
#pragma acc parallel loop copyin(x[0:8]) copyout(y[0:8])
  for (int i = 0; i < 8; i++) {
    const float own[2] = {0, 1}, *from = &x[i];
    if (i % 2)
      from = ${other};
    y[i] = *from;
  }
}`;
  expect(kernelsOf(choosing("own"), "cuda")).toHaveLength(1);
  expect(diagnosticsOf(choosing("own"), "opencl")).toEqual(["7:14 mixed-address-spaces"]);
  expect(kernelOf(choosing("x"), "opencl").text).toContain("__global const float *from");
});

test("what only gcc's C has is refused where it stands, before a compiler of kernels fails at it", () => {
  const places = (statement: string, kind: "opencl" | "cuda") => diagnosticsOf(calling(statement), kind);
  expect(places("z[i] = sizeof(_Atomic int)", "cuda")).toEqual([]);
  expect(places("{ _Atomic int t = i; z[i] = t; }", "opencl")).toEqual(["10:21 no-such-type"]);
  expect(places("{ __float128 t = i; z[i] = t; }", "cuda")).toEqual(["10:20 no-such-type"]);
  for (const kind of kinds) {
    expect(places("{ _Float16 t = 1.5f16; z[i] = t; }", kind)).toEqual([]);
    expect(places("{ _Float16 t = __builtin_sqrtf16(i); z[i] = t; }", kind)).toEqual(["10:22 no-builtin"]);
    expect(places("{ _Float16 _Complex t = i; z[i] = __real__ t; }", kind)).toEqual(["10:27 no-such-type"]);
    expect(places("{ __bf16 t; z[i] = sizeof t; }", kind)).toEqual(["10:16 no-such-type"]);
    expect(places("{ double _Complex t = i; z[i] = __real__ t; }", kind)).toEqual([]);
    expect(places("{ long double _Complex t = i; z[i] = __real__ t; }", kind)).toEqual(["10:30 long-double"]);
    expect(places("{ double _Complex t[2] = {i}, *p = t; *p++ *= 2; z[i] = __real__ t[0]; }", kind)).toEqual([
      "10:45 complex-change",
    ]);
  }
  expect(places('__asm__("nop")', "cuda")).toEqual(["10:7 assembly"]);
  expect(places("z[i] = __builtin_add_overflow(i, 1, own)", "cuda")).toEqual(["10:14 no-builtin"]);
  expect(places("z[i] = *(int *)__builtin_alloca(4)", "opencl")).toEqual(["10:22 no-builtin"]);
  expect(places("z[i] = __builtin_popcount(i) + __builtin_sqrt(i)", "cuda")).toEqual([]);
});

test("a count of printed characters is an error if the target's printf does not support it", () => {
  for (const kind of kinds) {
    expect(diagnosticsOf(calling('printf("%d%n", i, own)'), kind)).toEqual(["10:7 printed-count"]);
    expect(diagnosticsOf(calling('printf("%d%%n", i)'), kind)).toEqual([]);
  }
});

test("memcpy and memset are loops in OpenCL C, which have no value", () => {
  expect(kernelsOf(calling("(void)memcpy(own, z, 4)"), "opencl")[0]?.text).not.toContain("memcpy");
  for (const call of ["int *to = memset(own, 0, 4)", "z[0] = 1, memcpy(own, z, 4)"]) {
    const found = diagnosticsOf(calling(`{ ${call}; }`), "opencl");
    expect(found.map((one) => one.replace(/^\S+ /, ""))).toEqual(["value-of-copy"]);
    expect(kernelsOf(calling(`{ ${call}; }`), "cuda")).toHaveLength(1);
  }
});

test.each(kinds)(
  "arrays of a size that arguments say, as parameters, are pointers to elements on %s",
  (kind) => {
    const source = `
static int sum(int n, int a[n][n]) { return a[0][n - 1] + a[1][0]; }
void f(int *z) {
#pragma acc parallel loop copy(z[0:16])
  for (int i = 0; i < 4; i++)
    z[i] = sum(4, (int (*)[4])z);
}`;
    const [kernel] = kernelsOf(source, kind);
    const { text = "" } = kernel ?? {};
    expect(text).toContain("a_extent1 = (long)n;");
    expect(text).toContain("a[n - 1] + a[a_extent1]");
    expect(text).toMatch(/sum_\(4, \(+(__global )?int \*\)/);
  },
);

test("functions are called, and compared by the addresses that they have on the host", () => {
  const source = (value: string) => `
static int twice(int x) { return 2 * x; }
void f(int *z) {
#pragma acc parallel loop copy(z[0:16])
  for (int i = 0; i < 16; i++)
    z[i] = ${value};
}`;
  for (const kind of kinds) expect(diagnosticsOf(source("twice(i)"), kind)).toEqual([]);
  for (const kind of kinds) expect(diagnosticsOf(source("twice == 0"), kind)).toEqual([]);
  expect(diagnosticsOf(source("sizeof(int (*)(void))"), "opencl")).toEqual([]);
});

test.each(kinds)("an atomic update of a bit-field is an error at it for %s", (kind) => {
  const source = (bits: string) => `
struct s { unsigned a${bits}; };
void f(struct s *p) {
#pragma acc parallel loop copy(p[0:16])
  for (int i = 0; i < 16; i++) {
#pragma acc atomic update
    p[i % 4].a += 1;
  }
}`;
  expect(diagnosticsOf(source(""), kind)).toEqual([]);
  expect(diagnosticsOf(source(" : 5"), kind)).toEqual(["7:5 atomic-bit-field"]);
});

test("what OpenCL's printf prints is written where it is called", () => {
  const places = (call: string) => diagnosticsOf(calling(call), "opencl");
  expect(places('printf("%s %*d%%s\\n", "a", 3, i)')).toEqual([]);
  expect(places('printf("%*d %s", 3, i, (const char *)z)')).toEqual(["10:7 printed-string"]);
  expect(places("printf((const char *)z)")).toEqual(["10:7 printed-string"]);
  expect(diagnosticsOf(calling('printf("%s", (const char *)z)'), "cuda")).toEqual([]);
});

test("a struct without members, which has a size in C++, is an error for CUDA", () => {
  const source = (members: string) => `
struct none { ${members} };
struct with { int a; struct none n; int b; };
void f(struct with *p) {
#pragma acc parallel loop copy(p[0:16])
  for (int i = 0; i < 16; i++)
    p[i].b += p[i].a;
}`;
  expect(diagnosticsOf(source(""), "cuda")).toEqual(["7:5 empty-record"]);
  expect(diagnosticsOf(source(""), "opencl")).toEqual([]);
  expect(diagnosticsOf(source("char c;"), "cuda")).toEqual([]);
});

test("an array of characters without a zero at its end is a list in C++", () => {
  const text = (size: string) =>
    kernelOf(calling(`{ const char word[${size}] = "x" "\\n"; z[i] = word[1]; }`), "cuda").text;
  expect(text("2")).toContain("const char word[2] = {120, 10};");
  expect(text("3")).toContain('const char word[3] = "x" "\\n";');
});

test("a constant table of the host's addresses is warned of where a device gets a copy of it", () => {
  const source = (table: string) => `
static const ${table};
void f(int *z) {
#pragma acc parallel loop copyout(z[0:16])
  for (int i = 0; i < 16; i++)
    z[i] = names[i % 2][1];
}`;
  for (const kind of kinds) {
    expect(diagnosticsOf(source('char *const names[] = {"one", "two"}'), kind)).toEqual([
      "4:13 host-addresses",
    ]);
    expect(diagnosticsOf(source('char names[][4] = {"one", "two"}'), kind)).toEqual([]);
  }
  expect(diagnosticsOf(source('char *const names[] = {"one", "two"}'), "host")).toEqual([]);
});

test("a constant pointer is an argument and no table of addresses", () => {
  const source = (pointer: string) => `
struct atoms { double (*x)[3]; };
void f(struct atoms *a, int n, double (*given)[3]) {
  ${pointer} = a ? a->x : given;
#pragma acc parallel loop
  for (int i = 0; i < n; i++)
    x[i][0] += 1;
}`;
  for (const kind of kinds)
    for (const pointer of ["double (*const x)[3]", "double (*const restrict x)[3]", "double (*x)[3]"])
      expect(diagnosticsOf(source(pointer), kind), `${kind}: ${pointer}`).toEqual([]);
});

test("code that a reduction needs and that is in no file is refused at its region", () => {
  const code = `
void f(void) {
  long double _Complex z = 0;
#pragma acc parallel loop reduction(+: z)
  for (int i = 0; i < 8; i++)
    z += i;
}`;
  expect(diagnosticsOf(code, "opencl")[0]).toMatch(/^4:\d+ long-double$/);
});
