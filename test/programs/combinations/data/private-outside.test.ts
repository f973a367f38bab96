/**
 * Variables that one loop of a region has by `private`, and that other code of the region reads or sets, too: before the
 * loop, behind it, in its extent, in another loop, in an inner loop with a private variable of its own. In plain C the
 * loop's body declares what is private to it.
 */
import type { Row } from "../covering.ts";
import { judged } from "../judged.ts";

const axes = {
  declared: ["parameter", "local", "static", "file scope", "in the region"],
  type: ["int", "double", "array", "structure"],
  construct: ["parallel", "kernels", "serial", "target"],
  level: ["gang", "vector", "both", "none"],
  outside: ["before", "behind", "extent", "another loop", "inner loop", "nowhere"],
} as const;

type Combination = Row<typeof axes>;

const isMeaningful = ({ declared, type, construct, outside }: Combination): boolean =>
  !(declared === "parameter" && type === "array") &&
  !(outside === "extent" && type !== "int") &&
  // OpenMP says that the extent must not name what is private to the loop.
  !(construct === "target" && outside === "extent");

const N = 13;

function loopDirective({ construct, level }: Combination, clause: string): string {
  if (construct === "target")
    return {
      gang: "omp distribute",
      vector: "omp parallel for",
      both: "omp distribute parallel for",
      none: "omp simd",
    }[level].concat(clause);
  const levels = { gang: " gang", vector: " vector", both: " gang vector", none: "" }[level];
  return `acc loop${construct === "serial" ? "" : levels}${construct === "kernels" ? " independent" : ""}${clause}`;
}

/** The construct; `distribute` needs `teams`, and each other loop the threads of one team. */
function regionDirective({ construct, level }: Combination): string {
  if (construct !== "target")
    return `acc ${construct}${construct === "parallel" ? " num_gangs(1)" : ""} copy(x)`;
  return level === "gang" || level === "both" ? "omp target teams num_teams(1) map(x)" : "omp target map(x)";
}

function functionOf(c: Combination, name: string): string {
  const { declared, type, outside } = c;
  const v = `${name}_v`;
  const element = { int: v, double: v, array: `${v}[1]`, structure: `${v}.b` }[type];
  const [members, value] = {
    int: ["int", "5"],
    double: ["double", "5"],
    array: ["int", "{4, 5, 6}"],
    structure: ["struct { int a; double b; }", "{4, 5}"],
  }[type] as [string, string];
  const variable = `${name}_t ${v}${type === "array" ? "[3]" : ""}`;
  const own = `${variable};`;
  const outer = `${variable} = ${value};`;
  const clause = ` private(${v})`;
  const set = `${element} = i * 2; x[i] += ${element};`;
  const inner =
    outside === "inner loop"
      ? `\n#pragma ${c.construct === "target" ? "omp simd" : "acc loop seq"}${clause}\n for (int k = 0; k < 3; k++) { OWN(${own}) ${element} = k; }`
      : "";
  const loop = (extent: string) => `#pragma ${loopDirective(c, clause)}
    for (int i = 0; i < ${extent}; i++) { OWN(${own}) ${set.replace("; x", `;${inner}\n x`)} }`;
  const body = {
    before: `x[${N}] = ${element};\n${loop(String(N))}`,
    behind: `${loop(String(N))}\nx[${N}] = ${element};`,
    extent: loop(`${v} + 6`),
    "another loop": `${loop(String(N))}\n#pragma ${loopDirective(c, "")}\nfor (int i = 0; i < ${N}; i++) x[i] += ${element};`,
    "inner loop": loop(String(N)),
    nowhere: loop(String(N)),
  }[outside];
  const isArgument = declared === "parameter";
  const head = isArgument ? `static int g_${name}(${variable}) {` : `static int g_${name}(void) {`;
  return `typedef ${members} ${name}_t;
${declared === "file scope" ? `${outer}\n` : ""}${head}
  int x[${N + 1}] = {0};
  ${declared === "local" ? outer : declared === "static" ? `static ${outer}` : ""}
#pragma ${regionDirective(c)}
  {
    ${declared === "in the region" ? outer : ""}
    ${body}
  }
  int h = 0;
  for (int k = 0; k < ${N + 1}; k++) h = h * 31 % 1000003 + x[k];
  return h;
}
static void ${name}(void) {
  ${isArgument ? outer : ""}
  printf("${name} %d\\n", g_${name}(${isArgument ? v : ""}));
}
`;
}

judged("variables that a loop has by private and others use", axes, isMeaningful, (row, name) =>
  functionOf(row, name).replace(
    /OWN\((.*?)\) /g,
    (_, text: string) => `\n#ifndef _OPENACC\n${text}\n#endif\n`,
  ),
);
