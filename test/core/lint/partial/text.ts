/** The C text of such a program. */
import type { Inside, Operation, Partial } from "./model.ts";

const range = (v: string, { low, high }: Inside): string =>
  `for (int ${v} = ${low}; ${v} < ${high === 0 ? "N" : `N - ${high}`}; ${v}++)`;

export function textOf(program: Partial): string {
  const { shape, length, language, clause, steps, after } = program;
  const n = { constant: "16", known: "n", large: "1000" }[length];
  const flat = shape === "line";
  const acc = language === "acc";
  const at = (array: string, i: string, j: string): string =>
    flat ? `${array}[${i}]` : shape === "linear" ? `${array}[(${i}) * N + ${j}]` : `${array}[${i}][${j}]`;
  const moved = (v: string, by: number): string =>
    by === 0 ? v : `${v} ${by < 0 ? "-" : "+"} ${Math.abs(by)}`;
  const section = (array: string, rows: string): string =>
    shape === "linear" ? `${array}[0:${rows === "N" ? "N * N" : `${rows} * N`}]` : `${array}[0:${rows}]`;
  const loops = (inside: Inside, body: string): string =>
    flat ? `${range("i", inside)} ${body}` : `${range("i", inside)} ${range("j", inside)} ${body}`;
  const region = acc ? "#pragma acc parallel loop\n" : "#pragma omp target teams distribute parallel for\n";
  const written = (step: Operation): string => {
    switch (step.is) {
      case "stencil": {
        const { to, inside, offsets, byCondition } = step;
        const from = to === "a" ? "b" : "a";
        const sum = offsets.map(([i, j]) => at(from, moved("i", i), moved("j", j))).join(" + ");
        const set = `${at(to, "i", "j")} = ${sum};`;
        const { low, high } = inside;
        const limits = (flat ? ["i"] : ["i", "j"]).map((v) => `${v} >= ${low} && ${v} < N - ${high}`);
        return byCondition
          ? `${region}${loops({ low: 0, high: 0 }, `if (${limits.join(" && ")}) ${set}`)}\n`
          : `${region}${loops(inside, set)}\n`;
      }
      case "border": {
        if (flat) return `${region}for (int k = 0; k < N; k += N - 1) b[k] = 1;\n`;
        const [first, last] =
          step.side === "rows"
            ? [at("b", "0", "k"), at("b", "N - 1", "k")]
            : [at("b", "k", "0"), at("b", "k", "N - 1")];
        return `${region}for (int k = 0; k < N; k++) { ${first} = 1; ${last} = 2; }\n`;
      }
      case "update": {
        const what = section("b", step.rows === "all" ? "N" : String(step.rows));
        const way = acc ? (step.to === "host" ? "self" : "device") : step.to === "host" ? "from" : "to";
        return `#pragma ${acc ? "acc" : "omp target"} update ${way}(${what})\n`;
      }
      default:
        return `${loops(step.inside, `s += ${at("b", "i", "j")};`)}\n`;
    }
  };
  const head = {
    none: "",
    for: "for (int t = 0; t < 10; t++)\n",
    while: "while (s < 100 && times++ < 50)\n",
  }[program.around];
  const clauses = acc
    ? `data copy(${section("a", "N")}) ${clause === "from" ? "copyout" : "create"}(${section("b", "N")})`
    : `target data map(tofrom: ${section("a", "N")}) map(${clause}: ${section("b", "N")})`;
  const read = after ? loops(after, `s += ${at("b", "i", "j")};`) : "";
  const types = { line: "[N]", declared: "[N][N]", linear: "", variable: "[N][N]" }[shape];
  const declared =
    shape === "linear"
      ? "double *a = malloc(N * N * sizeof(double)), *b = malloc(N * N * sizeof(double));"
      : `double a${types}, b${types};`;
  return `void *malloc(unsigned long);
int printf(const char *, ...);
#define N ${n}
int main(int n, char **argv) {
${declared}
double s = 0;
int times = 0;
${loops({ low: 0, high: 0 }, `{ ${at("a", "i", "j")} = 1; ${at("b", "i", "j")} = 2; }`)}
#pragma ${language} ${clauses}
${head}{
${steps.map(written).join("")}}
${read}
printf("%g %d\\n", s, times);
return 0;
}
`
    .replace(/#define .*\n/, "")
    .replace(/\bN\b/g, n);
}
