/** Quotients and remainders of powers of two, which take shifts and no divider. */
import { expect, it } from "vitest";
import { lint } from "../lint.ts";
import { serialArrays } from "../serial.ts";
import { designed, type Given, ideal, simulate } from "../simulation.ts";

const types = [
  ["signed char", 1],
  ["unsigned short", 2],
  ["int", 4],
  ["unsigned", 4],
  ["long", 8],
  ["unsigned long", 8],
] as const;
const divisors = ["2", "-2", "1024", "(1l << 40)", "-(1l << 62)", "8u"];

/** What lies around 0, around the divisors, and at both ends. */
const values = (bytes: number): bigint[] => {
  const top = 1n << BigInt(8 * bytes - 1);
  const around = [0n, 2n, -2n, 1024n, -1024n, 1n << 40n, -(1n << 62n), top, -top];
  return around.flatMap((v) => [v - 1n, v, v + 1n]).map((v) => BigInt.asIntN(8 * bytes, v));
};

it.each(types)("quotients and remainders of %s by powers of two are C's", (type, bytes) => {
  const n = values(bytes).length;
  const signed = divisors.filter((by) => !type.startsWith("unsigned") || !by.startsWith("-"));
  const results = signed.flatMap((by) => [`x[i] / ${by}`, `x[i] % ${by}`]);
  const source = `void work(${type} *restrict x, long *restrict y) {
#pragma acc serial copyin(x[0:${n}]) copyout(y[0:${n * results.length}])
  for (int i = 0; i < ${n}; i++) {
${results.map((result, k) => `    y[${results.length} * i + ${k}] = ${result};`).join("\n")}
  }
}`;
  const given: Readonly<Record<string, Given>> = {
    x: { bytes, values: values(bytes) },
    y: { bytes: 8, values: Array.from({ length: n * results.length }, () => 0) },
  };
  const made = designed(source);
  expect(lint(made.design.text)).toBe("");
  expect(made.design.text).not.toContain("arc_divide");
  expect(simulate(made, given, ideal).arrays).toEqual(serialArrays([{ source, given }])[0]);
});
