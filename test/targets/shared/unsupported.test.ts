import { expect, test } from "vitest";
import { kernelsOf } from "../translate.ts";

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

test("bit-fields, which OpenCL C lacks, are an error at the member; other kinds have them", () => {
  const bits = "struct { unsigned a : 3; unsigned b; }";
  expect(() => kernelsOf(region("int").replace("int z", `${bits} s[8]; int z`), "opencl")).not.toThrow();
  const using = region("int").replace("void f(void) {", `void f(${bits} s) {`).replace("i * 2", "s.a");
  expect(() => kernelsOf(using, "opencl")).toThrow(/bit-field/);
  expect(kernelsOf(using, "host")).toHaveLength(1);
  expect(kernelsOf(using, "cuda")).toHaveLength(1);
});
