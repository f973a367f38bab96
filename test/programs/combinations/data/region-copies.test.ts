/**
 * Scalars that a region changes and that no clause names: each gang has a copy, which ends with the region, wherever the
 * variable is declared. In plain C the region's code puts the old value back.
 */
import type { Row } from "../covering.ts";
import { judged } from "../judged.ts";

const axes = {
  declared: ["parameter", "local", "static", "file scope", "file scope, static"],
  type: ["int", "unsigned char", "double"],
  construct: ["parallel num_gangs(4)", "parallel num_gangs(1)", "serial", "target teams num_teams(4)"],
  changed: ["compound", "in a condition", "in a loop", "through its address", "by a function's result"],
  used: ["gangs", "lanes", "gangs and lanes", "argument"],
  behind: ["the host", "another region", "a function", "another region's change"],
} as const;

type Combination = Row<typeof axes>;

const N = 11;

/** `address of v`: a double has no `++` of its own in a condition here. */
const isMeaningful = ({ type, changed }: Combination): boolean =>
  !(type === "double" && changed === "in a condition");

function loopDirective({ construct, used }: Combination): string {
  if (construct === "serial") return "acc loop";
  if (construct.startsWith("target"))
    return used === "lanes" ? "omp parallel for" : "omp distribute parallel for";
  const levels = { gangs: "gang", lanes: "vector", "gangs and lanes": "gang vector", argument: "gang" };
  return `acc loop ${levels[used]}`;
}

function functionOf(c: Combination, name: string): string {
  const { declared, type, construct, changed, used, behind } = c;
  const v = `${name}_v`;
  const pragma = (construct.startsWith("target") ? "omp " : "acc ") + construct;
  const change = {
    compound: `${v} += 3;`,
    "in a condition": `if (${v}++ > 2) ${v} += 4;`,
    "in a loop": `for (int k = 0; k < 4; k++) ${v} = ${v} + k;`,
    "through its address": `${type} *at = &${v}; *at += 2;`,
    "by a function's result": `${v} = ${name}_next(${v});`,
  }[changed];
  const value = used === "argument" ? `${name}_next(${v})` : v;
  // Gangs of a loop over lanes all write the same.
  const gangs = used === "lanes" && construct.endsWith("(4)") ? pragma.replace("(4)", "(1)") : pragma;
  const region = (
    array: string,
  ) => `#pragma ${gangs}${construct.startsWith("target") ? ` map(${array})` : ` copy(${array})`}
  {
    OWN(${type} saved = ${v};)
    ${change}
#pragma ${loopDirective(c)}
    for (int i = 0; i < ${N}; i++) ${array}[i] += (int)${value} * (i + 1);
    OWN(${v} = saved;)
  }`;
  const later = {
    "the host": `y[0] = (int)${v};`,
    "another region": `#pragma acc serial copy(y)\n  y[1] = (int)${v};`,
    "a function": declared.startsWith("file")
      ? `y[2] = (int)${name}_read();`
      : `y[2] = (int)${name}_next(${v});`,
    "another region's change": region("y"),
  }[behind];
  const outer = `${type} ${v} = 5;`;
  const isArgument = declared === "parameter";
  return `${declared.startsWith("file") ? `${declared.endsWith("static") ? "static " : ""}${outer}\n` : ""}
static ${type} ${name}_next(${type} a) { return a * 2 + 1; }
${declared.startsWith("file") ? `static ${type} ${name}_read(void) { return ${v}; }\n` : ""}
static int g_${name}(${isArgument ? `${type} ${v}` : "void"}) {
  int x[${N}] = {0}, y[${N}] = {0};
  ${declared === "local" ? outer : declared === "static" ? `static ${outer}` : ""}
${region("x")}
${later}
  int h = (int)${v};
  for (int k = 0; k < ${N}; k++) h = (h * 31 % 1000003 + x[k] * 7 + y[k]) % 1000003;
  return h;
}
static void ${name}(void) { printf("${name} %d\\n", g_${name}(${isArgument ? "5" : ""})); }
`;
}

judged("scalars that a region changes and no clause names", axes, isMeaningful, (row, name) =>
  functionOf(row, name).replace(
    /OWN\((.*?;)\)/g,
    (_, text: string) => `\n#ifndef _OPENACC\n${text}\n#endif\n`,
  ),
);
