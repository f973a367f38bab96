import { describe, expect, it } from "vitest";
import { designsOf } from "../simulation.ts";

/** Code and place of the first diagnostic. */
function refusal(source: string): string {
  const [outcome] = designsOf(source);
  if (!outcome || !("diagnostics" in outcome)) return "made";
  const [first] = outcome.diagnostics;
  expect(first?.remedy).toBeTruthy();
  return `${first?.loc.line}: ${first?.code}`;
}

describe("what has no form in hardware is an error with its place and a remedy", () => {
  it.each([
    [
      "a long double",
      `void work(long double *a) {
#pragma acc serial copy(a[0:4])
  for (int i = 0; i < 4; i++)
    a[i] = a[i] + 1;
}`,
      "4: no-operator",
    ],
    [
      "a function of <math.h> that is no circuit",
      `float lgammaf(float);
void work(float *a) {
#pragma acc serial copy(a[0:4])
  for (int i = 0; i < 4; i++)
    a[i] = lgammaf(a[i]);
}`,
      "5: no-operator",
    ],
    [
      "a function of <math.h> without its prototype",
      `void work(float *a) {
#pragma acc serial copy(a[0:4])
  for (int i = 0; i < 4; i++)
    a[i] = sqrtf(a[i]);
}`,
      "4: no-operator",
    ],
    [
      "one with other arguments than <math.h> says",
      `double pow();
void work(double *a) {
#pragma acc serial copy(a[0:4])
  for (int i = 0; i < 4; i++)
    a[i] = pow(a[i]);
}`,
      "5: no-operator",
    ],
    [
      "a function that the source does not define",
      `void work(int *a) {
#pragma acc serial copy(a[0:4])
  for (int i = 0; i < 4; i++)
    a[i] = __builtin_clrsb(a[i]);
}`,
      "4: no-operator",
    ],
    [
      "a call of itself",
      `#pragma acc routine seq
static int f(int n) { return n < 2 ? 1 : n * f(n - 1); }
void work(int *a) {
#pragma acc serial copy(a[0:4])
  for (int i = 0; i < 4; i++)
    a[i] = f(i);
}`,
      "2: recursive-routine",
    ],
    [
      "the address of a register that goes to memory",
      `void work(int **rows, int *a) {
#pragma acc serial copy(rows[0:4], a[0:4])
  for (int i = 0; i < 4; i++) { int own = a[i]; rows[i] = &own; a[i] = *rows[i]; }
}`,
      "3: no-hardware",
    ],
    [
      "a local array of unions that are no words",
      `union pair { int a, b[3]; };
void work(int *a) {
#pragma acc serial copy(a[0:4])
  {
    union pair table[1000];
    for (int i = 0; i < 1000; i++) table[i].a = a[i & 3];
    for (int i = 0; i < 4; i++) a[i] = table[i * 100].a;
  }
}`,
      "5: no-operator",
    ],
    [
      "an array whose size only the program knows",
      `void work(int n, int *a) {
#pragma acc serial copy(a[0:4])
  for (int i = 0; i < 4; i++) { int own[n]; own[0] = i; a[i] = own[0]; }
}`,
      "3: unbounded-array",
    ],
    [
      "an array of a called function whose elements are set there",
      `#pragma acc routine seq
static int f(int n) { int seen[100] = { 0 }; seen[n & 63] = 1; return seen[n & 31]; }
void work(int *a) {
#pragma acc serial copy(a[0:4])
  for (int i = 0; i < 4; i++)
    a[i] = f(i);
}`,
      "2: no-hardware",
    ],
    [
      "a call through a pointer",
      `static int up(int n) { return n + 1; }
static int down(int n) { return n - 1; }
void work(int *a, int which) {
  int (*f)(int) = which ? up : down;
#pragma acc serial copy(a[0:4])
  for (int i = 0; i < 4; i++)
    a[i] = f(a[i]);
}`,
      "7: no-hardware",
    ],
  ])("%s", (_, source, want) => {
    expect(refusal(source)).toBe(want);
  });
});
