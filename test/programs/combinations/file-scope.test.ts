/** Variables at file scope that functions of a region change: all of them, and the region, have the same one. */
import type { Row } from "./covering.ts";
import { judged } from "./judged.ts";

const axes = {
  variable: ["pointer", "const pointer", "int", "unsigned char", "double", "float"],
  changed: ["in the function", "by what it calls", "in the region", "in both", "through its address"],
  named: ["declare create", "copy", "nothing"],
  construct: ["serial", "parallel num_gangs(1)", "kernels"],
  called: ["in a loop", "twice in an expression's parts", "in a condition"],
  linkage: ["static", ""],
} as const;

type Combination = Row<typeof axes>;

const COUNT = 8;

const isPointer = ({ variable }: Combination): boolean => variable.endsWith("pointer");

/** What a clause would bring back of a pointer that a region changes lies on the device. */
const isMeaningful = (c: Combination): boolean => !(isPointer(c) && c.named === "copy");

const typeOf = (c: Combination): string =>
  isPointer(c) ? `${c.variable === "pointer" ? "" : "const "}int *` : `${c.variable} `;

function functionOf(c: Combination, name: string): string {
  const { changed, named, construct, called, linkage } = c;
  const v = `${name}_v`;
  const value = isPointer(c) ? `*${v}` : v;
  const step = isPointer(c) ? `${v}++;` : `${v} = ${v} + 3;`;
  const inner =
    changed === "by what it calls"
      ? `static int ${name}_step(void) { ${step} return 0; }\n`
      : changed === "through its address"
        ? `static int ${name}_step(${typeOf(c)}*of) { ${isPointer(c) ? "(*of)++;" : "*of = *of + 3;"} return 0; }\n`
        : "";
  const steps = {
    "in the function": step,
    "by what it calls": `${name}_step();`,
    "in the region": "",
    "in both": step,
    "through its address": `${name}_step(&${v});`,
  }[changed];
  const inRegion = changed === "in the region" || changed === "in both" ? step : "";
  const calls = {
    "in a loop": `out[k] = ${name}_next(k);`,
    "twice in an expression's parts": `int first = ${name}_next(k); out[k] = first * 2 + ${name}_next(1);`,
    "in a condition": `if (${name}_next(k) % 2) out[k] = 1; else out[k] = ${name}_next(2);`,
  }[called];
  const clause = named === "copy" ? ` copy(${v})` : "";
  return `${linkage} ${typeOf(c)}${v};
${named === "declare create" ? `#pragma acc declare create(${v})\n` : ""}${inner}static int ${name}_next(int k) {
  int found = (int)${value} + k;
  ${steps}
  return found;
}
static void ${name}(void) {
  int table[64], out[${COUNT + 1}];
  for (int k = 0; k < 64; k++) table[k] = k * 7 % 23;
  for (int k = 0; k <= ${COUNT}; k++) out[k] = -1;
#pragma acc ${construct} copyin(table) copy(out)${clause}
  {
    ${v} = ${isPointer(c) ? "table + 2" : "5"};
#pragma acc loop seq
    for (int k = 0; k < ${COUNT}; k++) {
      ${calls}
      ${inRegion}
    }
    out[${COUNT}] = (int)${value};
  }
  unsigned long h = 7;
  for (int k = 0; k <= ${COUNT}; k++) h = h * 31 + (unsigned long)out[k];
  printf("${name} %lu\\n", h);
}
`;
}

judged("variables at file scope that functions change", axes, isMeaningful, functionOf);
