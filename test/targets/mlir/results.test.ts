/** What regions in MLIR compute on the CPU, compared with the same C by gcc. */
import { expect, it, test } from "vitest";
import { printed } from "./machine.ts";

/** A region over arrays, and what both ways of it leave in them. */
interface Case {
  readonly type: string;
  readonly other?: string;
  readonly statements: string;
  /** Iterations have no elements of `c` of their own: the statements access all of them, by atomics alone. */
  readonly together?: true;
}

const declared = `
double sqrt(double); float sqrtf(float); double fabs(double); double pow(double, double); double fmax(double, double);
double fmin(double, double); float fmaxf(float, float); double floor(double); int abs(int); long labs(long);
double fma(double, double, double); double copysign(double, double); double trunc(double); double ceil(double);
enum colour { RED, GREEN = 5, BLUE = -1 };
`;

const count = 40;

function regionOf({ type, other = "int", statements, together }: Case, k: number): string {
  return `
static ${type} twice${k}(${type} v) { return v + v; }
static double mean${k}(const ${type} *p, int n) { double s = 0; for (int i = 0; i < n; i++) s += p[i]; return s / n; }
static void set${k}(${other} *p, int i, ${other} v) { p[i] = v; }
void f${k}(int n, ${type} *restrict a, const ${type} *restrict b, ${other} *restrict c, double *restrict d) {
#pragma acc parallel loop copy(a[0:n], c[0:n]) copyin(b[0:n]) copyout(d[0:n])
  for (int i = 0; i < n; i++) {
    ${type} x = b[i], y = a[i];
    ${together ? "" : `${other} z = c[i];`}
    d[i] = 0;
    ${statements.replaceAll("@", `${k}`)}
    a[i] = x;
    ${together ? "" : "c[i] = z;"}
  }
}`;
}

function runOf({ type, other = "int" }: Case, k: number): string {
  const arrays = `(${type} *, ${type} *, long, long, long, ${type} *, ${type} *, long, long, long, ${other} *, ${other} *, long, long, long, double *, double *, long, long, long, long, long)`;
  return `
void HOST${k}(int, ${arrays.slice(1)};
static ${type} a${k}[2][N], b${k}[N];
static ${other} c${k}[2][N];
static double d${k}[2][N];
#define M(p) p, p, 0, N, 1
static void on_threads${k}(void) { HOST${k}(N, M(a${k}[1]), M(b${k}), M(c${k}[1]), M(d${k}[1]), 2, 1); }
static void check${k}(void) {
  for (int i = 0; i < N; i++) {
    a${k}[0][i] = a${k}[1][i] = (${type})(i * 7 % 23 - 9) + (${type})0.25;
    b${k}[i] = (${type})(i * 5 % 31 + 1) + (${type})0.5;
    c${k}[0][i] = c${k}[1][i] = (${other})(i * 3 % 17 - 8);
  }
  f${k}(N, a${k}[0], b${k}, c${k}[0], d${k}[0]);
  run(on_threads${k});
  for (int i = 0; i < N; i++)
    if (a${k}[0][i] != a${k}[1][i] || c${k}[0][i] != c${k}[1][i] || d${k}[0][i] != d${k}[1][i]) {
      printf("%d: [%d] a %g, not %g; c %g, not %g; d %g, not %g\\n", ${k}, i, (double)a${k}[1][i], (double)a${k}[0][i],
             (double)c${k}[1][i], (double)c${k}[0][i], d${k}[1][i], d${k}[0][i]);
      return;
    }
}`;
}

/** Lines about the first wrong elements of each case. */
function wrong(cases: readonly Case[]): string {
  const regions = `${declared}${cases.map(regionOf).join("\n")}`;
  const main = [
    `#include <stdio.h>\nenum { N = ${count} };\nvoid run(void (*)(void));`,
    ...cases.map(runOf),
    `int main(void) {\n${cases.map((_, k) => `  check${k}();`).join("\n")}\n}`,
  ].join("\n");
  const { out, refused } = printed(regions, main);
  expect(refused).toEqual([]);
  return out.replace(/^\d+(?=:)/gm, (k) => {
    const { type, other, statements } = cases[Number(k)] ?? { statements: "" };
    return `${type} ${other ?? ""} ${statements}`;
  });
}

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
const types = [...integers, "float", "double", "_Bool"];

test("arithmetic and comparisons of every type", () => {
  const cases = types.map((type) => {
    const isFloat = type === "float" || type === "double";
    return {
      type,
      statements: [
        ...["+", "-", "*", "/", ...(isFloat ? [] : ["%", "&", "|", "^"])].flatMap((op) => [
          `d[i] = d[i] * 3 + (y ${op} x);`,
          `{ ${type} w = y; w ${op}= x; d[i] += w; }`,
        ]),
        ...(isFloat
          ? []
          : [
              "d[i] += (x << 2) + (y >> 1) + ~y;",
              `{ ${type} w = y; w <<= 3; d[i] += w; w >>= x & 3; d[i] += w; }`,
            ]),
        ...["==", "!=", "<", ">", "<=", ">=", "&&", "||"].map((op) => `z = z * 2 + (y ${op} x);`),
        "d[i] += !y + -y + +y; d[i] += twice@(y);",
        "d[i] += y++; d[i] += ++x; d[i] += y; d[i] += x--; d[i] += --x;",
        "d[i] += y ? x : 3; d[i] += x > 9 ? 1 : y; d[i] += (z += 4, y);",
      ].join(" "),
    };
  });
  expect(wrong(cases)).toBe("");
});

test("conversions between all types", () => {
  const cases = types.map((type) => ({
    type,
    statements: types
      .map(
        (other) =>
          `{ ${other} v = x; y = v; v += x; d[i] = d[i] / 3 + v; x = (x + v) / 2; d[i] += v < y; z += v; }`,
      )
      .join(" "),
  }));
  expect(wrong(cases)).toBe("");
});

it("computes statements, functions and memory as C does", () => {
  const all = [
    "for (int k = 0; k < 9; k++) { if (k == 2) continue; if (k == 7) break; x += k; }",
    "for (int k = 0; ; k++) { if (k > y) break; x += k; }",
    "int k = 0; while (k < 9) { k++; if (k == 3) continue; x += k * y; }",
    "do { x += 3; if (x == 30) break; } while (x < 50);",
    "for (int k = 0; k < 5; k++) for (int m = k; m < 5; m++) { if (m == 3) continue; if (m == k + 3) break; x += m; }",
    "int m; for (m = 9; m > 2; m -= 2) x ^= m; z = m;",
    "int own[3][4]; for (int k = 0; k < 12; k++) own[k / 4][k % 4] = k * y; x = own[2][1] + *(own[1] + 2) + *(*(own + 2) + 3) + (own + 1)[1][0];",
    "x = *(b + i) + i[a] + *(a + n - 1 - i) * 0 + *&b[i] + (&b[i])[0];",
    "z = abs(y); d[i] = fma(x, y, z) + copysign(x, y) + trunc(x * 0.3) + ceil(x * 0.3) + fmin(x, y) + fmaxf(x, y) + labs(y);",
    "d[i] = fmax(0.0 / 0.0 * x, y) + fmin(y, (x - x) / 0.0);",
    "enum colour k = x & 1 ? GREEN : BLUE; k += RED + 1; z = k; d[i] = k < 2;",
    "int w = 3; { int w = 4; x += w; } x *= w; ;",
    "x = sizeof(int[3]) + sizeof x; (void)(x += 2, z++); y && z++; x > 3 ? (z = 1) : (z = 2);",
    "long v = 1l << 40; unsigned u = -1; x = v / 3 % 1000 + u / 7; z = (signed char)(x * 77) + (unsigned char)-x + (short)70000;",
    "if (x > 5) { if (y < 0) z = 3; } else z = y; if (z) ; else x = 1;",
    "float h = 0.1f; d[i] = h + 0.1 + 1e-30 + 3e38f; x = 'a' + '\\xff';",
    "set@(c, i, 3); z = c[i] + 1; d[i] = mean@(b, n);",
    'd[i] = (x < __builtin_inff()) + (-__builtin_inf() < x) * 2 + (__builtin_nan("") != x) * 4;',
    "d[i] = (1e308 * 10 < x) + (-1e400 < x) * 2 + (x < 1e400) * 4;",
  ];
  expect(wrong(all.map((statements) => ({ type: "int", statements })))).toBe("");
});

test("atomic updates of every form", () => {
  const updates = ["c[0] += x", "c[1] -= x", "c[2] = x + c[2]", "c[3]++", "--c[4]"];
  // Once for each element, as the order of two such updates counts.
  const once = "\nif (i < 20) {\n#pragma acc atomic update\nc[20 + i] = x - c[20 + i];\n}\n";
  const bitwise = ["c[18] |= i", "c[19] = i ^ c[19]"];
  const all = ["int", "unsigned", "long", "float", "double"].map((type) => ({
    type,
    other: type,
    together: true as const,
    statements: [
      ...[...updates, ...(type === "float" || type === "double" ? [] : bitwise)].map(
        (one) => `update\n${one};`,
      ),
      "write\nc[9 + i % 9] = 7;",
      "read\ny = c[9 + i % 9];",
    ]
      .map((atomic) => `\n#pragma acc atomic ${atomic}\n`)
      .concat(once)
      .join(""),
  }));
  expect(wrong(all)).toBe("");
});

/** Lines about wrong reductions of b into the four elements of `to`, each in a region of its own. */
function wronglyReduced(
  all: readonly { readonly type: string; readonly op: string }[],
  ofArrays: boolean,
): string {
  const update = (op: string, s: string): string => {
    if (op === "max") return `${s} = ${s} < v ? v : ${s}`;
    return op === "min" ? `${s} = v < ${s} ? v : ${s}` : `${s} = ${s} ${op} v`;
  };
  const regions = all.map(({ type, op }, k) => {
    const of = ofArrays ? "to[0:4]" : "s";
    return `
void f${k}(int n, const ${type} *restrict b, ${type} *restrict to) {
  ${type} s = to[0];
#pragma acc parallel loop copyin(b[0:n]) reduction(${op}: ${of})
  for (int i = 0; i < n; i++) { ${type} v = b[i]; ${update(op, ofArrays ? "to[i & 3]" : "s")}; }
  ${ofArrays ? "" : "to[0] = s;"}
}`;
  });
  const memory = (type: string): string => `${type} *, ${type} *, long, long, long`;
  const main = all.map(({ type }, k) => {
    // What the groups have, between the array and the result, and how many they are.
    const [part, count, parts, counts] = ofArrays
      ? ["", "", "", ""]
      : [`${memory(type)}, `, "long, ", `M(part${k}, 2), `, "2, "];
    return `
void HOST${k}(int, ${memory(type)}, ${part}${memory(type)}, ${count}long, long);
static ${type} b${k}[N], part${k}[2], sum${k}[2][4];
static void on_threads${k}(void) { HOST${k}(N, M(b${k}, N), ${parts}M(sum${k}[1], 4), ${counts}2, 1); }
static void check${k}(void) {
  for (int i = 0; i < N; i++) b${k}[i] = i % 20 == 0 ? 3 : i % 20 == 7 ? 0 : 1;
  if (MUL${k}) b${k}[7] = b${k}[27] = 2;
  for (int i = 0; i < 8; i++) sum${k}[i / 4][i % 4] = i % 4 == 1 ? 0 : 2;
  f${k}(N, b${k}, sum${k}[0]);
  run(on_threads${k});
  for (int i = 0; i < 4; i++)
    if (sum${k}[0][i] != sum${k}[1][i])
      printf("${k}: [%d] %g, not %g\\n", i, (double)sum${k}[1][i], (double)sum${k}[0][i]);
}`.replace(`MUL${k}`, all[k]?.op === "*" ? "1" : "0");
  });
  const { out, refused } = printed(
    regions.join("\n"),
    `#include <stdio.h>\nenum { N = 40 };\n#define M(p, n) p, p, 0, n, 1\nvoid run(void (*)(void));
${main.join("\n")}\nint main(void) {${all.map((_, k) => `check${k}();`).join(" ")}}`,
  );
  expect(refused).toEqual([]);
  return out.replace(/^\d+/gm, (k) => JSON.stringify(all[Number(k)]));
}

const ofAll = (kinds: readonly string[], ops: readonly string[]) =>
  kinds.flatMap((type) => ops.map((op) => ({ type, op })));

test("reductions over groups", () => {
  const all = ofAll(["int", "long"], ["+", "*", "max", "min", "&", "|", "^"]);
  expect(wronglyReduced([...all, ...ofAll(["float", "double"], ["+", "*", "max", "min"])], false)).toBe("");
});

test("reductions of arrays", () => {
  expect(
    wronglyReduced(
      ofAll(["int", "unsigned", "long", "float", "double"], ["+", "max", "min", "&&", "||"]),
      true,
    ),
  ).toBe("");
});
