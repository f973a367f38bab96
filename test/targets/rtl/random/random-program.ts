/**
 * Random kernels of what programs in C are made of: structs, unions and bit-fields, functions with loops of their own, local
 * arrays that iterations hand values on through, nests with bounds that change, switches, early exits, numbers of 64 bits.
 * A seed gives the same kernel always; nothing in it is undefined where signed integers wrap around.
 */
import { type Random, type RandomKernel, random } from "./random-kernel.ts";

const integers = [
  ["signed char", 1],
  ["unsigned char", 1],
  ["short", 2],
  ["unsigned short", 2],
  ["int", 4],
  ["int", 4],
  ["unsigned", 4],
  ["long", 8],
  ["unsigned long", 8],
] as const;

interface Variable {
  /** With `@` for an index below `size`, a power of two. */
  readonly text: string;
  readonly size?: number;
}

interface Scope {
  readonly reads: readonly Variable[];
  readonly writes: readonly Variable[];
  /** Loop variables. */
  readonly counters: readonly string[];
  /** Functions of a value, and how many values they take. */
  readonly functions: readonly (readonly [name: string, parameters: number])[];
  /** Statements that are only valid here. */
  readonly special: readonly ((scope: Scope) => string)[];
  /** Loops around. */
  readonly loops: number;
  /** Statements that leave the enclosing construct. */
  readonly exits: readonly string[];
}

class Program {
  private depth = 0;
  private names = 0;
  private readonly pick: Random;
  constructor(pick: Random) {
    this.pick = pick;
  }

  chance = (one: number): boolean => this.pick(one) === 0;
  one = <T>(list: readonly T[]): T => list[this.pick(list.length)] as T;
  times = <T>(least: number, most: number, make: (k: number) => T): T[] =>
    Array.from({ length: least + this.pick(most - least + 1) }, (_, k) => make(k));
  type = (): string => this.one(integers)[0];
  fresh = (stem: string): string => `${stem}${this.names++}`;

  literal(): string {
    const { pick } = this;
    switch (pick(9)) {
      case 0:
        return `${pick(2147483646)}u`;
      case 1:
        return `(${pick(2147483646)} * ${pick(2000000000)}L)`;
      case 2:
        return this.one([
          "2147483647",
          "(-2147483647 - 1)",
          "255",
          "-128",
          "65535",
          "0x80000000u",
          "-1L",
          "'a'",
        ]);
      default:
        return pick(2) ? `${pick(40)}` : `(-${pick(300)})`;
    }
  }

  index(scope: Scope, size: number): string {
    const simple = [
      ...scope.counters,
      ...scope.counters,
      ...scope.reads.flatMap((v) => (v.size ? [] : [v.text])),
    ];
    const at = this.one(simple);
    return `(${this.one([at, at, `${at} + ${this.pick(size)}`, `${at} - ${this.pick(4)}`, `${size - 1} - ${at}`, `${at} * 3`])}) & ${size - 1}`;
  }

  place(scope: Scope, { text, size }: Variable): string {
    return size === undefined ? text : text.replace("@", this.index(scope, size));
  }

  leaf(scope: Scope): string {
    const kind = this.pick(12);
    if (kind < 2) return this.literal();
    if (kind < 4 && scope.counters.length > 0) return this.one(scope.counters);
    if (kind === 4 && scope.functions.length > 0 && this.depth < 4) {
      const [name, parameters] = this.one(scope.functions);
      return `${name}(${Array.from({ length: parameters }, () => this.expression(scope)).join(", ")})`;
    }
    return this.place(scope, this.one(scope.reads));
  }

  expression(scope: Scope): string {
    if (this.depth > 3 || this.pick(3) === 0) return this.leaf(scope);
    this.depth++;
    const [a, b] = [this.expression(scope), this.expression(scope)];
    const made = this.combined(scope, a, b);
    this.depth--;
    return made;
  }

  private combined(scope: Scope, a: string, b: string): string {
    const { pick } = this;
    switch (pick(16)) {
      case 0:
        return `(${a} - ${b})`;
      case 1:
        return `(${a} * ${pick(2) ? pick(30) - 8 : b})`;
      case 2:
        return `(${a} ${this.one(["&", "|", "^"])} ${b})`;
      case 3:
        return `(${a} << (${b} & ${this.one([3, 7, 15])}))`;
      case 4:
        return `(${a} >> ${pick(2) ? pick(8) : `(${b} & 15)`})`;
      case 5:
        return `(${a} ${this.one(["<", "<=", ">", ">=", "==", "!="])} ${b})`;
      case 6:
        return `(${a} ? ${b} : ${this.leaf(scope)})`;
      case 7:
        return `(${a} ${this.one(["&&", "||"])} ${b})`;
      case 8:
        return `${this.one(["~", "!", "-"])}(${a})`;
      case 9:
      case 10:
        return `(${this.type()})(${a})`;
      case 11:
        return `(${a} ${this.one(["/", "%"])} ${pick(3) ? this.one(["3", "7", "10", "-5", "16", "1000u", "-8L"]) : `((${b} & 31) + 1)`})`;
      case 12:
        return `(${a} ^ ${a})`;
      default:
        return `(${a} + ${b})`;
    }
  }

  assignment(scope: Scope): string {
    const to = this.place(scope, this.one(scope.writes));
    switch (this.pick(10)) {
      case 0:
        return `${to}${this.one(["++", "--"])};`;
      case 1:
        return `${to} ${this.one(["<<=", ">>="])} ${this.expression(scope)} & 7;`;
      case 2:
        return `${to} ${this.one(["*=", "|=", "&="])} ${this.expression(scope)};`;
      case 3:
      case 4:
      case 5:
        return `${to} ${this.one(["+=", "-=", "^="])} ${this.expression(scope)};`;
      default:
        return `${to} = ${this.expression(scope)};`;
    }
  }

  block(scope: Scope, level: number): string {
    let inside = scope;
    const made: string[] = [];
    if (this.chance(4)) {
      const name = this.fresh("b");
      made.push(`${this.type()} ${name} = ${this.expression(scope)};`);
      inside = {
        ...scope,
        reads: [...scope.reads, { text: name }, { text: name }],
        writes: [...scope.writes, { text: name }],
      };
    }
    made.push(...this.times(1, 3, () => this.statement(inside, level)));
    return made.join(" ");
  }

  statement(scope: Scope, level: number): string {
    if (scope.special.length > 0 && this.chance(6)) return this.one(scope.special)(scope);
    switch (this.pick(level > 2 ? 5 : 11)) {
      case 5:
        return `if (${this.expression(scope)}) { ${this.block(scope, level + 1)} }`;
      case 6:
        return `if (${this.expression(scope)}) { ${this.block(scope, level + 1)} } else { ${this.block(scope, level + 1)} }`;
      case 7:
        return this.chance(2) ? this.selection(scope, level) : this.assignment(scope);
      case 8:
        return scope.loops < 3 ? this.loop(scope, level, true) : this.assignment(scope);
      case 9:
        return scope.exits.length > 0
          ? `if (${this.expression(scope)}) ${this.one(scope.exits)}`
          : this.assignment(scope);
      default:
        return this.assignment(scope);
    }
  }

  /** Cases that end, that fall through and that end the iteration. */
  private selection(scope: Scope, level: number): string {
    const leaves = this.chance(4) ? scope.exits.filter((exit) => exit === "continue;") : [];
    const inside = { ...scope, exits: leaves };
    const labels = [...new Set(this.times(1, 4, () => this.pick(8)))];
    const cases = labels.map(
      (label) => `case ${label}: ${this.block(inside, level + 1)} ${this.chance(4) ? "" : "break;"}`,
    );
    if (this.chance(2))
      cases.splice(this.pick(cases.length + 1), 0, `default: ${this.block(inside, level + 1)} break;`);
    return `switch (${this.expression(scope)} & 7) { ${cases.join(" ")} }`;
  }

  /** A loop of few iterations, whatever its body does. */
  loop(scope: Scope, level: number, inner: boolean): string {
    const { pick } = this;
    const name = this.fresh("i");
    const counted: Scope = {
      ...scope,
      counters: [...scope.counters, name, name],
      loops: scope.loops + 1,
      exits: ["break;", "continue;", ...scope.exits.filter((exit) => /^(return|goto)/.test(exit))],
    };
    const most = inner ? 4 : 12;
    const bound = () =>
      this.one([
        `${1 + pick(most)}`,
        inner ? "(n & 3)" : "n",
        `(${this.place(scope, this.one(scope.reads))} & ${inner ? 3 : 7})`,
        scope.counters.length > 0 && scope.loops < 2
          ? `(${this.one(scope.counters)} & 7)`
          : `${1 + pick(most)}`,
      ]);
    const body = () => this.block(counted, level + 1);
    const type = this.one(["int", "int", "int", "unsigned", "short", "unsigned char", "long"]);
    switch (pick(9)) {
      case 0:
        return `for (int ${name} = ${bound()}; ${name} ${this.one(["> 0", ">= 0", "!= 0"])}; ${name}--) { ${body()} }`;
      case 1:
        return `for (${type} ${name} = ${pick(4)}; ${name} <= ${bound()}; ${name} += ${1 + pick(3)}) { ${body()} }`;
      case 2:
        return `{ int ${name} = 0; while (${this.expression(scope)} && ${name} < ${inner ? 3 : 9}) { ${name}++; ${body()} } }`;
      case 3:
        return `{ int ${name} = 0; do { ${body()} } while (++${name} < ${bound()}); }`;
      case 4:
        return `for (unsigned ${name} = (unsigned)${this.expression(scope)} & ${inner ? 7 : 63}; ${name} != 0; ${this.one([`${name} >>= 1`, `${name} &= ${name} - 1`, `${name} /= 3`])}) { ${body()} }`;
      default:
        return `for (${type} ${name} = 0; ${name} < ${bound()}; ${name}++) { ${body()} }`;
    }
  }
}

const nothing: Scope = {
  reads: [],
  writes: [],
  counters: [],
  functions: [],
  special: [],
  loops: 0,
  exits: [],
};
const named = (name: string): Variable => ({ text: name });

/** A function of values, which may have a loop and return early or jump to its end. */
function valueFunction(p: Program, name: string, functions: Scope["functions"]): string {
  const parameters = ["p", "q"];
  const own = [...parameters, "r"].map(named);
  const scope: Scope = { ...nothing, reads: own, writes: own, functions };
  const leaving: Scope = { ...scope, exits: [`return ${p.expression(scope)};`, "goto out;"] };
  const early = p.chance(2) ? `if (${p.expression(scope)}) return ${p.expression(scope)};` : "";
  const loop = p.chance(2) ? p.loop(p.chance(2) ? leaving : scope, 1, true) : "";
  const left = loop.includes("goto out;") ? `${p.assignment(scope)} out:` : "";
  return `static ${p.type()} ${name}(${parameters.map((q) => `${p.type()} ${q}`).join(", ")}) {
  int n = 5; ${p.type()} r = ${p.literal()};
  ${p.assignment(scope)} ${early} ${loop} ${left}
  return ${p.expression(scope)};
}`;
}

/** Numbers of a size, most of them small. */
const contents = (pick: Random, bytes: number, size: number) => ({
  bytes,
  values: Array.from({ length: size }, () => (pick(3) ? pick(60) - 30 : pick(2147483646) - 1073741823)),
});

export function randomProgram(seed: number): RandomKernel {
  const pick = random(seed);
  const p = new Program(pick);
  const n = pick(12) + 1;
  const arrays = ["a", "b", "m", "o"].map((name) => {
    const [type, bytes] = p.one(integers);
    return { name, type, bytes, written: name === "m" || name === "o" };
  });
  const [memberType, memberBytes] = p.one(integers);
  const [wordType, fieldType] = p.one([
    ["unsigned", "unsigned"],
    ["unsigned long", "long"],
  ] as const);
  const long = wordType === "unsigned long";
  const [low, mid] = [1 + pick(12), 1 + pick(12)];
  const parts = long ? 8 : 4;

  const types = `struct record { ${memberType} u, v, of[2]; };
struct mixed { ${p.type()} c; ${p.type()} d; struct record in; };
struct packed { unsigned low : ${low}; signed mid : ${mid}; ${fieldType} high : ${long ? p.one([31, 40]) : 8}; };
union word { ${wordType} all; short half[${parts / 2}]; unsigned char bytes[${parts}]; struct packed fields; };`;

  const functions: [string, number][] = [];
  const texts: string[] = [];
  for (const name of ["f0", "f1"]) {
    texts.push(valueFunction(p, name, [...functions]));
    functions.push([name, 2]);
  }
  const [elementType] = p.one(integers);
  const onArray: Scope = {
    ...nothing,
    reads: [named("at"), named("by"), { text: "t[@]", size: 8 }],
    writes: [{ text: "t[@]", size: 8 }],
    counters: [],
    functions,
  };
  texts.push(`static int walk(${elementType} *t, int at, ${p.type()} by) {
  int n = 3; ${p.assignment(onArray)} ${p.chance(2) ? p.loop(onArray, 1, true) : ""}
  return ${p.expression(onArray)};
}`);
  const onRecord: Scope = {
    ...nothing,
    reads: [named("r.u"), named("r.v"), { text: "r.of[@]", size: 2 }, named("by")],
    writes: [named("r.u"), named("r.v"), { text: "r.of[@]", size: 2 }],
  };
  texts.push(`static struct record turned(struct record r, ${p.type()} by) {
  ${p.assignment(onRecord)} ${p.chance(2) ? `if (${p.expression(onRecord)}) return r;` : ""} ${p.assignment(onRecord)}
  return r;
}`);
  const onPlace: Scope = { ...nothing, reads: [named("*to"), named("by")], writes: [named("(*to)")] };
  const locals = ["x", "y", "z", "sum"].map((name) => ({ name, type: p.type() }));
  texts.push(`static void move(${locals[0]?.type} *to, ${p.type()} by) {
  ${p.chance(2) ? `if (${p.expression(onPlace)}) ` : ""}${p.assignment(onPlace)} ${p.assignment(onPlace)}
}`);

  const records = ["u", "v"];
  const reads: Variable[] = [
    ...locals.map((l) => named(l.name)),
    ...locals.map((l) => named(l.name)),
    named("n"),
    ...arrays.filter((a) => a.name !== "o").map((a) => ({ text: `${a.name}[@]`, size: 16 })),
    ...records.flatMap((m) => [
      named(`r.${m}`),
      { text: `ring[@].${m}`, size: 4 },
      { text: `q[@].${m}`, size: 8 },
    ]),
    { text: "r.of[@]", size: 2 },
    named("mix.c"),
    named("mix.in.v"),
    { text: "t[@]", size: 64 },
    { text: "s[@]", size: 8 },
    { text: "table[@]", size: 16 },
    named("w.all"),
    { text: "w.half[@]", size: parts / 2 },
    { text: "w.bytes[@]", size: parts },
    named("w.fields.low"),
    named("w.fields.mid"),
    { text: "k[@].mid", size: 8 },
  ];
  // Values wider than an int keep their width in gcc's expressions.
  const high = [named("w.fields.high"), { text: "k[@].high", size: 8 }];
  const constant = (text: string) => ["n", "table", "a[", "b["].some((start) => text.startsWith(start));
  const writes = [
    ...reads.filter((v) => !constant(v.text)),
    ...high,
    { text: "o[@]", size: 16 },
    { text: "o[@]", size: 16 },
  ];
  const special: Scope["special"] = [
    (scope) => `ring[${p.index(scope, 4)}] = r;`,
    (scope) => `r = ${p.one(["ring", "q"])}[${p.index(scope, p.chance(2) ? 4 : 2)}];`,
    (scope) => `q[${p.index(scope, 8)}] = ${p.one(["r", "mix.in"])};`,
    (scope) => `mix.in = turned(r, ${p.expression(scope)});`,
    (scope) => `r = turned(${p.one(["r", "mix.in", `ring[${p.index(scope, 4)}]`])}, ${p.expression(scope)});`,
    (scope) => `y ${p.one(["=", "+="])} walk(s, ${p.expression(scope)}, ${p.expression(scope)});`,
    (scope) => `move(&x, ${p.expression(scope)});`,
    (scope) =>
      `{ struct mixed own = { ${p.expression(scope)}, 1, ${p.one(["r", `ring[${p.index(scope, 4)}]`, `turned(r, ${p.expression(scope)})`])} }; ${p.one(["mix", "mix", "own"])} = own; r = own.in; }`,
    (scope) =>
      `{ struct record own[2] = { ${p.one(["mix.in", `q[${p.index(scope, 8)}]`])}, { f0(${p.expression(scope)}, 3), 4 } }; r = own[${p.index(scope, 2)}]; }`,
    () => `w.fields = k[${pick(8)}];`,
    (scope) => `k[${p.index(scope, 8)}] = w.fields;`,
    (scope) =>
      `{ union word v = w; v.all ^= ${p.expression(scope)}; w.bytes[${pick(parts)}] = v.bytes[${p.index(scope, parts)}]; }`,
  ];
  const seen = high.map((v) => ({ ...v, text: `(${fieldType})${v.text}` }));
  const kernel: Scope = { ...nothing, reads: [...reads, ...seen], writes, functions, special };
  const loops = p.times(1, 3, () => p.loop(kernel, 0, false));
  const between = p.times(0, 2, () => p.assignment({ ...kernel, counters: ["n"] }));
  const body = loops.flatMap((loop, at) => [...(between[at] ? [between[at]] : []), loop]);
  const used = (name: RegExp, text: string) => (body.some((one) => name.test(one)) ? text : "");

  const parameters = [
    "int n",
    ...arrays.map((a) => `${a.type} *restrict ${a.name}`),
    "struct record *restrict q",
    "struct packed *restrict k",
    "long *restrict last",
  ];
  const source = `${types}
${texts.join("\n")}
void work(${parameters.join(", ")}) {
#pragma acc serial copyin(a[0:16], b[0:16]) copy(m[0:16], o[0:16], q[0:8], k[0:8], last[0:12])
  {
    ${locals.map((l) => `${l.type} ${l.name} = ${pick(200) - 100};`).join(" ")}
    const short table[16] = { ${p.times(3, 16, () => pick(2000) - 700).join(", ")} };
    struct record r = ${p.one([`{ 1, -2, { 3, ${pick(99)} } }`, `{ .of = { n, [1] = ${pick(99)} }, .u = 1 }`])};
    struct record ring[4] = { r, [3].of[1] = ${pick(99)}, [1] = { n, 2, 3 } };
    struct mixed mix = ${p.one(["{ 9, 10, r }", "{ .in = ring[n & 3], .d = 10 }", `{ 9, 10, n, -2, 3, ${pick(9)} }`])};
    ${p.chance(2) ? "for (int i = 0; i < 4; i++) { ring[i] = r; ring[i].u = 5 * i; }" : ""}
    union word w = { .all = ${pick(100000)} };
    ${used(/\bs[[,]/, `${elementType} s[8] = { 1, -2, 3, ${pick(99)} };`)}
    ${used(/\bt\[/, `${p.type()} t[64] = { 0, ${pick(99)}, -3 };`)}
    ${body.join("\n    ")}
    ${locals.map((l, at) => `last[${at}] = ${l.name};`).join(" ")}
    last[4] = r.u + 3 * r.v + 5 * r.of[0] + 7 * r.of[1]; last[5] = mix.c - mix.d + mix.in.u + mix.in.of[1]; last[6] = w.all;
    ${used(/\bring\[/, "for (int i = 0; i < 4; i++) last[7] = last[7] * 31 + ring[i].u - ring[i].v + ring[i].of[1];")}
    ${used(/\bs[[,]/, "for (int i = 0; i < 8; i++) last[8] = last[8] * 31 + s[i];")}
    ${used(/\bt\[/, "for (int i = 0; i < 64; i++) last[9] = last[9] * 31 + t[i];")}
  }
}`;
  return {
    // Programs share one file.
    source: source.replace(/\b(record|mixed|packed|word|table|f[01]|walk|turned|move)\b/g, `$1_${seed}`),
    given: {
      n,
      ...Object.fromEntries(arrays.map((a) => [a.name, contents(pick, a.bytes, 16)])),
      q: contents(pick, memberBytes, 32),
      k: contents(pick, parts, 8),
      last: { bytes: 8, values: Array.from({ length: 12 }, () => 0) },
    },
  };
}

/** Two or three kernels that hand values on through channels. */
export function randomChannels(seed: number): RandomKernel {
  const pick = random(seed);
  const p = new Program(pick);
  const size = 8 + pick(40);
  const [a, b] = [p.one(integers), p.one(integers)];
  const counts = [1 + pick(2), ...(p.chance(2) ? [1 + pick(2)] : [])];
  const links = counts.map((count, k) =>
    Array.from({ length: count }, (_, c) => ({ name: `t${k}${c}`, type: p.type() })),
  );
  // A value may pass a kernel by.
  const past = counts.length > 1 && p.chance(2) ? [{ name: "past", type: p.type() }] : [];
  const kernel = (at: number): string => {
    const into = [...(links[at - 1] ?? []), ...(at === 2 ? past : [])];
    const out = [...(links[at] ?? []), ...(at === 0 ? past : [])];
    const own = [named("v"), ...(at === 0 ? [{ text: "a[@]", size: 32 }] : [])];
    const scope: Scope = {
      ...nothing,
      reads: [...own, ...into.map(({ name }) => named(`got_${name}`))],
      writes: [named("v")],
      counters: ["i"],
      loops: 3,
    };
    const clauses = [
      into.length > 0 ? `pipein(${into.map(({ name }) => name).join(", ")})` : "",
      out.length > 0 ? `pipeout(${out.map(({ name }) => name).join(", ")})` : "",
    ];
    const body = [
      ...into.map(({ name, type }) => `${type} got_${name} = ${name}[i];`),
      `${p.type()} v = ${p.expression({ ...scope, reads: scope.reads.filter((r) => r.text !== "v") })};`,
      ...p.times(0, 2, () => p.statement(scope, 1)),
      ...out.map(({ name }) => `${name}[i] = ${p.expression(scope)};`),
      ...(out.length === 0 ? [`b[i] = ${p.expression(scope)};`] : []),
    ];
    return `#pragma acc serial loop ${clauses.join(" ")}
    for (int i = 0; i < ${size}; i++) { ${body.join(" ")} }`;
  };
  const channels = [...links.flat(), ...past];
  const source = `void work(${a[0]} *restrict a, ${b[0]} *restrict b) {
  ${channels.map(({ name, type }) => `${type} ${name}[${size}];`).join(" ")}
#pragma acc data copyin(a[0:32]) copy(b[0:${size}]) pipe(${channels.map(({ name }) => name).join(", ")})
  {
${Array.from({ length: links.length + 1 }, (_, at) => kernel(at)).join("\n")}
  }
}`;
  return { source, given: { a: contents(pick, a[1], 32), b: contents(pick, b[1], size) } };
}
