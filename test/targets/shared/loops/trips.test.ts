/**
 * Trip counts follow C: types of every width and sign for the variable, its first value, the bound and the step,
 * at the edges of their ranges. The oracle is the loop itself, compiled by gcc.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import fc from "fast-check";
import { afterAll, expect, it } from "vitest";
import { countedHeader } from "../../../../core/ir/analysis/loops/counted.ts";
import type { LoopHeader } from "../../../../core/ir/model/ir.ts";
import { evaluateInteger, LONG, makeSymbol, parse, printExpr } from "../../../../core/lang/index.ts";
import type { ForStmt } from "../../../../core/lang/tree/ast.ts";
import { ident } from "../../../../core/lang/tree/build.ts";
import { tripCount, valueAt } from "../../../../targets/shared/loops/trips.ts";
import { seedsOf } from "../../../cases.ts";

const folder = mkdtempSync(path.join(tmpdir(), "arc-trips-"));
afterAll(() => rmSync(folder, { recursive: true }));

const bits = {
  "signed char": 8,
  "unsigned char": 8,
  short: 16,
  "unsigned short": 16,
  int: 32,
  "unsigned int": 32,
  long: 64,
  "unsigned long": 64,
} as const;
type Type = keyof typeof bits;
const types = Object.keys(bits) as Type[];
const fits = (type: Type, value: bigint) =>
  type.startsWith("unsigned") ? BigInt.asUintN(bits[type], value) : BigInt.asIntN(bits[type], value);

/** Near zero, and near the ends of all types. */
const interesting = fc
  .tuple(
    fc.constantFrom(0n, 0n, 0n, ...[7n, 8n, 15n, 16n, 31n, 32n, 63n, 64n].map((n) => 1n << n)),
    fc.boolean(),
  )
  .chain(([edge, negative]) => fc.bigInt(-9n, 9n).map((near) => (negative ? -edge : edge) + near));
const smallStep = fc.bigInt(-7n, 7n);
const step = fc.oneof({ weight: 4, arbitrary: smallStep }, interesting).filter((s) => s !== 0n);

interface Operand {
  readonly type: Type;
  readonly value: bigint;
  readonly constant: boolean;
}
const operand = (value: fc.Arbitrary<bigint>): fc.Arbitrary<Operand> =>
  fc.record({ type: fc.constantFrom(...types), value, constant: fc.boolean() });

const loop = fc
  .record({
    type: fc.constantFrom(...types),
    lower: operand(interesting),
    bound: operand(interesting),
    near: fc.option(fc.bigInt(-40n, 40n)),
    step: operand(step),
    relation: fc.constantFrom("<", "<=", ">", ">=", "!="),
    advance: fc.constantFrom("i++", "i--", "i += S", "i -= S", "i = i + S", "i = S + i", "i = i - S"),
  })
  .map(({ near, ...l }) => (near === null ? l : { ...l, bound: { ...l.bound, value: l.lower.value + near } }))
  .filter((l) => fits(l.type, fits(l.step.type, l.step.value)) !== 0n);
type Case = ReturnType<typeof loop.generate>["value"];

const literal = ({ type, value }: Operand): string => {
  const v = fits(type, value);
  return v === -(1n << 63n)
    ? `(${type})(-9223372036854775807L - 1)`
    : `(${type})${v}${v > 1n << 62n ? "UL" : "L"}`;
};
const operands = ({ lower, bound, step: s }: Case) =>
  (
    [
      ["a", lower],
      ["b", bound],
      ["s", s],
    ] as const
  ).map(([name, o]) => ({ name, o, text: o.constant ? literal(o) : name }));

function head(c: Case): string {
  const [a, b, s] = operands(c).map(({ text }) => text) as [string, string, string];
  return `for (${c.type} i = ${a}; i ${c.relation} ${b}; ${c.advance.replace("S", s)})`;
}

const parameters = (c: Case) =>
  operands(c)
    .map(({ name, o }) => `${o.type} ${name}`)
    .join(", ");

function headers(cases: readonly Case[]): readonly (LoopHeader | undefined)[] {
  const text = cases.map((c, k) => `void f${k}(${parameters(c)}) { ${head(c)}; }`).join("\n");
  const { unit } = parse(text, { file: "loops.c" });
  return unit.externals.map((e) => {
    const statement = e.kind === "function" ? e.body.body[0] : undefined;
    const header = countedHeader(statement as ForStmt);
    if ("severity" in header) return undefined;
    // Steps away from the bound are refused elsewhere.
    const by = evaluateInteger(header.step) ?? 0n;
    const away = /[<]/.test(header.relation) ? by < 0n : /[>]/.test(header.relation) && by > 0n;
    return away ? undefined : header;
  });
}

const cap = 3000;

/** Prints the case's number and what differs. A loop that overflows, wraps around or does not end says nothing. */
function check(c: Case, k: number, header: LoopHeader): string {
  const t = makeSymbol("t", "var", LONG, "block");
  const [a, b, s] = operands(c).map(({ text }) => text) as [string, string, string];
  // The sum as C forms it; a variable that turns round before it reaches its bound is no counted loop.
  const op = /-/.test(c.advance) ? "-" : "+";
  const by = /S/.test(c.advance) ? s : "1";
  const [left, right] = c.advance === "i = S + i" ? [by, "i"] : ["i", by];
  const onward = { "<": ">", "<=": ">", ">": "<", ">=": "<", "!=": "!=" }[c.relation] as string;
  const unit =
    /[+]{2}|--/.test(c.advance) || (c.step.constant && [1n, -1n].includes(fits(c.step.type, c.step.value)));
  const common = (e: string) => `(${e} - 0 * (${b}))`;
  return `
static void f${k}(void) {
  ${operands(c)
    .map(({ name, o }) => `${o.type} ${name} = ${literal(o)};`)
    .join(" ")}
  (void)a, (void)b, (void)s;
  ${c.type} values[4], before = 0;
  long n = 0;
  for (${c.type} i = ${a}; i ${c.relation} ${b};) {
    if (n < 4) values[n] = i;
    if (++n > ${cap}) return;
    __typeof__(${left} ${op} ${right}) raw;
    if (__builtin_${op === "-" ? "sub" : "add"}_overflow(${left}, ${right}, &raw) && (__typeof__(raw))-1 < 0) return;
    ${c.type} next = (${c.type})raw;
    if (!(${common("next")} ${onward} ${common("i")})) return;
    ${c.type} moved;
    if (${unit && c.relation === "!=" ? 0 : 1} && __builtin_${op === "-" ? "sub" : "add"}_overflow(i, (${c.type})${by}, &moved)) return;
    if (!${unit ? 1 : 0} && n > 1 && (next > i) != (i > before)) return;
    before = i;
    i = next;
  }
  long trips = ${printExpr(tripCount(header))};
  long count = trips < 0 ? 0 : trips;
  if (count != n) printf("%d: %ld instead of %ld\\n", ${k}, count, n);
  for (long t = 0; t < n && t < 4; t++)
    if ((${printExpr(valueAt(header, ident(t)))}) != values[t]) printf("%d: value %ld differs\\n", ${k}, t);
  checked++;
}`;
}

it.each(seedsOf(2))("counts the iterations that C runs (seed %i)", { timeout: 120_000 }, (seed) => {
  const cases = fc.sample(loop, { numRuns: 700, seed });
  const found = headers(cases);
  const known = [...cases.keys()].filter((k) => found[k]);
  const text = [
    "#include <stdio.h>",
    "static int checked;",
    ...known.map((k) => check(cases[k] as Case, k, found[k] as LoopHeader)),
    "int main(void) {",
    ...known.map((k) => `  f${k}();`),
    '  printf("checked %d\\n", checked);',
    "}",
  ].join("\n");
  const [source, exe] = [path.join(folder, "trips.c"), path.join(folder, "trips")];
  writeFileSync(source, text);
  execFileSync("gcc", ["-O0", "-w", source, "-o", exe]);
  const lines = execFileSync(exe, { encoding: "utf8" }).trim().split("\n");
  const checked = Number(/^checked (\d+)$/.exec(lines.pop() ?? "")?.[1]);
  expect(checked, `seed ${seed}`).toBeGreaterThan(100);
  const wrong = lines.map((line) => describe(line, cases));
  expect(wrong, `seed ${seed}`).toEqual([]);
});

function describe(line: string, cases: readonly Case[]): string {
  const c = cases[Number.parseInt(line, 10)] as Case;
  const values = operands(c).map(({ name, o }) => `${o.type} ${name} = ${fits(o.type, o.value)}`);
  return `${line}   ${head(c)}   ${values.join(", ")}`;
}
