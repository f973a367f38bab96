/**
 * Functions in which a region has an array whose size is computed at run time: of one dimension or two, in several types,
 * per gang, worker or lane, from a clause or a declaration, and accessed by subscripts, by pointers to its rows or by a
 * function. Values are small integers.
 */
import type { Row } from "../covering.ts";

export const axes = {
  dims: ["1", "2"],
  type: ["char", "int", "float", "double", "pair"],
  level: ["gang", "worker", "vector"],
  clause: ["private", "firstprivate", "local"],
  extent: ["parameter", "expression", "global", "constant", "region"],
  use: ["subscripts", "pointer", "row pointer", "size", "function", "typedef"],
  model: ["acc", "omp"],
} as const;

type Combination = Row<typeof axes>;

export function isMeaningful({ dims, level, clause, extent, use, model }: Combination): boolean {
  // In OpenACC only compute constructs take the clause; in OpenMP loops do too.
  if (clause === "firstprivate" && level !== "gang" && !(model === "omp" && level === "vector")) return false;
  if (model === "omp" && level === "worker") return false;
  // A clause can only name variables declared outside the region.
  if (clause !== "local" && (extent === "region" || use === "typedef")) return false;
  return dims === "2" || use !== "row pointer";
}

const GANGS = 4;
const WORKERS = 3;
const LANES = 20;

const typeOf = ({ type }: Combination, name: string) =>
  type === "char" ? "signed char" : type === "pair" ? `struct ${name}_pair` : type;

/** The function text for a combination, named `name`. */
export function functionOf(c: Combination, name: string): string {
  const type = typeOf(c, name);
  const [rows, columns] = extentsOf(c, name);
  const two = c.dims === "2";
  const sizes = two ? `[${rows}][${columns}]` : `[${rows}]`;
  const outside = c.clause === "local" ? "" : `  ${type} v${sizes};\n  ${filled(c, "v", "3")}\n`;
  return `${c.type === "pair" ? `struct ${name}_pair { short a; int b; };\n` : ""}${
    c.extent === "global" ? `static int ${name}_n = 5;\n` : ""
  }${c.use === "function" ? callee(c, name, type) : ""}static __attribute__((noinline)) void ${name}_of(int n, int m) {
  int in[${GANGS * WORKERS * LANES}]; long out[${GANGS * WORKERS * LANES}];
  for (int k = 0; k < ${GANGS * WORKERS * LANES}; k++) { in[k] = k * 7 % 29; out[k] = k; }
${outside}${region(c, name, type, sizes)}
  unsigned long h = 7;
  for (int k = 0; k < ${GANGS * WORKERS * LANES}; k++) h = h * 31 + (unsigned long)out[k];
  printf("${name} %lu\\n", h);
}
static void ${name}(void) { ${name}_of(5, 3); }
`;
}

function extentsOf({ extent }: Combination, name: string): readonly [string, string] {
  if (extent === "expression") return ["(n + 7) / (m - 1) - 1", "2 * m - n + (int)sizeof(short)"];
  if (extent === "global") return [`${name}_n`, "m"];
  if (extent === "constant") return ["n", "3"];
  return extent === "region" ? ["rows", "(columns + 1)"] : ["n", "m"];
}

const element = (c: Combination, of: string) => `${of}${c.type === "pair" ? ".b" : ""}`;

/** There are 5 rows and 3 columns, however they are computed. */
function filled(c: Combination, v: string, value: string): string {
  if (c.dims === "1") return `for (int k = 0; k < 5; k++) ${element(c, `${v}[k]`)} = k + ${value};`;
  return `for (int k = 0; k < 15; k++) ${element(c, `${v}[k / 3][k % 3]`)} = k + ${value};`;
}

function callee(c: Combination, name: string, type: string): string {
  const acc = c.model === "acc";
  const parameters =
    c.dims === "2" ? `int rows, int columns, ${type} w[rows][columns]` : `int rows, ${type} w[]`;
  const one = c.dims === "2" ? "w[k][(k + at) % columns]" : "w[k]";
  const text = `static long ${name}_sum(${parameters}, int at) {
  long s = 0;
  for (int k = 0; k < rows; k++) s += ${element(c, one)} * (k + at);
  return s;
}
`;
  return acc
    ? `#pragma acc routine seq\n${text}`
    : `#pragma omp declare target\n${text}#pragma omp end declare target\n`;
}

/** A value computed from the whole array, varying with `at`. */
function read(c: Combination, name: string, type: string, at: string): string {
  const two = c.dims === "2";
  const one = (of: string) => element(c, of);
  switch (c.use) {
    case "pointer": {
      const first = two ? "&v[1][0]" : "v + 1";
      return `${type} *p = ${first}; p += ${at} % 2; s = ${one("p[-1]")} + 3 * ${one("(*p)")} + ${one("p[1]")} + (p - ${two ? "v[0]" : "v"});`;
    }
    case "row pointer": {
      const [, columns] = extentsOf(c, name);
      return `${type} (*p)[${columns}] = v + 1; p++; ${type} (*q)[${columns}] = &v[${at} % 5];
      s = ${one(`p[-1][${at} % 3]`)} + 3 * ${one("(*p)[1]")} + (p - v) * 7 + ${one("(*q)[2]")} + ${one("q[0][1]")} + (q >= p) + (long)(sizeof *p / sizeof **p);`;
    }
    case "size":
      return two
        ? `s = (long)(sizeof v / sizeof v[0]) * 100 + (long)(sizeof v[${at} % 5] / sizeof(${type})) + ${one(`v[${at} % 5][1]`)};`
        : `s = (long)(sizeof v / sizeof *v) * 100 + ${one(`v[${at} % 5]`)};`;
    case "function":
      return two
        ? `s = ${name}_sum(5, 3, v, ${at}) + ${name}_sum(2, 3, v + 2, ${at});`
        : `s = ${name}_sum(5, v, ${at});`;
    default:
      return two
        ? `s = ${one(`v[${at} % 5][${at} % 3]`)} * 2 + ${one("v[4][2]")} + ${one(`(*v[${at} % 4])`)};`
        : `s = ${one(`v[${at} % 5]`)} * 2 + ${one("v[4]")} + ${one("(*v)")};`;
  }
}

function region(c: Combination, name: string, type: string, sizes: string): string {
  const { clause, level } = c;
  const acc = c.model === "acc";
  const data = acc ? "copyin(in) copy(out)" : "map(to: in) map(tofrom: out)";
  const own = clause === "local" ? "" : `${clause}(v)`;
  const outer = (clauses: string) =>
    acc
      ? `#pragma acc parallel loop gang ${data} ${clauses}`
      : `#pragma omp target teams distribute ${data} ${clauses}`;
  const lanes = (clauses = "") =>
    acc ? `#pragma acc loop vector ${clauses}` : `#pragma omp parallel for ${clauses}`;
  const declared =
    clause === "local"
      ? `${c.extent === "region" ? "const int rows = n; int columns = m - 1;\n    " : ""}${
          c.use === "typedef" ? `typedef ${type} kind${sizes}; kind v;` : `${type} v${sizes};`
        }`
      : "";
  const at = `(g * ${WORKERS} + w)`;
  if (level === "gang")
    return `${outer(own)}
  for (int g = 0; g < ${GANGS * WORKERS}; g++) {
    const int w = g % ${WORKERS};
    ${declared}
    ${byLanes(c, name, type, lanes, "g")}
    (void)w;
  }`;
  if (level === "worker")
    return `${outer("")}
  for (int g = 0; g < ${GANGS}; g++) {
#pragma acc loop worker ${own}
    for (int w = 0; w < ${WORKERS}; w++) {
    ${declared}
    ${byLanes(c, name, type, lanes, at)}
    }
  }`;
  return `${outer("")}
  for (int g = 0; g < ${GANGS}; g++) {
${lanes(own)}
    for (int w = 0; w < ${WORKERS}; w++) {
    ${declared}
    ${clause === "firstprivate" ? "" : filled(c, "v", `in[${at}]`)}
    for (int y = 0; y < ${LANES}; y++) {
      long s;
      ${changed(c, "y")}
      ${read(c, name, type, "y")}
      out[${at} * ${LANES} + y] = s;
    }
    }
  }`;
}

/** Lanes fill the array of their gang or worker together, and read elements that other lanes filled. */
function byLanes(
  c: Combination,
  name: string,
  type: string,
  lanes: (own?: string) => string,
  x: string,
): string {
  const two = c.dims === "2";
  const fill =
    c.clause === "firstprivate"
      ? ""
      : `${lanes()}
    for (int k = 0; k < ${two ? 15 : 5}; k++) ${element(c, two ? "v[k / 3][k % 3]" : "v[k]")} = k + in[${x}];`;
  return `${fill}
    ${changed(c, x)}
${lanes()}
    for (int y = 0; y < ${LANES}; y++) {
      long s;
      ${read(c, name, type, "y")}
      out[${x} * ${LANES} + y] = s;
    }`;
}

/** Changes one element; in a gang's firstprivate array by a value that is the same for its other iterations. */
function changed(c: Combination, at: string): string {
  const one = element(c, c.dims === "2" ? `v[${at} % 5][2]` : `v[${at} % 5]`);
  const value = c.dims === "2" ? `(${at}) % 5 * 3 + 5` : `(${at}) % 5 + 3`;
  return c.clause === "firstprivate" ? `${one} = ${value};` : `${one} += ${at};`;
}
