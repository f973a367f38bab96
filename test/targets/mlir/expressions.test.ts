/** Expressions and statements of every kind and type as MLIR: mlir-opt takes the text, or arc names what has no form. */
import { spawnSync } from "node:child_process";
import { describe, expect, it, test } from "vitest";
import { mlirTexts } from "../../../rules/plan/mlir.ts";

const integers = [
  "signed char",
  "unsigned char",
  "short",
  "unsigned short",
  "int",
  "unsigned",
  "long",
  "unsigned long",
];
const floats = ["float", "double"];
const types = [...integers, ...floats, "_Bool"];

const region = (type: string, statements: string, other = "int") => `
double sqrt(double); float sqrtf(float); double fabs(double); double pow(double, double); double fmax(double, double);
double floor(double); int abs(int); float sinf(float);
static ${type} twice(${type} v) { return v + v; }
static void nothing(void) {}
void f(int n, ${type} *restrict a, const ${type} *restrict b, ${other} *restrict c, double *restrict d) {
#pragma acc parallel loop copy(a[0:n], c[0:n], d[0:n]) copyin(b[0:n])
  for (int i = 0; i < n; i++) {
    ${type} x = b[i], y = a[i];
    ${other} z = c[i];
    ${statements}
    a[i] = x;
    c[i] = z;
  }
}`;

/** What mlir-opt says of the text, and what arc refuses. */
function made(source: string): {
  readonly complaint: string;
  readonly refused: readonly string[];
  readonly text: string;
} {
  const [{ text = "", diagnostics = [] } = {}] = mlirTexts([{ file: "e.c", text: source }]);
  const { status, stderr } = spawnSync("mlir-opt-16", ["-o", "/dev/null"], { input: text, encoding: "utf8" });
  const refused = diagnostics.filter((d) => d.severity === "error").map((d) => d.message);
  return { complaint: status === 0 ? "" : stderr, refused, text };
}

function isMlir(source: string): void {
  const { complaint, refused, text } = made(source);
  expect(refused, source).toEqual([]);
  expect(complaint, `${source}\n${text}`).toBe("");
  expect(text).toContain("gpu.");
}

describe("values of a type", () => {
  test.each(types)("%s", (type) => {
    const isInteger = !floats.includes(type);
    const binary = ["+", "-", "*", "/", ...(isInteger ? ["%", "&", "|", "^", "<<", ">>"] : [])];
    const compared = ["==", "!=", "<", ">", "<=", ">=", "&&", "||"];
    isMlir(
      region(
        type,
        [
          ...binary.flatMap((op) => [`x = x ${op} y;`, `x ${op}= y;`]),
          ...compared.map((op) => `z = x ${op} y;`),
          "z = !x; x = -y; x = +y;",
          ...(isInteger ? ["x = ~y;"] : []),
          ...(type === "_Bool" ? [] : ["x++; ++x; x--; --y; x = y++; x = --y;"]),
          "x = y ? x : 3; x = z ? 1 : y; x = (z = 4, y); x = sizeof(y) + sizeof z;",
          "x = twice(y); nothing(); (void)x; (void)(x = y);",
          "if (x) z = 1; else z = 2; if (x && !y || z) x = y;",
          "d[i] = x; d[i] += x; d[i] = sqrt(x) + fabs(y) + pow(x, 2) + fmax(x, y) + floor(x);",
        ].join("\n    "),
      ),
    );
  });

  test.each(types.flatMap((from) => types.map((to) => [from, to] as const)))("%s as %s", (from, to) => {
    isMlir(region(from, "z = x; y = z; x = (unsigned char)z; z = z + x; z += x; x = z < y ? z : y;", to));
  });
});

describe("statements", () => {
  test.each([
    ["for", "for (int k = 0; k < 5; k++) x += k;"],
    ["for downwards by two", "for (int k = n; k > 0; k -= 2) x += k;"],
    ["for with another condition", "for (int k = 0; k < 9 && x < 100; k++) x += k;"],
    ["while", "while (x < 100) x += y + 1;"],
    ["do", "do x += 3; while (x < 50);"],
    ["nested loops", "for (int k = 0; k < 5; k++) for (int m = k; m < 5; m++) if (m != 3) x += m;"],
    ["an array of the iteration", "int own[4]; own[0] = own[3] = 1; own[x & 3] = y; x = own[0] + own[3];"],
    ["a block", "{ int x = 3; { int y = x; z = y; } }"],
    ["an empty statement", ";"],
  ])("%s", (_, statements) => isMlir(region("int", statements)));

  it.each([
    ["goto", "again: if (x < 9) { x++; goto again; }"],
    ["a struct", "struct { int u, v; } s = {1, 2}; x = s.u + s.v;"],
    ["a list of values", "int own[2] = {1, 2}; x = own[0];"],
    ["an address", "int *p = &x; *p = 3;"],
    ["a switch", "switch (x) { case 1: y = 2; break; case 2: y = 3; default: y = 4; }"],
    [
      "continue and break",
      "for (int k = 0; k < 9; k++) { if (k == 2) continue; if (k == 7) break; x += k; }",
    ],
  ])("%s has a form, or is refused by name", (_, statements) => {
    const { complaint, refused } = made(region("int", statements));
    expect(complaint).toBe("");
    for (const message of refused) expect(message).toMatch(/has no form/);
  });
});
