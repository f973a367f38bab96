import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { cases } from "../../../cases.ts";
import { execute, Workshop } from "../harness.ts";

const shop = new Workshop("gcc", ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]);
afterAll(() => shop.remove());

const program = shop.program("launch/expressions");
const evaluate = (lines: readonly string[]): string[] =>
  execute([program], { input: lines.map((text) => `${text}\n`).join("") })
    .stdout.split("\n")
    .slice(0, -1);

/** The scope of c/expressions.c. */
const scope: Record<string, bigint> = {
  ...{ t0: 1000n, t1: 0n, t2: -7n, t3: 2n ** 63n - 1n, ng: 0n, nw: 4n, vl: 128n, cu: 2n, mg: 1024n },
  ...{ gx: 8n, gy: 3n, gz: 1n, n0: 5n, n1: 0n, n2: 9n, n7: 0n },
  // Arguments that are no numbers of the usual sizes, are not passed by value, or not at all, count nothing.
  ...{ a0: -12n, a1: 2n ** 40n, a2: -3n, a3: 0n, a4: 0n, a5: 0n },
};

type Tree = string | readonly [string, ...Tree[]];

const wrap = (value: bigint): bigint => BigInt.asIntN(64, value);
const operators: Record<string, (a: bigint, b: bigint) => bigint> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => (b === 0n ? 0n : a / b),
  "%": (a, b) => (b === 0n ? 0n : a % b),
  // Ceiling from the definition, not from a truncating quotient.
  ceildiv: (a, b) => {
    if (b === 0n) return 0n;
    const floor = a / b - (a % b !== 0n && a < 0n !== b < 0n ? 1n : 0n);
    return floor * b === a ? floor : floor + 1n;
  },
  min: (a, b) => [a, b].sort((x, y) => Number(x > y) - Number(x < y))[0] as bigint,
  max: (a, b) => [a, b].sort((x, y) => Number(x < y) - Number(x > y))[0] as bigint,
};

function value(tree: Tree): bigint {
  if (typeof tree === "string") return scope[tree] ?? BigInt(tree);
  const [operator, ...operands] = tree as readonly [string, ...Tree[]];
  const [a, b, c] = operands.map(value) as [bigint, bigint, bigint];
  if (operator === "?") return a ? b : c;
  return wrap((operators[operator] as (a: bigint, b: bigint) => bigint)(a, b));
}

const postfix = (tree: Tree): string =>
  typeof tree === "string" ? tree : [...(tree.slice(1) as Tree[]).map(postfix), tree[0]].join(" ");

const constant = fc
  .oneof(fc.bigInt({ min: -20n, max: 20n }), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }))
  .map(String);
const tree = fc.letrec<{ tree: Tree }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 6, withCrossShrink: true },
    fc.oneof(constant, fc.constantFrom(...Object.keys(scope))),
    fc.tuple(fc.constantFrom(...Object.keys(operators)), tie("tree"), tie("tree")),
    fc.tuple(fc.constant("?"), tie("tree"), tie("tree"), tie("tree")),
  ),
})).tree;

it("has the value that the same tree has in exact arithmetic, wrapped to 64 bits", () => {
  fc.assert(
    fc.property(fc.array(tree, { minLength: 1, maxLength: 100 }), (trees) => {
      expect(evaluate(trees.map(postfix))).toEqual(trees.map((one) => value(one).toString()));
    }),
    cases(60),
  );
});

it("refuses invalid expressions, with the reason", () => {
  const wrong: [string, string][] = [
    ["", "it is empty"],
    ["1 2", "it leaves more than one value"],
    ["1 +", "an operator has too few operands"],
    ["1 2 ?", "an operator has too few operands"],
    ["t", "a word is not a number, name or operator"],
    ["t-1", "a word is not a number, name or operator"],
    ["t0x", "a word is not a number, name or operator"],
    ["9223372036854775808", "a word is not a number, name or operator"],
    ["abcdefghijklmnopqrstuvwxyz", "a word is not a number, name or operator"],
    [`${"1 ".repeat(33)}${"+ ".repeat(32)}`, "it is nested too deeply"],
  ];
  expect(evaluate(wrong.map(([text]) => text))).toEqual(wrong.map(([, why]) => why));
});
