/**
 * Functions in which loops reduce a variable of the program: declared anywhere, in any construct, at any level, mapped by
 * various clauses, and read before the loop, after it or nowhere. After the region its value must equal the serial
 * program's. Values are small integers, so that every order of additions gives the same sum.
 */
import type { Row } from "./covering.ts";

export const axes = {
  where: ["outside", "static", "file", "extern", "parameter"],
  construct: ["parallel", "kernels", "serial", "steps"],
  level: ["gang", "worker", "vector", "gang-vector", "nested", "said-outside"],
  reduction: ["+", "*", "max", "&", "||"],
  type: ["unsigned short", "int", "long", "double"],
  shape: ["scalar", "array", "array by sum", "array by subscript of sum"],
  clause: ["none", "copy", "data"],
  use: ["nowhere", "before", "behind", "unused"],
  model: ["acc", "omp"],
} as const;

type Combination = Row<typeof axes>;

/** How an update names an element. */
const elements: Readonly<Record<string, (array: string, at: string) => string>> = {
  array: (array, at) => `${array}[${at}]`,
  "array by sum": (array, at) => `*(${array} + ${at})`,
  "array by subscript of sum": (array, at) => `(1 + ${array})[${at} - 1]`,
};

/** A loop over gangs around one of lanes. Of `said-outside` only the outer loop has the clause. */
const isNest = ({ level }: Combination): boolean => level === "nested" || level === "said-outside";

/** Combinations that the standards define and that can be written as a function. */
export function isMeaningful(c: Combination): boolean {
  const { where, construct, level, reduction, type, shape, clause, use, model } = c;
  if (type === "double" && reduction === "&") return false;
  if (shape !== "scalar" && (where === "parameter" || reduction === "||" || use !== "nowhere")) return false;
  // `||` changes even an unused variable, to 0 or 1.
  if (use === "unused" && reduction === "||") return false;
  const gangs = level === "gang" || level === "gang-vector" || isNest(c);
  if (construct === "parallel") {
    // Results of reductions over gangs are available after the region only.
    if (use === "behind") return false;
    // Each gang reduces the same values, so only private variables give defined results.
    if (!gangs && (clause !== "none" || shape !== "scalar" || model === "omp")) return false;
    if (!gangs && use === "before") return false;
  }
  // One gang runs all steps.
  if (construct === "steps" && level !== "worker" && level !== "vector") return false;
  if (construct === "serial" && gangs) return false;
  if (model === "omp") {
    if (level === "said-outside") return false;
    if (level === "worker" || construct === "kernels") return false;
    if (use === "before" && construct === "parallel") return false;
    // In OpenMP an unmapped variable's result is lost with the region.
    if (clause === "none" && construct !== "parallel") return false;
  }
  return true;
}

const COUNT = 90;
const OUTER = 6;
const STEPS = 3;

function update(c: Combination, into: string, i: string): string {
  const values: Readonly<Record<string, string>> = {
    "+": `${into} += in[${i}] % 7;`,
    "*": `${into} *= in[${i}] % 29 == 3 ? 2 : 1;`,
    max: `if (in[${i}] > ${into}) ${into} = in[${i}];`,
    "&": `${into} &= 0x7f ^ (in[${i}] & 8);`,
    "||": `${into} = ${into} || in[${i}] == 7;`,
  };
  return values[c.reduction] as string;
}

/** The function text for a combination, named `name`. */
export function functionOf(c: Combination, name: string): string {
  const outer = c.where === "file" || c.where === "extern";
  const v = outer ? `${name}_v` : "v";
  const object = c.shape !== "scalar" ? `${v}[4]` : v;
  const parameter = c.where === "parameter";
  const declared: Readonly<Record<string, string>> = {
    outside: `  ${c.type} ${object};\n`,
    static: `  static ${c.type} ${object};\n`,
    extern: `  extern ${c.type} ${object};\n`,
  };
  const outside = outer ? `${c.where === "file" ? "static " : ""}${c.type} ${object};\n` : "";
  const head = parameter
    ? `static __attribute__((noinline)) void ${name}_of(${c.type} v)`
    : `static void ${name}(void)`;
  const start = c.shape !== "scalar" ? `for (int k = 0; k < 4; k++) ${v}[k] = 3 + k;` : `${v} = 3;`;
  const shown = c.shape !== "scalar" ? [0, 1, 2, 3].map((k) => `(double)${v}[${k}]`) : [`(double)${v}`];
  return `${outside}${head} {
  int in[${COUNT}]; long out[${COUNT}];
  for (int k = 0; k < ${COUNT}; k++) { in[k] = k * 7 % 1009; out[k] = k; }
${declared[c.where] ?? ""}  ${start}
${region(c, v)}
  unsigned long h = 7;
  for (int k = 0; k < ${COUNT}; k++) h = h * 31 + (unsigned long)out[k];
  printf("${name} %lu${" %.17g".repeat(shown.length)}\\n", h, ${shown.join(", ")});
}
${parameter ? `static void ${name}(void) { ${name}_of(1); }\n` : ""}`;
}

function region(c: Combination, v: string): string {
  const acc = c.model === "acc";
  const code = [acc ? directive(c, v) : target(c, v), "  {", ...inside(c, v), "  }"];
  if (c.clause !== "data") return code.join("\n");
  const data = acc ? `#pragma acc data copy(${v})` : `#pragma omp target data map(tofrom: ${v})`;
  return [data, "  {", ...code, "  }"].join("\n");
}

function directive({ construct, clause }: Combination, v: string): string {
  const of = construct === "steps" ? "kernels" : construct;
  const gangs = construct === "parallel" ? "num_gangs(3)" : "";
  return `#pragma acc ${of} ${gangs} copyin(in) copy(out) ${clause === "copy" ? `copy(${v})` : ""}`;
}

function target({ construct, clause, level, reduction }: Combination, v: string): string {
  const teams = construct === "parallel" && level !== "vector" ? `teams reduction(${reduction}:${v})` : "";
  const map = clause === "none" ? "" : `map(tofrom: ${v})`;
  return `#pragma omp target ${teams} map(to: in) map(tofrom: out) ${map}`;
}

function inside(c: Combination, v: string): string[] {
  const before = c.use === "before" ? [`    long x = (long)${v};`] : [];
  const behind = c.use === "behind";
  if (c.construct !== "steps")
    return [...before, ...loops(c, v), ...(behind ? [`    out[1] = (long)${v};`] : [])];
  return [
    `    for (int t = 0; t < ${STEPS}; t++) {`,
    ...before,
    ...loops(c, v),
    ...(behind ? [`    out[t] = (long)${v};`] : []),
    "    }",
  ];
}

function loops(c: Combination, v: string): string[] {
  const acc = c.model === "acc";
  const clause = `reduction(${c.reduction}:${v})`;
  const each = (i: string) => {
    const into = elements[c.shape]?.(v, `(${i}) % 4`) ?? v;
    // In a loop not shared by gangs, all gangs would store the same elements.
    const store = c.construct !== "parallel" || /gang/.test(c.level) || isNest(c);
    const seen = c.use === "before" ? `in[${i}] + x` : `in[${i}]`;
    return [store ? `out[${i}] = ${seen};` : "", c.use === "unused" ? "" : update(c, into, i)].join(" ");
  };
  if (isNest(c))
    return [
      acc ? `#pragma acc loop gang ${clause}` : "#pragma omp distribute",
      `    for (int g = 0; g < ${OUTER}; g++) {`,
      acc
        ? `#pragma acc loop vector ${c.level === "nested" ? clause : ""}`
        : `#pragma omp parallel for ${clause}`,
      `    for (int k = 0; k < ${COUNT / OUTER}; k++) { ${each(`g * ${COUNT / OUTER} + k`)} }`,
      "    }",
    ];
  const shared =
    c.level === "gang-vector"
      ? `distribute parallel for ${clause}`
      : c.level === "gang"
        ? "distribute"
        : `parallel for ${clause}`;
  return [
    acc ? `#pragma acc loop ${c.level.replace("-", " ")} ${clause}` : `#pragma omp ${shared}`,
    `    for (int i = 0; i < ${COUNT}; i++) { ${each("i")} }`,
  ];
}
