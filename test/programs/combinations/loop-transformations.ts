/**
 * Functions with OpenMP's `tile`, `unroll`, `stripe`, `split` and `reverse`: under worksharing constructs and in code of one thread; over loops that
 * count up or down, in several types, with trip counts that the sizes divide or do not.
 */
import type { Row } from "./covering.ts";

export const axes = {
  how: [
    "tile",
    "tile of two",
    "unroll full",
    "unroll partial",
    "unroll",
    "tile over parts",
    "stripe",
    "stripe of two",
    "split",
    "reverse",
    "reverse over tile",
    "reverse over parts",
  ],
  construct: ["teams", "threads", "collapse(2)", "collapse(4)", "alone", "inside"],
  relation: ["<", "<=", ">", ">="],
  type: ["int", "unsigned", "signed char", "long", "size_t"],
  step: ["1", "3"],
  size: ["1", "4", "7", "100"],
  count: ["0", "1", "20", "21"],
  declared: ["by the loop", "before it"],
} as const;

type Combination = Row<typeof axes>;

export function isMeaningful({ how, construct, declared, count, type, relation }: Combination): boolean {
  const depth = how.endsWith("of two") ? 2 : how === "tile" || how === "tile over parts" ? 1 : 0;
  if (construct === "collapse(2)" && depth !== 2) return false;
  if (construct === "collapse(4)" && depth !== 2) return false;
  // A fully unrolled loop leaves no loop to share.
  if (how.startsWith("unroll") && how !== "unroll partial" && ["teams", "threads"].includes(construct))
    return false;
  // A loop that unrolls its own way is shared out as it is.
  if (declared === "before it" && (how === "tile of two" || / over /.test(how))) return false;
  // More parts than iterations.
  if (how === "split" && ["0", "1"].includes(count)) return false;
  if (construct === "collapse(4)" && how === "stripe of two") return true;
  // An unsigned `>= 0` loop never ends, and 0 iterations would need a bound above the start.
  if (relation === ">=" && ["unsigned", "size_t"].includes(type)) return false;
  return !(count === "0" && how === "unroll full");
}

export function functionOf(c: Combination, name: string): string {
  const { how, construct, type, size, count } = c;
  const constant = how === "unroll full";
  const outer = header(c, "i", constant);
  const inner = "for (int j = 0; j < 5; j++)";
  const two = how.endsWith("of two");
  const isReordered = two || /stripe|reverse/.test(how);
  const place = two ? "(int)i * 5 + j" : "(int)i";
  const nest = (body: string) => (two ? `${outer}\n    ${inner} ${body}` : `${outer} ${body}`);
  const transformed = {
    tile: `#pragma omp tile sizes(${size})`,
    "tile of two": `#pragma omp tile sizes(${size}, 3)`,
    "unroll full": "#pragma omp unroll full",
    "unroll partial": `#pragma omp unroll partial(${size})`,
    unroll: "#pragma omp unroll",
    "tile over parts": `#pragma omp tile sizes(${size})\n#pragma omp unroll partial(3)`,
    stripe: `#pragma omp stripe sizes(${size})`,
    "stripe of two": `#pragma omp stripe sizes(${size}, 3)`,
    split: "#pragma omp split counts(2, omp_fill)",
    reverse: "#pragma omp reverse",
    "reverse over tile": `#pragma omp reverse\n#pragma omp tile sizes(${size})`,
    "reverse over parts": `#pragma omp reverse\n#pragma omp unroll partial(${size})`,
  }[how];
  // The order of iterations is another one.
  const before = isReordered ? "s" : "s * 3 % 1000";
  const declared = c.declared === "before it" ? `    ${type} i;\n` : "";
  const shared = {
    teams: "target teams distribute parallel for",
    threads: "target parallel for",
    "collapse(2)": "target teams distribute parallel for collapse(2)",
    "collapse(4)": "target teams distribute parallel for collapse(4)",
    alone: "target",
    inside: "target teams distribute parallel for",
  }[construct];
  const body =
    construct === "inside"
      ? `for (int x = 0; x < 6; x++) {
${declared}    long s = 0;
${transformed}
    ${nest(`s = ${before} + a[${place}] + x;`)}
    each[x] = s;
  }`
      : construct === "alone"
        ? `{
${declared}    long s = 0;
${transformed}
    ${nest(`{ s = ${before} + ${place}; a[${place}] += ${isReordered ? place : "s"}; }`)}
    each[0] = s;
  }`
        : `${transformed}
  ${nest(`{ a[${place}] += ${place} * 2 + 1; }`)}`;
  const around = ["inside", "alone"].includes(construct) ? "" : declared;
  return `static __attribute__((noinline)) void ${name}_of(int n) {
  int a[400]; long each[6] = {0};
  for (int k = 0; k < 400; k++) a[k] = k * 7 % 31;
${around}#pragma omp ${shared} map(tofrom: a, each)
  ${body}
  unsigned long h = 7;
  for (int k = 0; k < 400; k++) h = h * 31 + (unsigned long)a[k];
  for (int k = 0; k < 6; k++) h = h * 31 + (unsigned long)each[k];
  printf("${name} %lu\\n", h);
}
static void ${name}(void) { ${name}_of(${count}); }
`;
}

/** The head of a loop with `count` iterations, from 2 on. */
function header(
  { relation, type, step, count, declared }: Combination,
  i: string,
  constant: boolean,
): string {
  const n = constant ? count : "n";
  const own = declared === "by the loop" ? `${type} ` : "";
  const by = Number(step);
  const down = relation.startsWith(">");
  const change = by === 1 ? `${i}${down ? "--" : "++"}` : `${i} ${down ? "-" : "+"}= ${by}`;
  const last = `${n} * ${by} + 2`;
  if (relation === "<") return `for (${own}${i} = 2; ${i} < ${last}; ${change})`;
  if (relation === "<=") return `for (${own}${i} = 2; ${i} <= ${last} - 1; ${change})`;
  return `for (${own}${i} = ${last}; ${i} ${relation} ${relation === ">" ? "2" : "3"}; ${change})`;
}
