/**
 * Functions in which a variable is declared somewhere, copied by some clause, at some level of parallelism, reduced by
 * some operator and read afterwards, as programs use variables of loops. Values are small integers, so
 * that every order of additions gives the same sum.
 */
import type { Row } from "../covering.ts";

export const axes = {
  where: ["inside", "outside", "file", "static", "parameter"],
  clause: ["private", "firstprivate", "none"],
  level: ["gang", "worker", "vector", "seq"],
  shape: ["scalar", "array", "section", "element", "record"],
  reduction: ["none", "+", "*", "max", "min", "&", "|", "^", "&&", "||"],
  type: ["char", "short", "int", "unsigned", "long", "float", "double", "real"],
  read: ["not", "once", "by-lanes"],
  model: ["acc", "omp"],
} as const;

type Combination = Row<typeof axes>;

const bits = ["&", "|", "^", "&&", "||"];
const floats = ["float", "double", "real"];

/** Combinations that the standards define and that can be written as a function. */
export function isMeaningful(c: Combination): boolean {
  const { where, clause, level, shape, reduction, type, read, model } = c;
  if (floats.includes(type) && bits.includes(reduction)) return false;
  // A region's variable already has a copy per iteration of the loop that declares or names it.
  if (where === "inside" && (clause === "firstprivate" || (clause === "private" && level === "gang")))
    return false;
  // An array argument is a pointer.
  if (where === "parameter" && shape !== "scalar") return false;
  // In OpenACC only compute constructs take the clause.
  if (clause === "firstprivate" && (level !== "gang" || (shape !== "scalar" && model === "omp")))
    return false;
  // Without private copies, iterations may only read it, or reduce into it with the loop's own clause.
  if (clause === "none" && where !== "inside") {
    if (shape !== "scalar" && reduction !== "none") return false;
    // In OpenMP the result of a reduction within a team ends with the team.
    if (level !== "gang" && reduction !== "none" && model === "omp") return false;
    if (reduction !== "none" && read !== "not") return false;
  }
  // Only clauses have sections, and OpenMP copies whole variables only.
  if (shape === "section" && (clause === "none" || model === "omp")) return false;
  // OpenMP has no workers inside a team, and no directive for a sequential loop.
  if (model === "omp" && (level === "worker" || level === "seq")) return false;
  // A reduction in a sequential loop is plain C.
  if (level === "seq" && clause === "none" && where !== "inside" && reduction !== "none") return false;
  return true;
}

const GANGS = 5;
const WORKERS = 6;
const LANES = 40;

const typeOf = (c: Combination) =>
  c.type === "real" ? "real_t" : c.type === "char" ? "signed char" : c.type;

const elements = ({ shape }: Combination): number => (shape === "element" ? 1 : 4);

/** Some take their size from another array, which is a pointer in kernels. */
const sizeOf = (c: Combination): string =>
  c.shape === "array" && c.where !== "file"
    ? `sizeof in / sizeof *in / ${(GANGS * WORKERS * LANES) / elements(c)}`
    : `${elements(c)}`;

/** The scalar in the variable, or one of several. */
function numberOf({ shape }: Combination, v: string, at: string): string {
  if (shape === "scalar") return v;
  if (shape === "record") return `${v}.of`;
  return shape === "element" ? `${v}[0]` : `${v}[${at} % 4]`;
}

/** Sets all of the variable's values, starting with `first`. */
function set(c: Combination, v: string, first: string): string {
  if (c.shape === "record") return `${v}.yes = ${first} != 1; ${v}.of = ${first};`;
  if (c.shape !== "array" && c.shape !== "section") return `${numberOf(c, v, "0")} = ${first};`;
  return `for (int k = 0; k < 4; k++) ${v}[k] = ${first} + k;`;
}

/** `into op value`, as an assignment. */
function reduce(op: string, into: string, value: string): string {
  if (op === "max") return `${into} = ${into} > ${value} ? ${into} : ${value};`;
  if (op === "min") return `${into} = ${into} < ${value} ? ${into} : ${value};`;
  if (op === "&&" || op === "||") return `${into} = ${into} ${op} ${value};`;
  return `${into} ${op}= ${value};`;
}

/** The values that lanes combine; for products, most are 1. */
function valueOf(op: string, at: string): string {
  if (op === "*") return `((${at}) % 17 == 3 ? 2 : 1)`;
  if (op === "&") return `(int)(0x7f ^ (1 << ((${at}) % 3)))`;
  if (op === "&&") return `((${at}) % 61 != 7)`;
  if (op === "||") return `((${at}) % 61 == 7)`;
  return `(${at}) % 7`;
}

/** The function text for a combination, named `name`. */
export function functionOf(c: Combination, name: string): string {
  const type = c.shape === "record" ? `struct ${name}_record` : typeOf(c);
  const v = c.where === "file" ? `${name}_v` : "v";
  const object = c.shape === "scalar" || c.shape === "record" ? v : `${v}[${sizeOf(c)}]`;
  const record = c.shape === "record" ? `${type} { _Bool yes; ${typeOf(c)} of; };\n` : "";
  const file = `${record}${c.where === "file" ? `static ${type} ${object};\n` : ""}`;
  const parameter = c.where === "parameter";
  const declared =
    c.where === "static"
      ? `  static ${type} ${object};\n`
      : c.where === "outside"
        ? `  ${type} ${object};\n`
        : "";
  const before = c.where === "inside" ? "" : `  ${set(c, v, c.shape === "scalar" ? "3" : "2")}\n`;
  const head = parameter
    ? `static __attribute__((noinline)) void ${name}_of(${type} ${v})`
    : `static void ${name}(void)`;
  const caller = parameter ? `static void ${name}(void) { ${name}_of(1); }\n` : "";
  return `${file}${head} {
  int in[${GANGS * WORKERS * LANES}]; long out[${GANGS * WORKERS}]; long each[${GANGS * WORKERS * LANES}];
  for (int k = 0; k < ${GANGS * WORKERS * LANES}; k++) { in[k] = k * 7 % 1009; each[k] = 0; }
  for (int k = 0; k < ${GANGS * WORKERS}; k++) out[k] = k;
${declared}${before}${region(c, v, type, object)}
  unsigned long h = 7;
  for (int k = 0; k < ${GANGS * WORKERS * LANES}; k++) h = h * 31 + (unsigned long)each[k];
  for (int k = 0; k < ${GANGS * WORKERS}; k++) h = h * 31 + (unsigned long)out[k];
  printf("${name} %lu %ld\\n", h, ${readBehind(c, v)});
}
${caller}`;
}

/** The host sees reduced results, but not copies, unlike in the serial program. */
function readBehind(c: Combination, v: string): string {
  return c.clause === "none" && c.where !== "inside" && c.shape === "scalar" ? `(long)${v}` : "0L";
}

function region(c: Combination, v: string, type: string, object: string): string {
  const { clause, level, reduction } = c;
  const acc = c.model === "acc";
  const whole = clause === "none" && c.where !== "inside" && reduction !== "none";
  const clauses = [
    ...(clause === "none" ? [] : [`${clause}(${v}${c.shape === "section" ? "[:4]" : ""})`]),
    ...(whole ? [`reduction(${reduction}:${v})`] : []),
    ...(whole && !acc ? [`map(tofrom: ${v})`] : []),
  ].join(" ");
  const data = acc ? "copyin(in) copy(out, each)" : "map(to: in) map(tofrom: out, each)";
  const outer = (own: string) =>
    acc
      ? `#pragma acc parallel loop gang ${data} ${own}`
      : `#pragma omp target teams distribute ${data} ${own}`;
  const lanes = (own: string) => (acc ? `#pragma acc loop vector ${own}` : `#pragma omp parallel for ${own}`);
  const inside = c.where === "inside" && clause === "none" ? `${type} ${object};` : "";
  const around = c.where === "inside" && clause !== "none" ? `${type} ${object};` : "";
  if (level === "gang")
    return [
      whole
        ? acc
          ? outer(clauses).replace("gang", "gang vector")
          : outer(clauses).replace("distribute", "distribute parallel for")
        : outer(clauses),
      `  for (int x = 0; x < ${GANGS * WORKERS}; x++) {`,
      `    ${inside}`,
      whole ? `    ${reduce(reduction, v, valueOf(reduction, `in[x * ${LANES}]`))}` : use(c, v, "x", lanes),
      "  }",
    ].join("\n");
  if (level === "worker")
    return [
      outer(""),
      `  for (int g = 0; g < ${GANGS}; g++) {`,
      `    ${around}`,
      `#pragma acc loop worker ${clauses}`,
      `    for (int w = 0; w < ${WORKERS}; w++) {`,
      `    ${inside}`,
      whole
        ? reduce(reduction, v, valueOf(reduction, `in[(g * ${WORKERS} + w) * ${LANES}]`))
        : use(c, v, `(g * ${WORKERS} + w)`, lanes),
      "    }",
      "  }",
    ].join("\n");
  return [
    outer(""),
    `  for (int g = 0; g < ${GANGS}; g++) {`,
    `    ${around}`,
    level === "seq" ? `#pragma acc loop seq ${clauses}` : lanes(clauses),
    `    for (int w = 0; w < ${WORKERS}; w++) {`,
    `    ${inside}`,
    whole
      ? reduce(reduction, v, valueOf(reduction, `in[(g * ${WORKERS} + w) * ${LANES}]`))
      : use(c, v, `(g * ${WORKERS} + w)`, undefined),
    "    }",
    "  }",
  ].join("\n");
}

/** The code of one iteration `x`. `lanes`: the directive of a loop inside it, if there may be one. */
function use(c: Combination, v: string, x: string, lanes: ((own: string) => string) | undefined): string {
  const { clause, reduction, read } = c;
  const array = c.shape !== "scalar";
  const readOnly =
    (clause === "none" && c.where !== "inside") || (clause === "firstprivate" && reduction === "none");
  const start = ["*", "&", "&&"].includes(reduction) ? "1" : `(${x}) % 3`;
  const target = numberOf(c, v, "y");
  const one = numberOf(c, v, x);
  const init = readOnly ? "" : set(c, v, start);
  const value = valueOf(reduction, `in[${x} * ${LANES} + y]`);
  const reducing =
    reduction === "none" || readOnly
      ? []
      : [
          ...(lanes && !array ? [lanes(`reduction(${reduction}:${v})`)] : []),
          `    for (int y = 0; y < ${LANES}; y++) { ${reduce(reduction, target, value)} }`,
        ];
  const once = [`    out[${x}] = (long)${one} + out[${x}]${c.shape === "record" ? ` + ${v}.yes` : ""};`];
  const byLanes = [
    ...(lanes ? [lanes("")] : []),
    `    for (int y = 0; y < ${LANES}; y++) each[${x} * ${LANES} + y] = (long)${target} + in[${x} * ${LANES} + y];`,
  ];
  return [
    `    ${init}`,
    ...reducing,
    ...(read === "not" ? [] : once),
    ...(read === "by-lanes" ? byLanes : []),
  ].join("\n");
}
