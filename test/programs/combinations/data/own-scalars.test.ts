/**
 * Scalars that iterations set before they read them, and that the region has one of: at file scope, static, or on the
 * device with the arrays of a data region. Iterations must not take each other's values.
 */
import type { Row } from "../covering.ts";
import { judged } from "../judged.ts";

const axes = {
  place: ["file scope", "static", "create", "copyin", "declare create", "create of the region"],
  use: ["counter", "temporary", "both", "sum", "under a condition"],
  loops: ["one", "gang and vector", "gang, vector inside", "collapse"],
  type: ["int", "unsigned char", "double"],
  construct: ["parallel", "kernels", "target"],
} as const;

type Combination = Row<typeof axes>;

const N = 11;

/** In `kernels` a loop with statements around the inner one, and without levels, is arc's to judge. */
const isMeaningful = ({ place, construct, use, type }: Combination): boolean =>
  !(construct === "target" && place.startsWith("declare")) && !(use === "counter" && type === "double");

function directives({ loops, construct, place }: Combination, name: string): readonly [string, string] {
  const own =
    place === "create of the region"
      ? ` ${construct === "target" ? "map(alloc: " : "create("}${name}_t)`
      : "";
  if (construct === "target") {
    const outer = loops === "collapse" ? "parallel for collapse(2)" : loops === "one" ? "parallel for" : "";
    return [`omp target teams distribute ${outer}${own}`, loops.startsWith("gang") ? "omp parallel for" : ""];
  }
  const first = {
    one: "",
    "gang and vector": " gang",
    "gang, vector inside": " gang",
    collapse: " collapse(2)",
  }[loops];
  const independent = construct === "kernels" ? " independent" : "";
  return [
    `acc ${construct} loop${first}${independent}${own}`,
    loops.startsWith("gang") ? `acc loop vector${independent}` : "",
  ];
}

function functionOf(c: Combination, name: string): string {
  const { place, use, loops, type } = c;
  const t = `${name}_t`;
  const [outer, inner] = directives(c, name);
  const atFile = place === "file scope" || place === "declare create";
  const where = {
    counter: `for (${t} = 0; ${t} < 5; ${t}++) s += a[i] * ${t} + b[j];`,
    temporary: `${t} = a[i] + b[j]; s += ${t} * 3;`,
    both: `for (${t} = 0; ${t} < 3; ${t}++) s += a[j]; ${t} = a[i]; s += ${t};`,
    sum: `${t} = 0; for (int k = 0; k < 4; k++) ${t} += k + a[i] % 5; s += ${t};`,
    "under a condition": `${t} = b[j]; if (a[i] > 6) ${t} = 2; s += ${t} * (j + 1);`,
  }[use];
  const before = loops === "gang and vector" ? `${t} = a[i]; x[i * ${N + 1}] = ${t};` : "";
  const data = place === "create" || place === "copyin" ? `#pragma acc data ${place}(${t})\n` : "";
  return `${atFile ? `${type} ${t};\n` : ""}${place === "declare create" ? `#pragma acc declare create(${t})\n` : ""}
static void ${name}(void) {
  int a[${N}], b[${N}], x[${N * (N + 1)}];
  ${atFile ? "" : `${place === "static" ? "static " : ""}${type} ${t};`}
  for (int k = 0; k < ${N}; k++) a[k] = k * 5 % 13, b[k] = k * 3 % 7;
  for (int k = 0; k < ${N * (N + 1)}; k++) x[k] = -1;
${data}  {
#pragma ${outer}
    for (int i = 0; i < ${N}; i++) {
      ${loops === "collapse" ? "" : before}
${inner === "" ? "" : `#pragma ${inner}\n`}      for (int j = 0; j < ${N}; j++) {
        int s = 0;
        ${where}
        x[i * ${N + 1} + j + 1] = s;
      }
    }
  }
  long h = 0;
  for (int k = 0; k < ${N * (N + 1)}; k++) h = (h * 31 + x[k]) % 1000003;
  printf("${name} %ld\\n", h);
}
`;
}

judged("scalars that iterations set first", axes, isMeaningful, functionOf);
