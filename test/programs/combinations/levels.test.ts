/**
 * Nests whose loops name levels in every way that the standards allow, over their lengths, the sizes that the program
 * asks for, what the innermost loop does, and what stands beside it in the body of the loop around it. The mapping to
 * groups and items differs with each of these. Values are small integers, so that every order of a sum gives the same.
 */
import type { Row } from "./covering.ts";
import { judged } from "./judged.ts";

const axes = {
  outer: [
    "acc parallel loop gang",
    "acc parallel loop",
    "acc parallel loop gang worker",
    "acc kernels loop gang independent",
    "acc kernels loop independent",
    "omp target teams distribute",
    "omp target teams loop",
  ],
  middle: ["none", "worker", "open", "seq", "no directive", "worker vector"],
  inner: ["vector", "worker", "open", "vector worker", "no directive"],
  sizes: [
    "none",
    "gangs",
    "gangs in a variable",
    "workers",
    "vector",
    "workers and vector",
    "odd vector",
    "all of one",
  ],
  rows: ["1", "7", "64", "301"],
  columns: ["1", "5", "33", "257", "of the row", "variable", "by twos"],
  does: [
    "stores",
    "stores transposed",
    "sum",
    "max",
    "two sums",
    "counts",
    "stores what it summed",
    "own array",
    "stencil",
    "search",
  ],
  beside: ["nothing", "before", "after", "before and after", "only some rows"],
  type: ["int", "float", "double", "short", "long"],
} as const;

type Nest = Row<typeof axes>;

const isOpenMp = ({ outer }: Nest): boolean => outer.startsWith("omp");
const named = (level: string): readonly string[] =>
  level.split(" ").filter((word) => ["gang", "worker", "vector"].includes(word));

/** Iterations of the innermost loop: Oclgrind takes minutes for a million. */
const MOST = 1 << 16;

/** Of the middle loop. */
const M = 4;

const longest = ({ columns }: Nest): number =>
  Number({ "of the row": 41, variable: 70, "by twos": 70 }[columns as string] ?? columns);

/** Levels go from the outer loop to the inner one, each at most once; sizes are for levels that are there. */
function isMeaningful(c: Nest): boolean {
  const { middle, inner, sizes, columns, does, beside } = c;
  if (Number(c.rows) * (middle === "none" ? 1 : M) * longest(c) > MOST) return false;
  const levels = [...named(c.outer), ...named(middle), ...named(inner)];
  const order = levels.map((level) => ["gang", "worker", "vector"].indexOf(level));
  if (inner === "vector worker") order.splice(-2, 2, 1, 2);
  if (order.some((level, k) => k > 0 && level <= (order[k - 1] as number))) return false;
  if (inner === "no directive" && middle !== "none" && middle !== "worker") return false;
  if (isOpenMp(c) && (!["none", "no directive"].includes(middle) || sizes.startsWith("workers")))
    return false;
  if (isOpenMp(c) && !["vector", "open", "no directive"].includes(inner)) return false;
  if (middle !== "none" && (columns === "of the row" || does === "search" || does === "own array"))
    return false;
  if (does === "search" && beside !== "nothing") return false;
  return !(does === "stores transposed" && beside !== "nothing" && beside !== "before");
}

function sizesOf(c: Nest): string {
  if (isOpenMp(c))
    return {
      none: "",
      gangs: " num_teams(5)",
      "gangs in a variable": " num_teams(g)",
      vector: " thread_limit(64)",
      "odd vector": " thread_limit(48)",
      "all of one": " num_teams(1) thread_limit(1)",
      workers: "",
      "workers and vector": "",
    }[c.sizes];
  return {
    none: "",
    gangs: " num_gangs(5)",
    "gangs in a variable": " num_gangs(g)",
    workers: " num_workers(4)",
    vector: " vector_length(64)",
    "workers and vector": " num_workers(2) vector_length(32)",
    "odd vector": " vector_length(48)",
    "all of one": " num_gangs(1) num_workers(1) vector_length(1)",
  }[c.sizes];
}

function directive(c: Nest, level: string, more: string): string {
  if (level === "no directive") return "";
  if (!isOpenMp(c))
    return `#pragma acc loop${level === "open" ? "" : ` ${level}`}${level === "seq" ? "" : more}\n`;
  const words =
    level === "vector"
      ? "parallel for simd"
      : c.outer.endsWith("loop")
        ? "loop bind(parallel)"
        : "parallel for";
  return `#pragma omp ${words}${more}\n`;
}

function functionOf(c: Nest, name: string): string {
  const { rows, does, beside, middle } = c;
  const columns =
    { "of the row": "len[i]", variable: "n", "by twos": "2 * n" }[c.columns as string] ?? c.columns;
  const most = { "of the row": "41", variable: "70", "by twos": "140" }[c.columns as string] ?? c.columns;
  const step = c.columns === "by twos" ? "k += 2" : "k++";
  const nested = middle !== "none";
  const at = (array: string, k = "k") => (nested ? `${array}[i][j][${k}]` : `${array}[i][${k}]`);
  const row = nested ? "r[i][j]" : "r[i]";
  const clause = {
    sum: " reduction(+:s)",
    "stores what it summed": " reduction(+:s)",
    max: " reduction(max:s)",
    "two sums": " reduction(+:s) reduction(|:u)",
  }[does as string];
  const body = {
    stores: `${at("b")} = ${at("a")} * 2 + s;`,
    "stores transposed": nested ? `bt[k][j][i] = ${at("a")} + s;` : `bt[k][i] = ${at("a")} + s;`,
    sum: `s += ${at("a")};`,
    max: `s = s > ${at("a")} ? s : ${at("a")};`,
    "two sums": `{ s += ${at("a")}; u |= 1 << (int)${at("a")} % 9; }`,
    counts: `{\n#pragma ${isOpenMp(c) ? "omp atomic" : "acc atomic update"}\n hist[(int)${at("a")} % 11]++; }`,
    "stores what it summed": `{ T v = ${at("a")} + k % 3; ${at("b")} = v; s += v; }`,
    "own array": `{ T w[3] = {${at("a")}, s, 2}; w[k % 3] += 1; ${at("b")} = w[0] + w[1] * w[2]; }`,
    stencil: `${at("b")} = ${at("a", "k > 0 ? k - 1 : k")} + ${at("a")} - s;`,
    search: `if (${at("a")} == 7) ${at("b")} = k % 100;`,
  }[does];
  const before = beside === "before" || beside === "before and after";
  const after = beside === "after" || beside === "before and after";
  const reduced = clause !== undefined;
  const begin = c.type === "float" || c.type === "double" ? `${row} * 0 + 3` : `${row} % 5`;
  const loop = `${directive(c, c.inner, clause ?? "")}for (int k = 0; k < ${columns}; ${step}) ${body}`;
  const inside = `{
    T s = ${before ? begin : "1"};
    int u = 0;
    ${beside === "only some rows" ? `if (i % 3 != 1) {\n${loop}\n}` : loop}
    ${reduced ? `${row} = (int)s % 1000 + u;` : after ? `${row} += s + 1;` : ""}
    }`;
  const nest = nested
    ? `${directive(c, middle, "")}for (int j = 0; j < ${M}; j++) ${inside}`
    : inside.replace(/^\{|\}$/g, "");
  const shape = nested ? `[${M}][${most}]` : `[${most}]`;
  const transposed = does === "stores transposed";
  const arrays = [
    `a[${rows}]${shape}`,
    transposed ? `bt[${most}]${nested ? `[${M}]` : ""}[${rows}]` : `b[${rows}]${shape}`,
    `r[${rows}]${nested ? `[${M}]` : ""}`,
  ];
  const data = isOpenMp(c)
    ? ` map(tofrom: ${transposed ? "bt" : "b"}, r, hist) map(to: a, len)`
    : ` copy(${transposed ? "bt" : "b"}, r, hist) copyin(a, len)`;
  const hash = (array: string, count: string) =>
    `for (int k = 0; k < ${count}; k++) h = h * 31 + (unsigned)(long)((T *)${array})[k];`;
  const all = `${rows} * ${most}${nested ? ` * ${M}` : ""}`;
  return `static void ${name}(void) {
  typedef ${c.type} T;
  static T ${arrays.join(", ")};
  static int hist[11], len[${rows}];
  int n = 70, g = 6;
  (void)n, (void)g;
  for (int i = 0; i < ${rows}; i++) len[i] = i * 7 % 42;
  for (int k = 0; k < ${all}; k++) ((T *)a)[k] = k * 5 % 13, ((T *)${transposed ? "bt" : "b"})[k] = k % 7;
  for (int k = 0; k < ${rows}${nested ? ` * ${M}` : ""}; k++) ((T *)r)[k] = k % 17;
#pragma ${c.outer}${sizesOf(c)}${data}
  for (int i = 0; i < ${rows}; i++) {
${nest}
  }
  unsigned h = 0;
  ${hash(transposed ? "bt" : "b", all)}
  ${hash("r", `${rows}${nested ? ` * ${M}` : ""}`)}
  for (int k = 0; k < 11; k++) h = h * 31 + hist[k];
  printf("${name} %u\\n", h);
}
`;
}

judged("nests of loops with levels", axes, isMeaningful, functionOf, ["host", "oclgrind"]);
