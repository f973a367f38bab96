/**
 * OpenMP's `loop` in code of a team's threads, by what it binds to: each thread runs all iterations of `bind(thread)`, on
 * what is its own, and the threads share those of `bind(parallel)`, also where nothing is said (5.2, section 11.7).
 */
import type { Row } from "./covering.ts";
import { judged } from "./judged.ts";

const axes = {
  region: [
    "target parallel",
    "target teams num_teams(1)\n#pragma omp parallel",
    "target\n#pragma omp parallel",
  ],
  bind: ["thread", "parallel", "unsaid"],
  work: ["fill", "sum", "nest", "collapse(2)", "private"],
  inside: ["nothing", "if", "for", "block"],
  order: ["", "order(concurrent)"],
  threads: ["", "num_threads(3)"],
  type: ["int", "long", "double", "short"],
} as const;

type Combination = Row<typeof axes>;

const COUNT = 40;

function functionOf({ region, bind, work, inside, order, threads, type }: Combination, name: string): string {
  const own = bind === "thread";
  const clauses = [
    ...(bind === "unsaid" ? [] : [`bind(${bind})`]),
    ...(order === "" ? [] : [order]),
    ...(work === "sum" ? ["reduction(+:s)"] : []),
    ...(work === "collapse(2)" ? [work] : []),
    ...(work === "private" ? ["private(t)"] : []),
  ].join(" ");
  const nest = (k: string) =>
    `for (int r = 0; r < 5; r++) for (int c = 0; c < ${COUNT / 5}; c++) { int k = r * ${COUNT / 5} + c; ${k} }`;
  const set = "w[k] = in[k] * 2 + k;";
  const loop = {
    fill: `for (int k = 0; k < ${COUNT}; k++) { ${set} }`,
    sum: `for (int k = 0; k < ${COUNT}; k++) { ${set} s += in[k] % 5; }`,
    nest: nest(set),
    "collapse(2)": nest(set),
    private: `for (int k = 0; k < ${COUNT}; k++) { t = in[k] * 2; w[k] = t + k; }`,
  }[work];
  const code = `\n#pragma omp loop ${clauses}\n    ${loop}`;
  const around = {
    nothing: code,
    if: `if (in[3] > 0) {${code}\n    }`,
    for: `for (int again = 0; again < 2; again++) {${code}\n    }`,
    block: `{${code}\n    }`,
  }[inside];
  const declared = `${type} w[${COUNT}]; int t = 0;`;
  // A sum of what threads share is theirs together, and has to be outside.
  const sum = own ? "long s = 0;" : "";
  return `static void ${name}(void) {
  int in[${COUNT}]; long out[${COUNT}]; long s = 0; (void)s;
  for (int k = 0; k < ${COUNT}; k++) { in[k] = k * 7 % 19 + 1; out[k] = k; }
  ${own ? "" : declared}
#pragma omp ${region} ${threads}${/\n/.test(region) ? "" : " map(tofrom: out)"}
  {
    ${own ? declared : ""} ${sum}
    ${around}
#pragma omp barrier
#pragma omp for
    for (int i = 0; i < ${COUNT}; i++) out[i] += (long)w[i] + (long)w[${COUNT - 1} - i] + s;
  }
  unsigned long h = 7;
  for (int k = 0; k < ${COUNT}; k++) h = h * 31 + (unsigned long)out[k];
  printf("${name} %lu\\n", h);
}
`;
}

// Of a shared sum each turn of a loop around would add to what another thread still reads.
const isMeaningful = ({ bind, work, inside }: Combination) =>
  bind === "thread" || work !== "sum" || inside !== "for";

judged("OpenMP's loop in a team of threads", axes, isMeaningful, functionOf);
