/** Pointers of OpenCL C 1.2, which belong to one address space each, under Oclgrind, where the spaces are apart. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { arcProgram } from "../../cli/rig.ts";
import { start } from "../../programs/process.ts";
import { diagnosticsOf, kernelOf } from "../translate.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-spaces-"));
afterAll(() => rmSync(folder, { recursive: true }));

const records = `
#include <stdint.h>
#include <stdio.h>
#include <string.h>
struct inner { float *at; };
struct a { int n; float *p; struct inner *next; };
struct also { float *at; };
struct b { int m; float *q; struct also *next; };
union either { struct a a; struct b b; };
`;

test("a pointer is found again in the space where it leads, whatever type its bytes are read as", async () => {
  const source = `${records}
static float first(void *from) { return ((struct b *)from)->q[0]; }
int main(void) {
  float out[6][9];
#pragma acc parallel loop copyout(out)
  for (int i = 0; i < 9; i++) {
    float own[2] = {i + 1, 2 * i + 3};
    struct inner inner = {own + 1};
    struct a x = {2, own, &inner};
    out[0][i] = ((struct b *)&x)->q[1];
    union either u;
    u.a = x;
    out[1][i] = u.b.q[0] + u.b.next->at[0];
    struct b z;
    memcpy(&z, &x, sizeof z);
    out[2][i] = z.q[1];
    out[3][i] = first(&x);
    uintptr_t bits = 0;
    out[4][i] = *(float *)((uintptr_t)own + sizeof *own | bits);
    float *both[2] = {own, own + 1}, **at = (float **)(void *)both;
    out[5][i] = at[1][0];
  }
  for (int k = 0; k < 6; k++)
    for (int i = 0; i < 9; i++)
      printf("%g ", out[k][i]);
}`;
  const [file, exe, serial] = ["a.c", "a", "serial"].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ];
  writeFileSync(file, source);
  const env = {
    ARC_STORE: process.env.ARC_TEST_STORE ?? path.join(folder, "store"),
    ARC_OPENCL_LIBRARY: "/usr/lib/oclgrind/liboclgrind-rt.so",
  };
  const built = await Promise.all([
    start(arcProgram, ["cc", "-acc", "-target", "opencl", file, "-o", exe], { env }),
    start("gcc", ["-w", file, "-o", serial]),
  ]);
  for (const { status, err } of built) expect(status, err).toBe(0);
  const ran = await start(exe, [], { env });
  expect(ran.err).toBe("");
  expect(ran.out).toBe((await start(serial, [])).out);
}, 60_000);

const region = (statements: string) => `${records}
struct pair { struct { const float *near, *far; } of[2]; };
void f(struct b *given, const float *x, float *y) {
#pragma acc parallel loop copyin(given[0:8], x[0:8]) copyout(y[0:8])
  for (int i = 0; i < 8; i++) {
    float own[2] = {i};
    ${statements}
  }
}`;

test("a cast is refused where it mixes spaces: members that it makes one lead into different ones", () => {
  const cast = "struct a v = {0, own}; given[i].q = 0; y[i] = ((struct b *)&v)->q[0];";
  expect(diagnosticsOf(region(cast), "opencl")).toEqual(["16:51 mixed-address-spaces"]);
  expect(diagnosticsOf(region(cast), "cuda")).toEqual([]);
});

test("members of one record may lead into different spaces, in arrays of records too", () => {
  const { text } = kernelOf(
    region(
      "struct pair v = {{{own, &x[i]}, {own, x}}}; y[i] = v.of[1].near[0] + ((char *)&v)[0] + v.of[0].far[0];",
    ),
    "opencl",
  );
  expect(text).toMatch(/\n +const float \*near;\n/);
  expect(text).toMatch(/\n +__global const float \*far;\n/);
});
