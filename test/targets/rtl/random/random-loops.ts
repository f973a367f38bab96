/** Random loops of the kinds that the hardware takes apart: counters with constant bounds, windows. */
import { type Random, type RandomKernel, random } from "./random-kernel.ts";

const among = (pick: Random, ...list: readonly string[]): string => list[pick(list.length)] as string;
const ints = (n: number, f: (k: number) => number) => ({
  bytes: 4,
  values: Array.from({ length: n }, (_, k) => f(k)),
});

/** A counted loop with tests of its counter, a second counter that goes round, and elements that are picked. */
export function countedLoop(seed: number): RandomKernel {
  const pick = random(seed);
  const type = among(pick, "int", "short", "unsigned", "unsigned char", "long");
  const unsigned = type.startsWith("u");
  const low = pick(20) - (unsigned ? 0 : 8);
  const high = low + pick(40);
  const step = Number(among(pick, "1", "1", "1", "2", "4"));
  const head =
    unsigned || pick(4) > 0
      ? `${type} i = ${low}; i ${among(pick, "<", "<=", step === 1 ? "!=" : "<")} ${high}; i += ${step}`
      : `${type} i = ${high}; i ${among(pick, ">", ">=")} ${low}; i -= ${step}`;
  const near = () => low + pick(44);
  const test = () =>
    among(
      pick,
      `i < ${near()}`,
      `i >= ${near()}`,
      `i == ${near()}`,
      `i != ${near()}`,
      `i + 3 > ${near()}`,
      `${near()} <= i`,
      "i % 3 == 1",
      `k < ${pick(20)}`,
      `m == ${pick(6)}`,
      "a[i & 31] & 1",
    );
  const store = among(
    pick,
    "out[k++] = s;",
    "out[k & 63] = s; k++;",
    "out[i & 63] = s;",
    "out[k] = s; k += 1;",
  );
  const load = among(pick, "a[i & 31]", "a[k]", "a[m]", `a[i + ${20 - low}]`);
  const source = `void work(int n, int *restrict a, int *restrict out) {
#pragma acc serial copyin(a[0:128]) copy(out[0:128])
  {
    int k = ${pick(3)}, m = 0, c = 0, s = 1;
    for (${head}) {
      s += a[k] + ${load};
      if (i >= ${low} && i < ${low + 9}) s ^= a[i + ${20 - low}];
      if (${test()} && ${test()}) { ${store} }
      if (m < ${1 + pick(9)}) m++; else { m = 0; c++; }
      s ^= (${test()}) + 2 * (${test()}) + c;
    }
    out[120] = s; out[121] = k; out[122] = c; out[123] = m;
  }
}`;
  return { source, given: { n: pick(30), a: ints(128, () => pick(1000) - 500), out: ints(128, (k) => k) } };
}

/** Sums over a window of 3 by 3, some of them products of a row and a column. */
export function windowedSums(seed: number): RandomKernel {
  const pick = random(seed);
  const [type, bytes] = [
    ["unsigned char", 1],
    ["signed char", 1],
    ["short", 2],
    ["int", 4],
  ][pick(4)] as [string, number];
  const [width, height] = [8 + pick(8), 6 + pick(3)];
  const sum = (): string => {
    const [rows, columns] = [0, 0].map(() => [0, 1, 2].map(() => pick(7) - 3)) as [number[], number[]];
    const product = pick(3) > 0;
    const terms = [-1, 0, 1].flatMap((y) =>
      [-1, 0, 1].flatMap((x) => {
        const factor = product ? (rows[y + 1] as number) * (columns[x + 1] as number) : pick(5) - 2;
        return factor === 0 ? [] : [`${factor} * a[x + (${y * width + x})]`];
      }),
    );
    return terms.length > 0 ? terms.join(" + ") : "0";
  };
  const inside = among(
    pick,
    `i > 0 && i < ${height - 1} && j > 0 && j < ${width - 1}`,
    `i >= 1 && i <= ${height - 2} && j != 0 && j != ${width - 1}`,
  );
  const size = "(p < 0 ? -p : p) + (q < 0 ? -q : q)";
  const result = among(pick, "p + q", size, "p > q ? p : q", "(p ^ q) & 1023", "p < 64 ? q : p");
  const n = width * height;
  const source = `void work(${type} *restrict a, int *restrict out) {
#pragma acc parallel loop collapse(2) copyin(a[0:${n}]) copy(out[0:${n}])
#pragma openarc transform window(a, out)
  for (int i = 0; i < ${height}; i++)
    for (int j = 0; j < ${width}; j++) {
      int x = ${width} * i + j, v = ${pick(9)};
      if (${inside}) { int p = ${sum()}; int q = ${sum()}; v = ${result}; }
      out[x] = v;
    }
}`;
  const a = { bytes, values: Array.from({ length: n }, () => pick(256) - (type.startsWith("u") ? 0 : 128)) };
  return { source, given: { a, out: ints(n, (k) => k) } };
}

/** A loop or a nest that updates an array through a window: what it stores, where it reads, and when, are random. */
export function updatedWindow(seed: number): RandomKernel {
  const pick = random(seed);
  const [type, bytes] = [
    ["unsigned char", 1],
    ["short", 2],
    ["int", 4],
    ["unsigned", 4],
  ][pick(4)] as [string, number];
  const [width, height] = [7 + pick(5), 6 + pick(3)];
  const n = width * height;
  const nested = pick(2) === 0;
  const offsets = nested
    ? [-width - 1, -width, -width + 1, -1, 0, 1, width]
    : [-7, -6, -3, -2, -1, 0, 1, 4, 7];
  const element = (): string => {
    const by = offsets[pick(offsets.length)] as number;
    return `a[x ${by < 0 ? "-" : "+"} ${Math.abs(by)}]`;
  };
  const value = (): string =>
    among(
      pick,
      `${element()} + b[x]`,
      `${element()} - ${element()}`,
      `(${element()} > ${element()} ? ${element()} + ${pick(9)} : b[x])`,
      `(${element()} ^ 3 * ${element()})`,
    );
  const to = pick(3) === 0 ? element() : "a[x + 0]";
  const store = `${to} ${among(pick, "=", "=", "+=", "^=")} ${value()};`;
  const when = among(pick, "", "", "if (b[x] & 1) ", `if (${element()} > 5) `);
  const also = pick(4) === 0 ? ` if (b[x] & 2) ${element()} = ${value()};` : "";
  const loops = nested
    ? `for (int i = 1; i < ${height - 1}; i++) for (int j = ${1 + pick(2)}; j < ${width - 1}; j++)`
    : `for (int x = ${pick(2) ? 7 : 8}; x < ${n - 7}; x++)`;
  const source = `void work(${type} *restrict a, int *restrict b) {
#pragma acc serial loop collapse(${nested ? 2 : 1}) copy(a[0:${n}]) copyin(b[0:${n}])
#pragma openarc transform window(a, a)
#pragma unroll ${pick(4) ? 1 : 2}
  ${loops} { ${nested ? `int x = i * ${width} + j; ` : ""}int unread = b[x]; ${when}{ ${store} }${also} }
}`;
  const a = { bytes, values: Array.from({ length: n }, () => pick(100) - (type.startsWith("u") ? 0 : 50)) };
  return { source, given: { a, b: ints(n, () => pick(64)) } };
}

/**
 * Values that iterations hand on through memory, at distances that are known and at places that data decide, and values
 * that an iteration loads again after stores that may have changed them. Pointers may lead to the same array.
 */
export function throughMemory(seed: number): RandomKernel {
  const pick = random(seed);
  const types = [
    ["signed char", 1],
    ["unsigned short", 2],
    ["int", 4],
    ["int", 4],
    ["unsigned", 4],
    ["long", 8],
  ] as const;
  const [type, bytes] = types[pick(types.length)] as (typeof types)[number];
  const restricted = pick(3) > 0;
  const subscript = () =>
    among(
      pick,
      ...["i", "i", "i - 1", "i - 1", "i - 2", "i + 1", "i + 3", `i - ${3 + pick(9)}`, "k", "17", "k + 1"],
      ...["x[i] & 63", "(x[i] & 3) + 16", "i * 5 & 63", "2 * i - 12", "j + i", "47 - i", "x[i - 1] & 31"],
    );
  const element = () => `${among(pick, "a", "a", "b")}[${subscript()}]`;
  const operand = () => (pick(3) > 0 ? element() : among(pick, "s", "i", "x[i]", `${pick(9)}`));
  const value = () => `${operand()} ${among(pick, "+", "+", "-", "^", "*")} ${operand()}`;
  const test = () => among(pick, "x[i] & 1", "i & 2", `${element()} > s`, `${element()} & 1`, "s & 4");
  const statement = (): string => {
    const to = pick(4) > 0 ? `${among(pick, "a", "a", "b")}[${subscript()}]` : "s";
    const set = `${to} ${among(pick, "=", "=", "+=", "^=")} ${value()};`;
    return pick(3) === 0 ? `if (${test()}) ${set}` : set;
  };
  const statements = Array.from({ length: 1 + pick(4) }, statement);
  if (pick(6) === 0) statements.push(`if (${among(pick, "i > 25", "i == 19")}) break;`);
  const body = statements.join(" ");
  const inner = pick(5) === 0 ? `for (int u = 0; u < ${2 + pick(9)}; u++) { ${body} s += u; }` : body;
  const heads = ["int i = 12; i < n; i++", "int i = 12; i < 12 + n; i += 2", "int i = 35; i > 12; i--"];
  const loop = `for (${among(pick, ...heads, "int i = 14; i < 33; i++")}) { ${inner} }`;
  const nest = pick(3) === 0 ? `for (j = 0; j < 3; j++) ${loop}` : loop;
  const pointer = `*${restricted ? "restrict " : ""}`;
  const source = `void work(int n, int k, const int *restrict x, ${type} ${pointer}a, ${type} ${pointer}b, long *restrict last) {
#pragma acc serial copyin(x[0:96]) copy(a[0:96], b[0:96], last[0:1])
  {
    int j = 0;
    ${type} s = 1;
    ${nest}
    last[0] = s;
  }
}`;
  const elements = () => ({ bytes, values: Array.from({ length: 96 }, () => pick(200) - 100) });
  const a = elements();
  return {
    source,
    given: {
      n: 20 + pick(16),
      k: 12 + pick(20),
      x: ints(96, () => pick(1000)),
      a,
      b: restricted || pick(2) === 0 ? elements() : a,
      last: { bytes: 8, values: [0] },
    },
  };
}

/**
 * Nests whose inner loops begin or end at counters of outer ones, over a matrix that the innermost loop reads and writes:
 * whether its iterations meet follows from the bounds, from some of them, or not at all. Bounds may change on the way.
 */
export function triangularNest(seed: number): RandomKernel {
  const pick = random(seed);
  const [size, edge] = [16, 4];
  const counters = ["i", "j", "k"].slice(0, 2 + pick(2));
  const heads = counters.map((counter, level) => {
    const outer = counters.slice(0, level);
    // Bounds of unsigned counters are never negative.
    const unsigned = level > 0 && level === counters.length - 1 && pick(6) === 0;
    const type = unsigned ? "unsigned" : among(pick, "int", "int", "int", "long", "short");
    const near = () =>
      `${among(pick, ...outer, ...outer, "0")}${among(pick, "", "", " + 1", " + 1", " - 1")}`;
    const end = () =>
      unsigned
        ? among(pick, "n", "6")
        : among(pick, "n", "n", "6", ...outer.map((o) => `${o}${among(pick, "", " + 1", " - 1")}`));
    if (!unsigned && pick(4) === 0)
      return `for (${type} ${counter} = ${end()} - 1; ${counter} ${among(pick, ">", ">=")} ${near()}; ${counter}--)`;
    const step = among(pick, `${counter}++`, `${counter}++`, `${counter} += 2`);
    return `for (${type} ${counter} = ${near()}; ${counter} ${among(pick, "<", "<", "<=")} ${end()}; ${step})`;
  });
  const subscript = () => {
    const counter = among(pick, ...counters, ...counters, "n");
    return `[${counter}${among(pick, "", "", "", " + 1", " - 1")} + ${edge}]`;
  };
  const innermost = counters.at(-1);
  const element = () =>
    pick(6) === 0 ? `a[${innermost} + ${edge}][${edge}]` : `a${subscript()}${subscript()}`;
  const operand = () => (pick(5) === 0 ? `b[${innermost} + ${edge}]` : element());
  const statement = () => {
    const set = `${element()} ${among(pick, "-=", "+=", "=", "^=")} ${operand()} ${among(pick, "*", "+", "-")} ${operand()};`;
    return pick(5) === 0 ? `if (${operand()} & 1) ${set}` : set;
  };
  const body = Array.from({ length: 1 + pick(3) }, statement).join(" ");
  const unrolled = pick(4) === 0 ? "\n#pragma unroll 2\n" : "";
  const changes =
    pick(5) === 0 ? `n = ${among(pick, "n > 2 ? n - 1 : n", "4", "i < 0 ? 0 : i", "n ^ 1")};` : "";
  const [outermost, ...inner] = heads.slice(0, -1);
  const loop = `${outermost} { ${inner.join(" ")} {${unrolled} ${heads.at(-1)} { ${body} } } ${changes} }`;
  const source = `void work(int n, int a[restrict ${size}][${size}], const int *restrict b) {
#pragma acc serial copy(a[0:${size}][0:${size}]) copyin(b[0:${size}])
  { ${loop} }
}`;
  const a = ints(size * size, () => pick(200) - 100);
  return { source, given: { n: 3 + pick(3), a, b: ints(size, () => pick(100)) } };
}
