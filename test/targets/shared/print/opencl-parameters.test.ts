/** What OpenCL C does not pass to kernels: truth values, and records that hold some or pointers. */
import { afterAll, expect, test } from "vitest";
import { differences } from "../../fuzz/compare.ts";
import { Workshop } from "../../runtime/harness.ts";

const shop = new Workshop("gcc", ["-w"]);
afterAll(() => shop.remove());

const changes = ["t = t + k;", "t = k % 2 * 6;", "_Bool *p = &t; *p = k & 2;"];
const truths = changes.map(
  (change, n) => `static void f${n}(void) {
  int out[40] = {0};
  _Bool t = ${n % 2};
#pragma acc parallel num_gangs(1) firstprivate(t) copy(out)
  for (int k = 0; k < 40; k++) { ${change} out[k] = t + k; }
  for (int k = 0; k < 40; k++) printf("f${n} %d\\n", out[k]);
}
`,
);

/** Of every alignment, with what is not passed in every place. */
const members = [
  "_Bool yes;",
  "_Bool yes; char c[5];",
  "short s; _Bool yes;",
  "int i; struct { _Bool of[3]; } in; _Bool yes;",
  "double d; union { _Bool of; char c; } in; _Bool yes;",
  "struct part *next; _Bool yes;",
  "_Bool yes; int n; int __attribute__((aligned(32))) wide;",
];
const records = members.map((own, k) => {
  const name = `f${changes.length + k}`;
  return `struct record_${name} { ${own} };
static void ${name}(void) {
  int out[40] = {0};
  struct record_${name} r = {0};
  r.yes = 1;
#pragma acc parallel loop firstprivate(r) copy(out)
  for (int k = 0; k < 40; k++) { struct record_${name} s = r; s.yes = k & 4; out[k] = r.yes + s.yes + k; }
  for (int k = 0; k < 40; k++) printf("${name} %d\\n", out[k]);
}
`;
});

test("reaches them all the same", { timeout: 120_000 }, () => {
  const found = differences([...truths, ...records], ["opencl", "oclgrind"], shop.archive());
  expect(found.map(({ what }) => what)).toEqual([]);
});
