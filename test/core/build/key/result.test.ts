/** What equal sums say about two results, and what a result records about an output. */
import { expect, test } from "vitest";
import { digestBytes, digestOf } from "../../../../core/build/key/digest.ts";
import { digestByKey } from "../../../../core/build/key/key.ts";
import {
  type ActionResult,
  isExecutable,
  outputOf,
  resultJson,
  sumOf,
} from "../../../../core/build/key/result.ts";

const digest = digestBytes;
const result: ActionResult = {
  base: digest("base"),
  key: digest("key"),
  outputs: [{ name: "o", kind: "file", digest: digest("o"), size: 1 }],
  seconds: 1,
};
const [output] = result.outputs as [ActionResult["outputs"][number]];
const withOutput = (change: Partial<typeof output>): ActionResult => ({
  ...result,
  outputs: [{ ...output, ...change }],
});

test("a result's sum depends only on the key and the outputs", () => {
  const same: ActionResult[] = [result, { ...result, seconds: 2, log: digest("log"), base: digest("x") }];
  expect(new Set(same.map(sumOf)).size).toBe(1);
  const others: ActionResult[] = [
    { ...result, key: digest("another") },
    { ...result, outputs: [] },
    { ...result, outputs: [output, { ...output, name: "p" }] },
    withOutput({ name: "p" }),
    withOutput({ kind: "folder" }),
    withOutput({ digest: digest("p") }),
    withOutput({ executable: true }),
  ];
  expect(new Set([result, ...others].map(sumOf)).size).toBe(others.length + 1);
  for (const sum of others.map(sumOf)) {
    expect(Number.isSafeInteger(sum)).toBe(true);
    expect(sum).toBeGreaterThan(0);
    expect(sum).toBeLessThan(2 ** 48);
  }
  // Six bytes of them, or many actions would come to the same.
  expect(others.map(sumOf).some((sum) => sum > 2 ** 40)).toBe(true);
});

test("the JSON of a result is made once", () => {
  const text = resultJson(result);
  expect(JSON.parse(text)).toEqual(result);
  expect(resultJson(result)).toBe(text);
  expect(resultJson({ ...result, seconds: 9 })).not.toBe(text);
});

test.each([
  ["as-written", true, true],
  ["as-written", undefined, false],
  [true, undefined, true],

  [undefined, undefined, false],
] as const)(
  "an output declared executable (%s) and written executable (%s) is executable: %s",
  (declared, written, is) => {
    const stored = { ...output, ...(written === undefined ? {} : { executable: written }) };
    const how = {
      name: "o",
      kind: "file" as const,
      ...(declared === undefined ? {} : { executable: declared }),
    };
    expect(isExecutable(stored, how)).toBe(is);
  },
);

test("consumers of a nondeterministic action depend on the run and the output", () => {
  const [a, b] = [digest("a"), digest("b")];
  const seen = [digestByKey(a, "o"), digestByKey(a, "p"), digestByKey(b, "o"), digestOf([a, "o"])];
  expect(new Set(seen).size).toBe(4);
});

test("outputs of a result are found by name", () => {
  const two = { ...result, outputs: [{ ...output, name: "a" }, output] };
  expect(outputOf(two, "o")).toBe(output);
  expect(outputOf(two, "none")).toBeUndefined();
});
