/**
 * Loops that change each gang's copy of a variable, and whose directive may leave the levels open: every gang runs all
 * iterations, and a later loop shared by gangs sees the complete result in each.
 */
import type { Row } from "./covering.ts";
import { judged } from "./judged.ts";

const axes = {
  where: ["declared", "private", "firstprivate"],
  memory: ["array", "pointer", "part of pointer"],
  changes: ["sum", "elements", "both"],
  around: ["nothing", "if", "for", "switch"],
  level: ["", "vector", "worker"],
  read: ["behind", "not"],
  besides: ["nothing", "stores to what gangs share"],
  type: ["short", "int", "unsigned", "long", "float", "double"],
} as const;

type Combination = Row<typeof axes>;

const COUNT = 300;

const opens: Readonly<Record<Combination["around"], string>> = {
  nothing: "{",
  if: "if (in[3] > 0) {",
  for: "for (int t = 0; t < 2; t++) {",
  switch: "switch (in[0]) { case 0: {",
};

function functionOf(
  { where, memory, changes, around, level, read, besides, type }: Combination,
  name: string,
): string {
  const [from, section] = (
    {
      array: [0, "w"],
      pointer: [0, `w[0:${COUNT}]`],
      "part of pointer": [-5, `w[5:${COUNT}]`],
    } as const
  )[memory];
  const declared =
    memory === "array" ? `${type} v, w[${COUNT}];` : `${type} v, memory[${COUNT}], *w = memory + ${from};`;
  const w = (at: string) => (from === 0 ? `w[${at}]` : `w[${at} + ${-from}]`);
  const set = `v = 3; for (int k = 0; k < ${COUNT}; k++) ${w("k")} = 1;`;
  const outside = where === "declared" ? "" : `${declared} ${where === "firstprivate" ? set : ""}`;
  const [sums, fills] = [changes !== "elements", changes !== "sum"];
  return `static void ${name}(void) {
  int in[${COUNT}]; long out[${COUNT}], twice[${COUNT}];
  for (int k = 0; k < ${COUNT}; k++) { in[k] = k * 7 % 61; out[k] = twice[k] = k; }
  ${outside}
#pragma acc parallel num_gangs(5) copyin(in) copy(out, twice) ${where === "declared" ? "" : `${where}(v, ${section})`}
  {
    ${where === "declared" ? declared : ""} ${where === "firstprivate" ? "" : set}
    ${opens[around]}
#pragma acc loop ${level} ${sums ? "reduction(+:v)" : ""}
    for (int k = 0; k < ${COUNT}; k++) {
      ${sums ? "v += in[k] % 7;" : ""}
      ${fills ? `${w("k")} = ${w("k")} + in[k];` : ""}
      ${besides === "nothing" ? "" : "twice[k] = 2 * in[k];"}
    }
    ${around === "switch" ? "}}" : "}"}
#pragma acc loop gang
    for (int g = 0; g < ${COUNT}; g++) out[g] += ${read === "not" ? "g" : `(long)v + (long)${w("g")} + (long)${w(`${COUNT - 1} - g`)}`};
  }
  unsigned long h = 7;
  for (int k = 0; k < ${COUNT}; k++) h = h * 31 + (unsigned long)(out[k] ^ twice[k]);
  printf("${name} %lu\\n", h);
}
`;
}

// Only a clause names what a pointer leads to.
const isMeaningful = ({ where, memory }: Combination) => where !== "declared" || memory === "array";

judged("what each gang has for itself", axes, isMeaningful, functionOf);
