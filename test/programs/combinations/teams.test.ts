/**
 * Reductions inside the iterations of a loop, shared by teams of lanes on GPUs, over access patterns, types,
 * operators, sizes, directives and surrounding code: compared with plain C under Oclgrind, which finds
 * races, and with `ARC_SLOW_TESTS=1` on PoCL.
 * All values are small integers, so that every order of a sum gives the same result.
 */
import { describeAsPlainC } from "./as-plain-c.ts";
import { allRows, pairwise, type Row } from "./covering.ts";

const axes = {
  directive: ["parallel loop", "inner loop", "inner seq", "kernels", "omp", "omp loop"],
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
    "spread",
    "spread late",
  ],
} as const;

type Case = Row<typeof axes>;

const isMeaningful = ({ type, op, directive, body }: Case): boolean =>
  !(op === "^" && (type === "double" || type === "float")) &&
  !(directive === "inner loop" && (body === "two sums" || body === "in memory"));

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
          : body === "spread late"
            ? `r[i] += s;\n    for (int k = 1; k < ${m}; k++) b[i][k] = a[i][k] - r[i];`
            : "r[i] += s;";
  const whole = `${s}s = ${start};\n    ${sum(outside ? "" : "int ")}\n    ${tail}`;
  const iteration = body === "in memory" ? sum("int ").replaceAll(/\bs\b/g, "r[i]") : whole;
  const first =
    body === "two sums"
      ? `${type} t = 0;\n    for (int k = 0; k < ${m}; k++) t += x[(i + k) % 80];\n    `
      : "";
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
  for (${outside ? "" : "int "}i = 0; i < ${n}; i++) {
    ${first}${iteration}
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
