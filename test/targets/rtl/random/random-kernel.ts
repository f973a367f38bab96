/** Random kernels over integers, and floating-point numbers where asked: loops, choices, recurrences, arrays, early exits. A seed gives the same kernel always. */
import type { Given } from "../simulation.ts";

export interface RandomKernel {
  readonly source: string;
  readonly given: Readonly<Record<string, Given>>;
}

export type Random = (n: number) => number;

/** Numbers below n (D. H. Lehmer's generator with the constants of Park and Miller). */
export function random(seed: number): Random {
  let state = (seed * 2654435761) % 2147483647 || 1;
  return (n) => {
    state = (state * 48271) % 2147483647;
    return state % n;
  };
}

const types = [
  { name: "signed char", bytes: 1 },
  { name: "unsigned char", bytes: 1 },
  { name: "short", bytes: 2 },
  { name: "unsigned short", bytes: 2 },
  { name: "int", bytes: 4 },
  { name: "unsigned", bytes: 4 },
  { name: "long", bytes: 8 },
  { name: "unsigned long", bytes: 8 },
] as const;

/** `reals`: with variables and an array of float and double. `tables`: with local arrays in block RAM. */
export function randomKernel(seed: number, reals = false, tables = false): RandomKernel {
  const pick = random(seed);
  const one = <T>(list: readonly T[]): T => list[pick(list.length)] as T;
  const n = pick(14) + 1;
  const arrays = ["a", "b"].map((name) => ({ name, type: one(types), size: 16 }));
  const out = { name: "out", type: one(types), size: 16 };
  const locals = ["x", "y", "z"].map((name) => ({ name, type: one(types) }));
  const sum = { name: "sum", type: one(types) };
  let depth = 0;
  const own = tables
    ? ["t", "s", "c"].map((name) => ({ name, type: one(types), written: name !== "c" || pick(2) === 0 }))
    : [];
  const place = () => `(${one(["i", "i + 1", "63 - i", "i * i", "k0", ...locals.map((l) => l.name)])}) & 63`;

  const realLeaf = (): string =>
    pick(4) === 0
      ? `(${one(["float", "double"])})${one([...locals.map((l) => l.name), "i", "n"])}`
      : pick(3) === 0
        ? one(["0.5f", "2.0f", "-3.0f", "1.5", "0.1", "1e-3f", "7.0"])
        : one(["u", "v", "w", "f[i & 15]", "f[(i * 5) & 15]"]);
  const real = (): string => {
    if (++depth > 3 || pick(3) === 0) {
      depth--;
      return realLeaf();
    }
    const a = real();
    const b = real();
    depth--;
    switch (pick(9)) {
      case 0:
        return `(-(${a}))`;
      case 1:
        return `(${a} ${one(["<", "<=", ">", ">=", "==", "!="])} ${b} ? ${realLeaf()} : ${a})`;
      case 2:
        return `(${a} / ${pick(3) ? one(["4.0f", "0.25", "8"]) : b})`;
      case 3:
      case 4:
        return `(${a} * ${b})`;
      case 5:
        return `(${a} - ${b})`;
      default:
        return `(${a} + ${b})`;
    }
  };
  /** No NaN goes to memory, since its code is free; no number is converted that the integer cannot hold. */
  const realStatement = (): string => {
    const kept = one(["u", "v", "w"]);
    switch (pick(5)) {
      case 0:
        return `g[i & 15] = u == u ? u : 1.0f;`;
      case 1:
        return `if (${kept} > -1e6 && ${kept} < 1e6) ${one(locals).name} = (int)${kept};`;
      case 2:
        return `${kept} ${one(["+=", "-=", "*="])} ${real()};`;
      default:
        return `${kept} = ${real()};`;
    }
  };

  const leaf = (): string => (tables && pick(3) === 0 ? `${one(own).name}[${place()}]` : plainLeaf());
  const plainLeaf = (): string =>
    pick(6) === 0
      ? `${pick(2) ? "-" : ""}${pick(300)}`
      : pick(4) === 0
        ? `${one(arrays).name}[(${one(["i", "i + 1", "i * 3", "15 - i", one(locals).name])}) & 15]`
        : one([...locals.map((l) => l.name), "i", "n", "sum"]);
  const expression = (): string => {
    if (++depth > 4 || pick(3) === 0) {
      depth--;
      return leaf();
    }
    if (reals && pick(8) === 0) {
      depth--;
      return `(${real()} ${one(["<", "<=", "==", "!="])} ${real()})`;
    }
    const a = expression();
    const b = expression();
    depth--;
    switch (pick(14)) {
      case 0:
      case 1:
        return `(${a} + ${b})`;
      case 2:
        return `(${a} - ${b})`;
      case 3:
        return `(${a} * ${pick(2) ? pick(20) : b})`;
      case 4:
        return `(${a} & ${b})`;
      case 5:
        return `(${a} | ${b})`;
      case 6:
        return `(${a} ^ ${b})`;
      case 7:
        return `(${a} << (${b} & 7))`;
      case 8:
        return `(${a} >> (${b} & 7))`;
      case 9:
        return `(${a} ${one(["<", "<=", ">", ">=", "==", "!="])} ${b})`;
      case 10:
        return `(${a} ? ${b} : ${leaf()})`;
      case 11:
        return `(${a} ${one(["&&", "||"])} ${b})`;
      case 12:
        return `(${one(["~", "!", "-"])}(${a}))`;
      default:
        return `((${one(types).name})${a})`;
    }
  };
  const statement = (level: number, pipelined: boolean): string => {
    if (reals && pick(3) === 0) return realStatement();
    if (tables && pick(4) === 0) {
      const array = one(own.filter((t) => t.written));
      return `${array.name}[${place()}] ${one(["=", "+=", "^="])} ${expression()};`;
    }
    const kind = pick(level > 2 ? 4 : 9);
    switch (kind) {
      case 0:
      case 1:
        return `${one(locals).name} ${one(["=", "=", "+=", "^=", "-="])} ${expression()};`;
      case 2:
        return `sum ${one(["+=", "^=", "="])} ${expression()};`;
      case 3:
        return pick(3) ? `out[i & 15] = ${expression()};` : `${one(locals).name}++;`;
      case 4:
      case 5:
        return `if (${expression()}) { ${block(level + 1, pipelined)} }`;
      case 6:
        return `if (${expression()}) { ${block(level + 1, pipelined)} } else { ${block(level + 1, pipelined)} }`;
      case 7:
        return pipelined && pick(2)
          ? `if (${expression()}) ${one(["continue", "break"])};`
          : `sum += ${leaf()};`;
      default:
        return `for (int k = 0; k < ${pick(4)}; k++) { ${one(locals).name} += ${leaf()} + k; }`;
    }
  };
  const block = (level: number, pipelined: boolean): string =>
    Array.from({ length: pick(3) + 1 }, () => statement(level, pipelined)).join(" ");
  const header = one([
    "for (int i = 0; i < n; i++)",
    "for (int i = n; i > 0; i--)",
    "for (int i = 2; i <= n; i += 2)",
    "for (unsigned i = 0; i < 9; i++)",
  ]);
  const inner = `${header} { ${block(0, true)} }`;
  const nest = pick(4) === 0 ? `for (int o = 0; o < 2; o++) { ${locals[0]?.name} += o; ${inner} }` : inner;
  const params = [
    "int n",
    ...arrays.map((a) => `${a.type.name} *restrict ${a.name}`),
    `${out.type.name} *restrict out`,
    "long *restrict last",
    ...(reals ? ["float *restrict f", "float *restrict g", "double *restrict d"] : []),
  ];
  const source = `void work(${params.join(", ")}) {
#pragma acc serial copyin(a[0:16], b[0:16]) copy(out[0:16], last[0:4])${reals ? " copyin(f[0:16]) copy(g[0:16], d[0:2])" : ""}
  {
    ${locals.map((l) => `${l.type.name} ${l.name} = ${pick(200) - 100};`).join(" ")}
    ${sum.type.name} sum = ${pick(100)};
    ${own
      .map(
        ({ name, type }) =>
          `${type.name} ${name}[${70 + pick(60)}] = { ${Array.from({ length: pick(20) + 1 }, () => pick(99) - 30).join(", ")} };`,
      )
      .join(" ")}
    ${tables ? "int k0 = 1;" : ""} ${reals ? "float u = 1.25f, w = -7; double v = 0.3;" : ""}
    ${nest}
    ${locals.map((l, k) => `last[${k}] = ${l.name};`).join(" ")}
    last[3] = sum;${tables ? " for (int i = 0; i < 16; i++) out[i] += t[i] ^ s[63 - i];" : ""}${reals ? " g[0] = u == u ? u : 2.0f; d[0] = v == v ? v : 3; d[1] = w == w ? w : 4;" : ""}
  }
}`;
  const values = ({ bytes }: { bytes: number }, size: number) => ({
    bytes,
    values: Array.from({ length: size }, () => (pick(3) ? pick(60) - 30 : pick(2147483646) - 1073741823)),
  });
  return {
    source,
    given: {
      n,
      ...Object.fromEntries(arrays.map((a) => [a.name, values(a.type, a.size)])),
      out: values(out.type, out.size),
      last: { bytes: 8, values: [0, 0, 0, 0] },
      ...(reals && {
        f: {
          bytes: 4,
          values: Array.from({ length: 16 }, () =>
            pick(4) ? 0x3f000000 + pick(0x2000000) : pick(0x7f800000),
          ),
        },
        g: { bytes: 4, values: Array.from({ length: 16 }, () => 0) },
        d: { bytes: 8, values: [0, 0] },
      }),
    },
  };
}
