/**
 * Functions with loops that regions call: told by `routine` how they are shared, or, as OpenACC 3.3 has it (section 2.15.1),
 * by their loops alone.
 */
import type { Row } from "./covering.ts";
import { judged } from "./judged.ts";

const axes = {
  told: ["nothing", "seq", "vector", "worker"],
  level: ["", "seq", "vector", "worker", "worker vector"],
  work: ["fill", "sum", "both"],
  through: ["itself", "another", "another told"],
  called: ["in gangs", "in lanes", "once"],
  region: ["parallel", "kernels"],
  type: ["int", "long", "double", "short"],
} as const;

type Combination = Row<typeof axes>;

const ROWS = 12;
const COUNT = 70;

/** What a function has to be called by: one lane, or those of a gang. */
const needs = ({ level }: Combination) => (/^(seq)?$/.test(level) ? 0 : level === "vector" ? 1 : 2);
const levels = ["seq", "vector", "worker"] as const;

function isMeaningful(c: Combination): boolean {
  const { told, through, called, region } = c;
  const level = told === "nothing" ? needs(c) : levels.indexOf(told);
  if (level < needs(c)) return false;
  if (through === "another told" && told === "nothing") return false;
  // Lanes call one by one, and a loop that gangs share is that of `kernels`.
  if (called !== "in gangs" && level > 0) return called === "once" && region === "parallel";
  return called !== "once" || region === "parallel";
}

function functionOf(c: Combination, name: string): string {
  const { told, level, work, through, called, region, type } = c;
  const routine = told === "nothing" ? "" : `#pragma acc routine ${told}\n`;
  const [fills, sums] = [work !== "sum", work !== "fill"];
  const inner = `${routine}static ${type} ${name}_of(${type} *row, const int *in, int by) {
  ${type} s = by;
  ${fills ? `#pragma acc loop ${level}\n  for (int k = 0; k < ${COUNT}; k++) row[k] = in[k] * by + k % 3;` : ""}
  ${sums ? `#pragma acc loop ${level} reduction(+:s)\n  for (int k = 0; k < ${COUNT}; k++) s += in[k] % 5;` : ""}
  return s;
}
`;
  const outer =
    through === "itself"
      ? ""
      : `${through === "another told" ? routine : ""}static ${type} ${name}_by(${type} *row, const int *in, int by) {
  return ${name}_of(row, in, by + 1);
}
`;
  const f = through === "itself" ? `${name}_of` : `${name}_by`;
  const gangs = called === "in lanes" ? "gang vector" : "gang";
  const data = "copyin(in) copy(out, sums)";
  const code = `sums[g] += ${f}(&out[g * ${COUNT}], in, g);`;
  const whole =
    called === "once"
      ? `#pragma acc parallel num_gangs(1) ${data}\n  { int g = 3; ${code} }`
      : `#pragma acc ${region} loop ${gangs} ${data}\n  for (int g = 0; g < ${ROWS}; g++) { ${code} }`;
  return `${inner}${outer}static void ${name}(void) {
  int in[${COUNT}]; ${type} out[${ROWS * COUNT}], sums[${ROWS}];
  for (int k = 0; k < ${COUNT}; k++) in[k] = k * 7 % 23;
  for (int k = 0; k < ${ROWS * COUNT}; k++) out[k] = k % 11;
  for (int k = 0; k < ${ROWS}; k++) sums[k] = k;
  ${whole}
  unsigned long h = 7;
  for (int k = 0; k < ${ROWS * COUNT}; k++) h = h * 31 + (unsigned long)(long)out[k];
  for (int k = 0; k < ${ROWS}; k++) h = h * 31 + (unsigned long)(long)sums[k];
  printf("${name} %lu\\n", h);
}
`;
}

judged("loops in functions that regions call", axes, isMeaningful, functionOf);
