/**
 * Random expressions with side effects, whose order C says: every form of lvalue, compound assignments and steps of
 * every type, nested in subscripts, conditions, arguments, commas and choices. Between two sequence points an object is
 * touched once.
 */

import { random } from "../../../targets/rtl/random/random-kernel.ts";
import type { Given } from "../../../targets/rtl/simulation.ts";

interface EffectsKernel {
  readonly source: string;
  readonly given: Readonly<Record<string, Given>>;
}

const types = [
  "_Bool",
  "signed char",
  "unsigned char",
  "short",
  "unsigned short",
  "int",
  "unsigned",
  "long",
  "unsigned long",
] as const;

const bytesOf = { _Bool: 1, "signed char": 1, "unsigned char": 1, short: 2, "unsigned short": 2 } as const;
const sizeOf = (type: string): 1 | 2 | 4 | 8 =>
  bytesOf[type as keyof typeof bytesOf] ?? (type.endsWith("long") ? 8 : 4);

const operators = ["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="] as const;

/** What an expression may touch until the next sequence point. */
const objects = "x y i j k p q r h w v t u b c s a m f g".split(" ");

export function randomEffects(seed: number): EffectsKernel {
  const pick = random(seed);
  const one = <T>(list: readonly T[]): T => list[pick(list.length)] as T;
  const type = Object.fromEntries(objects.map((name) => [name, one(types)]));
  let free = new Set(objects);
  let depth = 0;

  const take = (...names: string[]): boolean => {
    if (!names.every((name) => free.has(name))) return false;
    for (const name of names) free.delete(name);
    return true;
  };
  /**
   * Operands with a sequence point between them, or of which only one is evaluated: all may access the same variables.
   */
  const apart = (...parts: (() => string)[]): string[] => {
    const before = free;
    const touched = new Set<string>();
    const made = parts.map((part) => {
      free = new Set(before);
      const text = part();
      for (const name of before) if (!free.has(name)) touched.add(name);
      return text;
    });
    free = new Set([...before].filter((name) => !touched.has(name)));
    return made;
  };

  /** A number from 0 to 7. */
  const place = (): string => {
    const ways = [
      () => `${pick(8)}`,
      ...["i", "j", "k"].map(
        (n) => () => (take(n) ? `${one([`${n}++`, `--${n}`, `++${n}`, `${n}--`, n])} & 7` : "3"),
      ),
      () => `(${number()}) & 7`,
    ];
    return one(ways)();
  };
  /** An lvalue of integer type; a pointer moves by one place. */
  const lvalue = (): string => {
    const step = (name: string) => one([`${name}++`, `--${name}`, `${name}--`, `++${name}`, name]);
    const ways: (() => string | undefined)[] = [
      () => (take("x") ? "x" : undefined),
      () => (take("y") ? "y" : undefined),
      // In registers, in block RAM, in memory, of two dimensions.
      ...["t", "b", "a", "a"].map((n) => () => (take(n) ? `${n}[${place()}]` : undefined)),
      () => (take("c") ? `c[(${place()}) & 1][${place()}]` : undefined),
      // Through pointers to registers, to block RAM and to memory.
      () => (take("p", "u") ? one([`*${step("p")}`, `(${step("p")})[1]`]) : undefined),
      () => (take("h", "g") ? one([`*${step("h")}`, `h[${place()} & 1]`]) : undefined),
      () => (take("q", "m") ? one([`*${step("q")}`, `(${step("q")})[1]`]) : undefined),
      () => (take("r", "m") ? one([`*${step("r")}`, `r[${place()}]`]) : undefined),
      // Members, and parts of words.
      () => (take("s") ? `s[${place()}].${one(["n", "z[1]"])}` : undefined),
      () => (take("w") ? `w.${one(["d", "e", "o"])}` : undefined),
      () => (take("v") ? `v[(${place()}) & 3].${one(["d", "e", "o"])}` : undefined),
      () => (take("f") ? one([`f[${place()}].d`, `f[${place()}].n`, `f[${place()}].e`]) : undefined),
    ];
    for (;;) {
      const made = one(ways)();
      if (made !== undefined) return made;
      if (!["x", "y", "t", "a"].some((n) => free.has(n))) return "*arc_none";
    }
  };
  const effect = (): string => {
    const to = lvalue();
    if (to === "*arc_none") return "5";
    if (pick(3) === 0) return one([`(${to})++`, `(${to})--`, `++(${to})`, `--(${to})`]);
    const op = one(operators);
    const right = number();
    if (op === "/=" || op === "%=") return `(${to} ${op} ((${right}) & 15) + one)`;
    if (op === "<<=" || op === ">>=") return `(${to} ${op} (${right}) & 7)`;
    return `(${to} ${op} ${right})`;
  };
  const number = (): string => {
    if (++depth > 4) {
      depth--;
      return `${pick(200) - 100}`;
    }
    const ways: (() => string)[] = [
      effect,
      effect,
      () => `${pick(200) - 100}`,
      () => {
        const of = lvalue();
        return of === "*arc_none" ? "9" : of;
      },
      () => `(${number()} ${one(["+", "-", "*", "^", "<", "=="])} ${number()})`,
      () => `(${apart(number, number).join(one([" && ", " || ", ", "]))})`,
      () => {
        const [test, ...arms] = apart(number, number, number);
        return `(${test} ? ${arms.join(" : ")})`;
      },
      () => `twice_${seed}(${number()})`,
      () => `sum_${seed}(${number()}, ${number()})`,
      () => `(${one(types)})(${number()})`,
    ];
    const made = one(ways)();
    depth--;
    return made;
  };
  const fresh = (make: () => string): string => {
    free = new Set(objects);
    depth = 0;
    return make();
  };
  const statement = (): string =>
    one([
      () => `${fresh(effect)};`,
      () => `${fresh(effect)};`,
      () => `out[o++] = ${fresh(effect)};`,
      () => `if (${fresh(effect)}) out[o++] = ${pick(50)}; else ${fresh(effect)};`,
      () => `for (l = 0; l < 2; ${fresh(effect)}, l++) ${fresh(effect)};`,
      () =>
        `switch (${fresh(effect)} & 3) { case 0: ${fresh(effect)}; case 1: x ^= 9; break; default: ${fresh(effect)}; }`,
      () => `{ int once = ${fresh(effect)}; out[o++] = once; }`,
    ])();
  // The numbers and pointers that steps move stay away from their limits.
  const settled = () =>
    `i = ${pick(5) + 1}; j = ${pick(5) + 1}; k = ${pick(5) + 1}; p = u + ${pick(3) + 20}; h = g + ${pick(3) + 20}; q = m + ${pick(3) + 20}; r = m + ${pick(3) + 20};`;
  const body = Array.from({ length: 4 }, () => `    ${settled()}\n    ${statement()}\n`).join("");
  const values = (count: number) => Array.from({ length: count }, () => pick(250) - 120);
  const list = (count: number) => `{${values(count).join(", ")}}`;
  const bits = "struct { unsigned d : 3; int e : 5; _Bool o : 1; unsigned n : 9; }";
  const of = (name: string) => type[name] as string;
  const source = `static int twice_${seed}(int of) { of *= 2; return of++; }
static int sum_${seed}(int one, int other) { one += other; return one; }
struct bits_${seed} { unsigned d : 3; int e : 5; _Bool o : 1; unsigned n : 9; };
void work(${of("a")} *restrict a, ${of("m")} *restrict m, struct bits_${seed} *restrict f, int *restrict out, int one) {
#pragma acc serial copy(a[0:16], m[0:40], f[0:8], out[0:48])
  {
    int o = 0, i, j, k, l;
    ${of("x")} x = ${pick(90)}; ${of("y")} y = ${pick(90)};
    ${of("t")} t[8] = ${list(8)}; ${of("u")} u[40] = ${list(40)}; ${of("b")} b[80] = ${list(9)}; ${of("g")} g[70] = ${list(30)};
    ${of("c")} c[2][8] = {${list(8)}, ${list(5)}};
    struct { ${of("s")} n; ${of("x")} z[2]; } s[8] = {{1, {2, 3}}, {4, {5, 6}}};
    ${bits} w = {1, 2, 1, 3}; ${bits} v[4] = {{1, 2, 0, 3}, {7, -4, 1, 300}};
    ${of("u")} *p; ${of("g")} *h; ${of("m")} *q, *r;
${body}    out[o++] = x; out[o++] = y; out[o++] = i + 10 * j + 100 * k; out[o++] = p - u; out[o++] = h - g; out[o++] = q - m; out[o++] = r - m;
    out[o++] = w.d + 8 * w.e + 1000 * w.o;
    int all = 0;
    for (l = 0; l < 8; l++) all = all * 3 + t[l] + 5 * b[l] + 7 * c[0][l] + 11 * c[1][l] + s[l].n + 13 * s[l].z[1];
    for (l = 0; l < 40; l++) all = all * 3 + u[l] + 5 * g[l];
    for (l = 0; l < 4; l++) all = all * 3 + v[l].d + 5 * v[l].e + 7 * v[l].o;
    out[o++] = all;
  }
}
`;
  return {
    source,
    given: {
      a: { bytes: sizeOf(of("a")), values: of("a") === "_Bool" ? values(16).map((n) => n & 1) : values(16) },
      m: { bytes: sizeOf(of("m")), values: of("m") === "_Bool" ? values(40).map((n) => n & 1) : values(40) },
      f: { bytes: 4, values: values(8).map((n) => n * 37) },
      out: { bytes: 4, values: values(48) },
      // Constants crash gcc 12: `b %= 1` of a _Bool.
      one: 1,
    },
  };
}
