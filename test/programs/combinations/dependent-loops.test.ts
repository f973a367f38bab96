/**
 * Loops of one region that need each other's results. Gangs do not wait for each other, so these loops must become stages
 * of the launch; a program for a host of many threads finds it when they do not.
 */
import type { Row } from "./covering.ts";
import { judged } from "./judged.ts";

const axes = {
  construct: ["parallel", "num_gangs", "kernels", "teams"],
  around: ["nothing", "steps", "steps of steps", "until", "as many as stored"],
  first: ["gang", "gang vector", "inner", "open", "code", "value"],
  second: ["gang", "gang vector", "inner", "open"],
  needs: [
    "same",
    "next",
    "reversed",
    "element",
    "overwritten",
    "step before",
    "sum",
    "by a function",
    "own copy",
  ],
  memory: ["array", "pointer", "rows", "pointer set inside"],
} as const;

type Combination = Row<typeof axes>;

const N = 210;

const isMeaningful = ({ construct, around, first, needs, memory }: Combination): boolean =>
  // Teams hold nothing but loops; what gangs of a given number do beside loops, each of them does.
  !(construct === "teams" && (needs === "own copy" || around !== "nothing" || first === "code")) &&
  !(construct === "teams" && memory === "pointer set inside") &&
  // Elsewhere gangs know the sum behind the region only, and arc says so.
  !(needs === "sum" && construct !== "kernels") &&
  !(construct === "kernels" && needs === "own copy") &&
  !((first === "code" || first === "value") && needs === "sum") &&
  !(first === "value" && construct === "teams") &&
  !(around === "nothing" && needs === "step before");

function directiveOf(construct: Combination["construct"], levels: Combination["first"]): string {
  if (construct === "teams") return levels === "gang" ? "omp distribute" : "omp distribute parallel for";
  const independent = construct === "kernels" ? " independent" : "";
  return `acc loop${levels === "open" ? "" : levels === "inner" ? " gang" : ` ${levels}`}${independent}`;
}

/** A loop over all elements, whose body is given for element `i`. */
function loopOver(c: Combination, levels: Combination["first"], body: string, more = ""): string {
  const { construct } = c;
  if (levels === "value")
    return `int w = a[${N - 1}] + t;\n  ${loopOver(c, "gang", body.replace("a[i]", "(a[i] + w % 3)"), more)}`;
  if (levels === "code") return `{ int i = 5; ${body} }`;
  const directive = `#pragma ${directiveOf(construct, levels)}${more}`;
  if (levels !== "inner") return `${directive}\n  for (int i = 0; i < ${N}; i++) { ${body} }`;
  const vector = construct === "teams" ? "omp simd" : "acc loop vector";
  return `${directive}
  for (int r = 0; r < ${N / 7}; r++) {
#pragma ${vector}
    for (int q = 0; q < 7; q++) { int i = r * 7 + q; ${body} }
  }`;
}

function functionOf(c: Combination, name: string): string {
  const { construct, around, first, second, needs, memory } = c;
  const b = (at: string) => (memory === "rows" ? `b[t & 1][${at}]` : `b[${at}]`);
  const sum = needs === "sum" ? " reduction(+:s)" : "";
  const one = {
    same: `${b("i")} = a[i] + t;`,
    next: `${b("i")} = a[i] + t;`,
    reversed: `${b("i")} = a[i] + t;`,
    element: `${b("i")} = a[i] + t;`,
    overwritten: `${b("i")} = a[i] + t;`,
    "step before": `${b("i")} = a[i] + c[(i + 1) % ${N}];`,
    sum: `s += a[i] % 5;`,
    "by a function": `${b("i")} = a[i] + t;`,
    "own copy": `${b("i")} = a[i] + d[t & 1];`,
  }[needs];
  const other = {
    same: `c[i] += ${b("i")};`,
    next: `c[i] += ${b(`(i + 1) % ${N}`)};`,
    reversed: `c[i] += ${b(`${N - 1} - i`)};`,
    element: `c[i] += ${b("5")} + a[i];`,
    overwritten: `a[${N - 1} - i] = c[i] + i + t;`,
    "step before": `c[i] = ${b("i")} % 1000;`,
    sum: `c[i] += s;`,
    "own copy": `c[i] += ${b(`(i + 9) % ${N}`)};`,
    "by a function": `c[i] += ${name}_at(${memory === "rows" ? "b[t & 1]" : "b"}, ${N - 1} - i);`,
  }[needs];
  const between = needs === "own copy" ? "  d[t & 1] += 3;\n" : "";
  const loops = `${sum ? "  s = t;\n" : ""}  ${loopOver(c, first, one, sum)}\n${between}  ${loopOver(c, second, other)}`;
  const steps = {
    nothing: `  const int t = 1;\n${loops}`,
    steps: `  for (int t = 0; t < 4; t++) {\n${loops}\n  }`,
    "steps of steps": `  for (int u = 0; u < 2; u++)\n  for (int t = 0; t < 3; t++) {\n${loops}\n  }`,
    until: `  int t = 0;\n  while (t < 5 && a[t] < 1000) {\n${loops}\n  t++;\n  }`,
    "as many as stored": `${loopOver(c, "gang", "m[i] = 3 + i % 2;")}\n  for (int t = 0; t < m[${N - 2}]; t++) {\n${loops}\n  }`,
  }[around];
  const sections =
    memory === "pointer"
      ? `a[0:${N}], b[0:${N}], c[0:${N}]`
      : `a, ${memory === "pointer set inside" ? "to" : "b"}, c`;
  const counts = around === "as many as stored" ? ", m" : "";
  const own = needs === "own copy" ? " firstprivate(d)" : "";
  const start = {
    parallel: `acc parallel copy(${sections}${counts}${sum ? ", s" : ""})${own}`,
    num_gangs: `acc parallel num_gangs(7) copy(${sections}${counts}${sum ? ", s" : ""})${own}`,
    kernels: `acc kernels copy(${sections}${counts}${sum ? ", s" : ""})${own}`,
    teams: `omp target teams map(tofrom: ${sections})`,
  }[construct];
  const declared = {
    array: `static int a[${N}], b[${N}], c[${N}];`,
    pointer: `int *a = malloc(${N} * sizeof *a), *b = malloc(${N} * sizeof *b), *c = malloc(${N} * sizeof *c);`,
    rows: `static int a[${N}], b[2][${N}], c[${N}];`,
    "pointer set inside": `static int a[${N}], to[${N}], c[${N}]; int *b;`,
  }[memory];
  const clear =
    { rows: "b[0][k] = b[1][k] = 0;", "pointer set inside": "to[k] = 0;" }[memory as string] ?? "b[k] = 0;";
  const set = memory === "pointer set inside" ? "  b = to;\n" : "";
  return `#pragma acc routine seq
static int ${name}_at(const int *b, int i) { return b[i] % 100; }
static void ${name}(void) {
  ${declared}
  static int m[${N}];
  int s = 0, d[2] = {1, 2};
  for (int k = 0; k < ${N}; k++) { a[k] = k * 7 % 61; c[k] = 0; ${clear} }
${construct === "teams" && around === "nothing" ? "  const int t = 1;\n" : ""}#pragma ${start}
  {
${set}${construct === "teams" ? loops : steps}
  }
  unsigned h = s;
  for (int k = 0; k < ${N}; k++) h = h * 31 + a[k] + c[k] * 7;
  printf("${name} %u\\n", h);
}
`;
}

judged("loops of a region that need each other's results", axes, isMeaningful, functionOf, [
  "host",
  "oclgrind",
]);
