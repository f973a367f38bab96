/**
 * Reductions inside the iterations of a loop, shared by teams of lanes on GPUs, over access patterns, types,
 * operators, sizes, directives and surrounding code: compared with plain C under Oclgrind, which finds
 * races, and with `ARC_SLOW_TESTS=1` on PoCL.
 * All values are small integers, so that every order of a sum gives the same result.
 */
import { describeAsPlainC } from "./as-plain-c.ts";
import { allRows, pairwise, type Row } from "./covering.ts";

const axes = {
  directive: ["parallel loop", "inner loop", "inner seq", "kernels", "omp", "omp loop", "collapse"],
  walk: [
    "a[i][k]",
    "a[k][i]",
    "p[i * 90 + k]",
    "p[k * 70 + i]",
    "sparse",
    "triangle",
    "backwards",
    "gather",
    "pairs",
  ],
  type: ["int", "double", "float", "unsigned long"],
  op: ["+", "-", "*", "max", "min", "^"],
  size: ["0 9", "1 90", "3 88", "70 7", "66 70"],
  body: [
    "plain",
    "two sums",
    "reads first",
    "guarded",
    "declared outside",
    "in memory",
    "set in memory",
    "both in memory",
    "spread",
    "spread late",
    "spread first",
    "stored between",
    "normalised",
    "loops alone",
    "own array",
  ],
} as const;

type Case = Row<typeof axes>;

const isMeaningful = ({ type, op, directive, body }: Case): boolean =>
  !(op === "^" && (type === "double" || type === "float")) &&
  !(
    directive === "inner loop" &&
    (body === "two sums" || body.endsWith("memory") || body === "loops alone")
  ) &&
  // A nest of two loops holds nothing else.
  !(directive === "collapse" && (body === "two sums" || body === "declared outside"));

function directives({ directive, op }: Case): readonly [string, string] {
  const clause = op === "-" ? "+" : op;
  switch (directive) {
    case "inner loop":
      return [
        "#pragma acc parallel loop copy(r, b) copyin(a, p, x, row, col)",
        `#pragma acc loop reduction(${clause}:s)`,
      ];
    case "inner seq":
      return ["#pragma acc parallel loop copy(r, b) copyin(a, p, x, row, col)", "#pragma acc loop seq"];
    case "collapse":
      return ["#pragma acc parallel loop collapse(2) copy(r, b) copyin(a, p, x, row, col)", ""];
    case "kernels":
      return ["#pragma acc kernels copy(r, b) copyin(a, p, x, row, col)", ""];
    case "omp":
      return [
        "#pragma omp target teams distribute parallel for map(tofrom: r, b) map(to: a, p, x, row, col)",
        "",
      ];
    case "omp loop":
      return ["#pragma omp target teams loop map(tofrom: r, b) map(to: a, p, x, row, col)", ""];
    default:
      return ["#pragma acc parallel loop copy(r, b) copyin(a, p, x, row, col)", ""];
  }
}

function functionOf(c: Case, name: string): string {
  const { walk, type, op, body } = c;
  const [n, m] = c.size.split(" ");
  const [outer, inner] = directives(c);
  const outside = body === "declared outside";
  const head =
    {
      sparse: "k = row[i]; k < row[i + 1]; k++",
      triangle: `k = 0; k <= i % ${m}; k++`,
      backwards: `k = ${m} - 1; k >= 0; k -= 3`,
    }[walk as string] ?? `k = 0; k < ${m}; k++`;
  const at =
    {
      sparse: "p[k] + x[col[k]]",
      triangle: "a[i][k]",
      backwards: "a[i][k]",
      gather: "a[i][k] + x[col[k]]",
      pairs: "x[k] * (i % 5)",
    }[walk as string] ?? walk;
  const few = op === "*" ? `((${type})(${at}) % 100 == 7 ? 3 : 1)` : `(${type})(${at})`;
  const value = op === "*" ? few.replace(`(${type})(${at}) % 100`, `(int)(${at}) % 100`) : few;
  const step =
    op === "max" || op === "min"
      ? `if (${value} ${op === "max" ? ">" : "<"} s) s = ${value};`
      : `s ${op}= ${value};`;
  const sum = (counter: string) => `${inner}\n    for (${counter}${head}) {\n      ${step}\n    }`;
  const declared = outside ? "int i, k;\n  " : "";
  const s = outside ? "" : `${type} `;
  const start = body === "reads first" ? "x[i % 80]" : op === "*" ? "1" : "2";
  const tail =
    body === "guarded"
      ? "if (s > 3) r[i] = s; else r[i] += 1;"
      : body === "two sums"
        ? "r[i] = s - t;"
        : body === "spread"
          ? `r[i] += s;\n    ${type} half = s / 2;\n    for (int k = 0; k < ${m}; k++) b[i][k] += half + x[k];`
          : body === "spread late" || body === "stored between"
            ? `r[i] += s;\n    for (int k = 1; k < ${m}; k++) b[i][k] = a[i][k] - r[i];`
            : body === "normalised"
              ? `r[i] += s;\n    ${type} w = 0;\n    for (int k = 0; k < ${m}; k++) { b[i][k] = a[i][k] + s; w += b[i][k]; }
    for (int k = ${m} - 1; k >= 1; k--) b[i][k] = b[i][k] - 2 * w;\n    b[i][0] = w;
    for (int k = 0; k < ${m}; k++) b[i][k] += r[i] + b[i][k] % 3;`.replace("b[i][k] % 3", "(int)b[i][k] % 3")
              : body === "own array"
                ? `${type} q[90];\n    for (int k = 0; k < ${m}; k++) q[k] = a[i][k] + s;\n    for (int k = 0; k < ${m}; k++) b[i][k] = q[${m} - 1 - k];`
                : "r[i] += s;";
  const whole = `${s}s = ${start};\n    ${sum(outside ? "" : "int ")}\n    ${tail}`;
  const inMemory = sum("int ").replaceAll(/\bs\b/g, "r[i]");
  const iteration =
    {
      "in memory": inMemory,
      "set in memory": `r[i] = ${start};\n    ${inMemory}`,
      "both in memory": `b[i][1] = 3;\n    r[i] = ${start};\n    ${inMemory.replace("{", `{\n      b[i][1] += ${at === walk ? walk : "x[k]"};\n`)}`,
      "loops alone": `for (int k = 0; k < ${m}; k++) { b[i][k] = 1; for (int l = 0; l < 5; l++) b[i][k] += a[i][k] * x[l + i % 9]; }
    for (int k = 0; k < ${m}; k++) r[i] += b[i][${m} - 1 - k];\n    for (int k = 0; k < ${m}; k++) b[i][k] -= x[k];`,
      "stored between": whole
        .replace("r[i] += s;", `r[i] = s - 1;\n    ${type} u = r[i] + 1;`)
        .replace("- r[i];", "- u * r[i];"),
    }[body as string] ?? whole;
  const first =
    body === "two sums"
      ? `${type} t = 0;\n    for (int k = 0; k < ${m}; k++) t += x[(i + k) % 80];\n    `
      : body === "spread first"
        ? `for (int k = 0; k < ${m}; k++) b[i][k] = a[i][k] * 2 + x[k];\n    `
        : "";
  const pairs = c.directive === "collapse";
  const nest = pairs
    ? `for (int g = 0; g < ${Math.ceil(Number(n) / 2)}; g++)\n    for (int h = 0; h < 2; h++)`
    : `for (${outside ? "" : "int "}i = 0; i < ${n}; i++)`;
  const all = `${first}${iteration}`;
  return `static void ${name}(void) {
  static ${type} a[90][90], b[90][90], p[8100], x[90], r[90];
  static int row[91], col[8100];
  for (int i = 0, e = 0; i < 90; i++) {
    row[i] = e;
    e += i * 7 % 40;
    x[i] = i % 11;
    r[i] = i % 3;
    for (int k = 0; k < 90; k++) a[i][k] = p[i * 90 + k] = b[i][k] = (i * 5 + k * 3) % 13, col[i * 90 + k] = (i + k * k) % 90;
  }
  row[90] = row[89];
  ${declared}${outside ? `${type} s;\n  ` : ""}
${outer}
  ${nest} {
    ${pairs ? all.replaceAll(/\bi\b/g, "(2 * g + h)") : all}
  }
  double all = 0;
  for (int i = 0; i < 90; i++) all += r[i] * (i % 7 + 1);
  for (int i = 0; i < 90; i++)
    for (int k = 0; k < 90; k++) all += b[i][k] * (k % 5 + 1);
  printf("${name} %.17g %.17g %.17g\\n", all, (double)r[0], (double)r[2]);
}
`.replaceAll(/^ *\n/gm, "");
}

describeAsPlainC(
  "reductions that teams share",
  pairwise<typeof axes>(allRows(axes, isMeaningful)).map((row, k) => functionOf(row, `f${k}`)),
);
