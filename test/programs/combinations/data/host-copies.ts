/**
 * Functions in which a region copies a variable by `firstprivate` while the device also has the variable, with other
 * values: the copy starts with the host's current values, and changes to it reach neither the host nor the device's data.
 */
import type { Row } from "../covering.ts";

export const axes = {
  shape: [
    "scalar",
    "array",
    "large array",
    "structure",
    "computed size",
    "two computed sizes",
    "rows of computed size",
  ],
  type: ["char", "int", "double"],
  mapped: ["to", "tofrom", "enter", "not"],
  region: ["teams loop", "loop", "threads", "alone", "acc loop", "acc gangs", "acc alone"],
  waits: ["at its end", "later"],
} as const;

type Combination = Row<typeof axes>;

export const isMeaningful = ({ shape, region }: Combination): boolean =>
  // The clause is on `target`, not on `parallel`, so threads share a scalar.
  !(region === "threads" && shape === "scalar");

const declarations: Readonly<Record<Combination["shape"], string>> = {
  scalar: "v",
  array: "v[6]",
  "large array": "v[3000]",
  structure: "v",
  "computed size": "v[n]",
  "two computed sizes": "v[n][m]",
  "rows of computed size": "v[3][n - 4]",
};

/** The number of elements, and the element with a given index. */
function elements({ shape }: Combination): readonly [count: string, at: (k: string) => string] {
  if (shape === "scalar") return ["1", () => "v"];
  if (shape === "array") return ["6", (k) => `v[${k}]`];
  if (shape === "large array") return ["3000", (k) => `v[${k}]`];
  if (shape === "structure") return ["5", (k) => `v.of[${k}]`];
  if (shape === "computed size") return ["n", (k) => `v[${k}]`];
  return shape === "two computed sizes"
    ? ["n * m", (k) => `v[(${k}) / m][(${k}) % m]`]
    : ["3 * (n - 4)", (k) => `v[(${k}) / (n - 4)][(${k}) % (n - 4)]`];
}

export function functionOf(c: Combination, name: string): string {
  const element = c.type === "char" ? "signed char" : c.type;
  const type = c.shape === "structure" ? `struct ${name}_record` : element;
  const [count, at] = elements(c);
  const fill = (value: string) => `for (int k = 0; k < ${count}; k++) ${at("k")} = (k * 3 + ${value}) % 100;`;
  const acc = c.region.startsWith("acc");
  const steps = [
    fill("7"),
    ...regions(c, count, at),
    ...(c.waits === "later" ? [fill("1"), acc ? "#pragma acc wait" : "#pragma omp taskwait"] : []),
    // The device must keep its values when only the host's change.
    fill("2"),
    ...seen(c, count, at),
  ];
  const block = steps.map((line) => (line.startsWith("#") ? line : `    ${line}`)).join("\n");
  return `${c.shape === "structure" ? `struct ${name}_record { int filler; ${element} of[5]; };\n` : ""}static __attribute__((noinline)) void ${name}_of(int n, int m) {
  ${type} ${declarations[c.shape]};
  long out[12]; unsigned long there = 0;
  ${fill("2")}
${around(c, block)}
  for (int k = 0; k < 12; k++) there = there * 31 + (unsigned long)out[k];
  (void)m;
  printf("${name} %lu\\n", there);
}
static void ${name}(void) { ${name}_of(7, 4); }
`;
}

function around({ mapped, region }: Combination, block: string): string {
  const acc = region.startsWith("acc");
  if (mapped === "not") return `  {\n${block}\n  }`;
  if (mapped === "enter")
    return acc
      ? `#pragma acc enter data copyin(v)\n  {\n${block}\n  }\n#pragma acc exit data delete(v)`
      : `#pragma omp target enter data map(to: v)\n  {\n${block}\n  }\n#pragma omp target exit data map(delete: v)`;
  const clause = acc ? (mapped === "to" ? "copyin(v)" : "copy(v)") : `map(${mapped}: v)`;
  return `#pragma ${acc ? "acc data" : "omp target data"} ${clause}\n  {\n${block}\n  }`;
}

type At = (k: string) => string;

/** Each iteration sums the copy, and writes to it without changing values that other iterations read. */
function regions({ region, waits }: Combination, count: string, at: At): readonly string[] {
  const later = waits === "later";
  const sum = `long s = 0; for (int k = 0; k < ${count}; k++) s += ${at("k")} * (k + 1L);`;
  const change = `${at("0")} = ${at("0")};`;
  const body = `{ ${sum} out[i] = s + i; ${change} }`;
  const all = "for (int i = 0; i < 12; i++)";
  const omp = (words: string) =>
    `#pragma omp target ${words} firstprivate(v) map(from: out)${later ? " nowait" : ""}`;
  const acc = (words: string) =>
    `#pragma acc ${words} firstprivate(v) copyout(out)${later ? " async(1)" : ""}`;
  const changed = `{ for (int i = 0; i < 12; i++) out[i] = i; ${sum} for (int k = 0; k < ${count}; k++) ${at("k")} = 1; long t = 0; for (int k = 0; k < ${count}; k++) t += ${at("k")}; out[3] = s; out[4] = t; }`;
  switch (region) {
    case "teams loop":
      return [omp("teams distribute parallel for"), `${all} ${body}`];
    case "loop":
      return [omp("parallel for"), `${all} ${body}`];
    case "threads":
      return [omp(""), "{", "#pragma omp parallel for", `${all} ${body.replace(change, "")}`, "}"];
    case "alone":
      return [omp(""), changed];
    case "acc loop":
      return [acc("parallel loop"), `${all} ${body.replace(change, "")}`];
    case "acc gangs":
      return [
        acc("parallel num_gangs(3)"),
        "{",
        "#pragma acc loop gang vector",
        `${all} ${body.replace(change, "")}`,
        "}",
      ];
    default:
      return [acc("serial"), changed];
  }
}

/** Reads the device's variable, where it exists. */
function seen({ region, mapped }: Combination, count: string, at: At): readonly string[] {
  const acc = region.startsWith("acc");
  const also = mapped === "not" ? (acc ? "copyin(v)" : "map(to: v)") : acc ? "present(v)" : "map(to: v)";
  return [
    acc ? `#pragma acc serial ${also} copy(out)` : `#pragma omp target ${also} map(tofrom: out)`,
    `{ long s = 0; for (int k = 0; k < ${count}; k++) s += ${at("k")} * (k + 1L); out[0] += s; }`,
  ];
}
