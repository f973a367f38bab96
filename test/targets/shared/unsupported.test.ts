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
