/**
 * Pointers whose value a region gets, as it gets that of a number: null, to memory that the device does not have, to an
 * array that it has and to the middle of it. Regions compare and move them, and let them lead elsewhere; they do not
 * follow them, which no standard defines.
 */
import type { Row } from "../covering.ts";
import { judged } from "../judged.ts";

const axes = {
  construct: [
    "acc parallel loop firstprivate(p, q)",
    "acc parallel num_gangs(3) firstprivate(p, q)",
    "acc serial firstprivate(p, q)",
    "omp target firstprivate(p, q)",
    "omp target defaultmap(firstprivate: pointer)",
    "omp target teams distribute parallel for firstprivate(p, q)",
    "omp target teams num_teams(3) defaultmap(firstprivate)",
  ],
  leads: ["null", "the host's", "an array", "its middle"],
  use: ["null or not", "equal", "apart", "moved", "elsewhere", "passed on", "of a condition"],
  to: ["int", "double", "struct pair", "const char", "void", "int *"],
  declared: ["in the function", "static", "parameter"],
} as const;

type Combination = Row<typeof axes>;

const isMeaningful = ({ construct, to, use, leads, declared }: Combination): boolean =>
  // Of void there are no elements; of null there are none either.
  !((to === "void" || leads === "null") && ["apart", "moved"].includes(use)) &&
  // What the clause does not name is mapped as a variable at file scope is.
  !(declared === "static" && construct.includes("defaultmap"));

const N = 6;

const isLoop = (construct: string): boolean => /loop|parallel for/.test(construct);

/** What the region does with the pointers; in loops each iteration moves a copy. */
function codeOf({ construct, use }: Combination, name: string): string {
  const [copy, own] = isLoop(construct) ? [`${name}_to *o = p; `, "o"] : ["", "p"];
  return {
    "null or not": "r[i] = (p != 0) * 2 + !q;",
    equal: "r[i] = (p == q) * 2 + (p != q);",
    apart: "r[i] = (int)(q - p);",
    moved: `${copy}${own}++; ${own} += i % 2; r[i] = (int)(q - ${own});`,
    elsewhere: `${copy}${own} = (void *)&c[i % 3]; r[i] = *(const int *)${own} + (q == 0);`,
    "passed on": `r[i] = ${name}_is(p, q);`,
    "of a condition": "if (p) r[i] = 5 + i; else r[i] = q ? 7 : 9 + i;",
  }[use];
}

function regionOf(c: Combination, name: string): string {
  const { construct, declared } = c;
  // A parameter is a pointer, whose clause needs a section.
  const [r, b] = declared === "parameter" ? [`r[0:${N}]`, "c[0:3]"] : ["r", "c"];
  const data = construct.startsWith("acc") ? `copyout(${r}) copyin(${b})` : `map(from: ${r}) map(to: ${b})`;
  const code = codeOf(c, name);
  const block = `{ int i = 4; ${code} for (int k = 0; k < ${N}; k++) if (k != i) r[k] = k; }`;
  return `#pragma ${construct} ${data}
  ${isLoop(construct) ? `for (int i = 0; i < ${N}; i++) { ${code} }` : block}`;
}

function functionOf(c: Combination, name: string): string {
  const { construct, leads, to, declared } = c;
  const [p, q] = {
    null: ["0", "0"],
    "the host's": ["h + 1", "h + 3"],
    "an array": ["a", "a + 2"],
    "its middle": ["a + 2", "a + 4"],
  }[leads] as [string, string];
  const region = regionOf(c, name);
  const inside = {
    "in the function": `${name}_to *p = ${p}, *q = ${q};\n${region}`,
    static: `static ${name}_to *p, *q;\n  p = ${p}, q = ${q};\n${region}`,
    parameter: `with_${name}(${p}, ${q}, r, c);`,
  }[declared];
  const callee = `static inline void with_${name}(${name}_to *p, ${name}_to *q, int *r, const int *c) {\n${region}\n}\n`;
  return `#ifndef PAIR
#define PAIR
struct pair { int one; double other; };
#endif
typedef ${to} ${name}_to;
#pragma acc routine seq
#pragma omp declare target
static int ${name}_is(const void *one, const void *other) { return (one == other) * 4 + (one != 0); }
#pragma omp end declare target
${declared === "parameter" ? callee : ""}static void ${name}(void) {
  static ${to === "void" ? "int" : to.replace("const ", "")} a[8], h[4];
  int r[${N}] = {0}, c[3] = {11, 22, 33};
  (void)a, (void)h, (void)c;
#pragma ${construct.startsWith("acc") ? "acc data copyin(a)" : "omp target data map(to: a)"}
  {
  ${inside}
  }
  int s = 0;
  for (int i = 0; i < ${N}; i++) s = s * 31 + r[i];
  printf("${name} %d\\n", s);
}
`;
}

judged("pointers that regions get by value", axes, isMeaningful, functionOf);
