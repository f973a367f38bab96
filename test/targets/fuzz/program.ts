/**
 * Random OpenACC functions without undefined behaviour or races, whose results do not depend on the
 * directives. Views keep them free of races: a view is a piece of an array that the current
 * code owns. A parallel loop splits the views around it into one piece per iteration, or makes them read-only.
 */
import {
  bounded,
  type CArray,
  type Context,
  type Reduced,
  type Scalar,
  type Summed,
  type View,
} from "./context.ts";
import { type Header, header } from "./header.ts";
import { copy, exits, filled, type HostArray, hostArray, shown } from "./host-arrays.ts";
import { members, object } from "./objects.ts";
import type { Tape } from "./tape.ts";
import {
  condition,
  expression,
  fit,
  INT,
  integer,
  subscript,
  sum,
  types,
  type Value,
  variable,
} from "./values.ts";

const COUNTS = [3, 1, 5, 0, 2, 7, 13, 31, 37, 67, 129, 257] as const;
const OPS = ["+", "max", "min", "*", "&", "|", "^", "&&", "||"] as const;

/** One function, printing a line per result; `name` is unique in its program. */
export function makeFunction(tape: Tape, name: string): string {
  return new Generator(tape, name).make();
}

/** A piece of code, the objects usable after it, and the host variable that it reduces into. */
interface Made {
  readonly lines: readonly string[];
  readonly context?: Context;
  readonly reducedHost?: string;
}

/** Code for a construct's private variable: before the construct, in its directive and at the start of its block. */
interface OwnCopy {
  readonly before: readonly string[];
  readonly clause: string;
  readonly first: readonly string[];
  readonly context: Context;
}

/** A combined `parallel loop` for a construct that contains only a loop. */
function asOneConstruct(
  construct: string,
  clauses: readonly string[],
  body: readonly string[],
): readonly string[] | undefined {
  const [directive = "", ...loop] = body;
  if (!directive.startsWith("#pragma acc loop")) return undefined;
  // One directive cannot both copy a variable for each gang and reduce it.
  const reduced = [...directive.matchAll(/reduction\([^:]*:\s*(\w+)/g)].map(([, name]) => name as string);
  if (reduced.some((name) => clauses.some((c) => c === `private(${name})` || c === `firstprivate(${name})`)))
    return undefined;
  let depth = 0;
  const end = loop.findIndex((line) => {
    const before = depth;
    for (const c of line) depth += c === "{" ? 1 : c === "}" ? -1 : 0;
    return depth === 0 && before > 0;
  });
  if (end !== loop.length - 1) return undefined;
  return [`#pragma acc ${construct} ${directive.slice("#pragma acc ".length)} ${clauses.join(" ")}`, ...loop];
}

class Generator {
  private readonly tape: Tape;
  private readonly name: string;
  private names = 0;
  /** Host variables that the current region reduces into. */
  private reducedHosts: Scalar[] = [];
  /** Declarations before the function. */
  private readonly outside: string[] = [];
  /** The number of statements left: keeps programs small. */
  private budget = 30;
  /** A queue whose work has not been waited for yet. */
  private pending: number | undefined;

  constructor(tape: Tape, name: string) {
    this.tape = tape;
    this.name = name;
  }

  private fresh(letter: string): string {
    return `${letter}${this.names++}`;
  }

  make(): string {
    const lines: string[] = [];
    const after: string[] = [];
    const arrays = this.hostArrays();
    for (const a of arrays) {
      (a.isGlobal ? this.outside : lines).push(a.declaration);
      if (a.release !== undefined) after.push(a.release);
    }
    lines.push(...arrays.flatMap((a) => [filled(a), ...(a.before ?? [])]));
    const scalars: Scalar[] = [];
    for (let k = this.tape.below(3); k >= 0; k--) {
      const type = this.tape.of(types);
      const where = this.tape.of(["", "", "static ", "file"]);
      const local = this.fresh("s");
      const s = { name: where === "file" ? `g_${this.name}_${local}` : local, type, writable: false };
      scalars.push(s);
      if (where === "file") this.outside.push(`static ${type.name} ${s.name} = 5;`);
      const value = type.name === "_Bool" ? 1 : 1 + this.tape.below(60);
      lines.push(where === "file" ? `${s.name} = ${value};` : `${where}${type.name} ${s.name} = ${value};`);
    }

    const inData = this.tape.below(3);
    const regions = 1 + this.tape.below(3);
    const body: string[] = [];
    const spent = new Set<string>();
    for (let r = 0; r < regions; r++) {
      const left = arrays.filter((a) => !spent.has(a.name));
      body.push(...this.region(left, scalars, inData > 0, spent));
      if (inData > 0 && this.tape.once(3)) {
        const a = this.tape.of(arrays);
        const at = this.tape.below(a.length);
        const piece = a.pieceAt?.(at) ?? a.clause;
        body.push(
          ...this.waiting(),
          `#pragma acc update self(${piece})`,
          `${a.element(String(at))} = ${fit(integer(`(int)${a.element(String(at))} / 2 + 1`, 1000), a.type)};`,
          `#pragma acc update device(${piece})`,
        );
      }
    }
    body.push(...this.waiting());
    const all = arrays.map(copy).join(" ");
    const [enter, exit] = [all.replaceAll(/\bcopy\(/g, "copyin("), exits(arrays)];
    if (inData === 1) lines.push(`#pragma acc data ${all}`, "{", ...body, "}");
    else if (inData === 2)
      lines.push(
        ...(enter.trim() ? [`#pragma acc enter data ${enter}`] : []),
        ...body,
        ...(exit.trim() ? [`#pragma acc exit data ${exit}`] : []),
      );
    else lines.push(...body);

    for (const a of arrays) {
      lines.push(
        ...(a.last ?? []),
        `{ unsigned long h = 0; for (int k = 0; k < ${a.length}; k++) ${shown(a.type, a.element("k"))} printf("${this.name} ${a.name} %lx\\n", h); }`,
      );
    }
    for (const s of scalars)
      lines.push(
        s.type.kind === "u"
          ? `printf("${this.name} ${s.name} %lu\\n", (unsigned long)${s.name});`
          : `printf("${this.name} ${s.name} %.17g\\n", (double)${s.name});`,
      );
    lines.push(`printf("${this.name} end\\n");`, ...after);
    return `${this.outside.map((line) => `${line}\n`).join("")}static void ${this.name}(void) {\n${lines.join("\n")}\n}\n`;
  }

  private hostArrays(): readonly HostArray[] {
    const count = 1 + this.tape.below(4);
    return Array.from({ length: count }, () => hostArray(this.tape, this.fresh("a"), this.name));
  }

  /** Waits for unfinished work. */
  private waiting(): string[] {
    if (this.pending === undefined) return [];
    const queue = this.pending;
    this.pending = undefined;
    return [this.tape.once(2) ? `#pragma acc wait(${queue})` : "#pragma acc wait"];
  }

  // ---------------------------------------------------------------- regions

  private region(
    arrays: readonly HostArray[],
    scalars: readonly Scalar[],
    inData: boolean,
    /** Arrays that no later region may use; this region adds to them. */
    spent: Set<string>,
  ): string[] {
    this.budget = 8 + this.tape.below(18);
    const construct = this.tape.of(["parallel", "kernels", "serial", "parallel", "parallel"]);
    const clauses: string[] = [];
    for (const a of arrays) if (inData ? a.partial : a.pointer || this.tape.once(2)) clauses.push(copy(a));
    if (inData && this.tape.once(4)) clauses.push("default(present)");
    if (construct === "parallel") {
      if (this.tape.once(3)) clauses.push(`num_gangs(${this.tape.of([1, 3, 7, 20, 1000])})`);
      if (this.tape.once(4)) clauses.push(`num_workers(${this.tape.of([1, 2, 4, 8, 32])})`);
      if (this.tape.once(3)) clauses.push(`vector_length(${this.tape.of([32, 64, 1, 256, 1024, 33])})`);
    }
    // Arrays that exist only on the device are not accessible on the host.
    const elsewhere = !inData && !arrays.some((a) => a.resident) && this.tape.once(9);
    if (elsewhere) clauses.push(this.tape.of(["if(1)", "if(0)", "self(0)", "self"]));
    const before: string[] = [];
    const async = this.tape.once(6) ? this.tape.of([1, 1, 2]) : undefined;
    if (async !== undefined) clauses.push(`async(${async})`);
    if (this.pending !== undefined && (elsewhere || this.pending !== async || this.tape.once(3))) {
      if (elsewhere || this.tape.once(2)) before.push(...this.waiting());
      else clauses.push(this.tape.once(2) ? `wait(${this.pending})` : "wait");
      this.pending = undefined;
    }

    const gangs = construct === "parallel";
    const atomics: Summed[] = [];
    const views: View[] = [];
    for (const a of arrays) {
      if (
        gangs &&
        /^(int|unsigned|float|double|(unsigned )?long( long)?)$/.test(a.type.name) &&
        this.tape.once(6)
      ) {
        const op = a.type.kind === "f" ? "+" : this.tape.of(["+", "+", "|", "&", "^"] as const);
        atomics.push({ array: a, op });
        // The sums exceed the bounds that later code could rely on.
        spent.add(a.name);
        continue;
      }
      const mode = gangs ? (this.tape.once(3) ? "ro" : "gangs") : "rw";
      views.push({ array: a, base: "0", length: a.length, mode });
    }
    const written: string[] = [];
    const own = scalars.map((s) => {
      const writable = construct === "kernels" || (construct === "serial" && this.tape.once(3));
      if (writable && construct === "serial") written.push(s.name);
      return { ...s, writable };
    });
    if (written.length) clauses.push(`copy(${written.join(", ")})`);
    const context: Context = {
      where: gangs ? "gangs" : "sequential",
      levels: ["gang", "worker", "vector"],
      kernels: construct === "kernels",
      views,
      scalars: own,
      structs: [],
      reduced: [],
      iterations: [],
      runs: 1,
      depth: 0,
      leave: "none",
      atomics,
    };
    const hosts = scalars.filter(() => gangs);
    this.reducedHosts = [];
    const copies = construct === "kernels" ? undefined : this.ownCopy(context);
    if (copies) {
      before.push(...copies.before);
      clauses.push(copies.clause);
    }
    const body = [...(copies?.first ?? []), ...this.block(copies?.context ?? context, hosts)];
    if (construct !== "kernels") {
      const taken = new Set([...written, ...this.reducedHosts.map((s) => s.name)]);
      const first = this.tape.some(
        scalars.filter((s) => !taken.has(s.name)),
        4,
      );
      if (first.length) clauses.push(`firstprivate(${first.map((s) => s.name).join(", ")})`);
    }
    const joined = this.tape.once(2) ? asOneConstruct(construct, clauses, body) : undefined;
    const lines = [
      ...before,
      ...(joined ?? [`#pragma acc ${construct} ${clauses.join(" ")}`, "{", ...body, "}"]),
    ];
    this.pending = async;
    // The host must wait before it reads results.
    const returns = construct === "kernels" || written.length + this.reducedHosts.length > 0;
    if (returns || !this.tape.once(2)) lines.push(...this.waiting());
    lines.push(...this.reducedHosts.flatMap((s) => bounded(s)));
    return lines;
  }

  /** A variable, an array or a struct that each gang has a copy of. */
  private ownCopy(context: Context): OwnCopy | undefined {
    if (!this.tape.once(4)) return undefined;
    const named = this.tape.once(2) ? "private" : "firstprivate";
    if (named === "firstprivate" && this.tape.once(3)) {
      const m = this.fresh("m");
      return {
        before: [
          `struct mix ${m} = {.i = ${this.tape.below(9)}, .s = {1, 2, 3}, .b = -${this.tape.below(9)}};`,
        ],
        clause: `firstprivate(${m})`,
        first: [],
        context: { ...context, scalars: [...context.scalars, ...members(m)], structs: [m] },
      };
    }
    // Host code sets what is copied in, and does not read arrays that the device may have changed.
    const around = named === "private" ? context : { ...context, views: [] };
    const made = this.privateVariable(around);
    const views = named === "private" ? made.inner.views : [...context.views, ...made.inner.views];
    const before = [made.declaration, ...(named === "private" ? [] : [made.set])];
    const first = named === "private" ? [made.set] : [];
    return { before, clause: `${named}(${made.name})`, first, context: { ...made.inner, views } };
  }

  // ---------------------------------------------------------------- statements

  /** `hosts`: variables of the host function that a loop over gangs may still reduce into. */
  private block(given: Context, hosts: readonly Scalar[] = []): string[] {
    let context: Context = given;
    let free = [...hosts];
    const lines: string[] = [];
    const count = 1 + this.tape.below(context.depth === 0 ? 4 : 5);
    for (let k = 0; k < count && this.budget > 0; k++) {
      const made = this.statement(context, free);
      lines.push(...made.lines);
      context = made.context ?? context;
      if (made.reducedHost) {
        const name = made.reducedHost;
        free = free.filter((h) => h.name !== name);
        // The region no longer knows its value.
        context = { ...context, scalars: context.scalars.filter((s) => s.name !== name) };
      }
    }
    lines.push(...this.store(context));
    return lines;
  }

  /** Stores the last computed value in an array that is compared later. */
  private store(context: Context): string[] {
    const own = context.views.filter((v) => v.mode === "rw" && v.length > 0);
    const last = context.scalars.at(-1);
    if (own.length === 0 || !last || this.tape.below(4) === 3) return [];
    const v = this.tape.of(own);
    const target = this.element(context, v);
    const value = this.tape.once(3) ? this.value(context, 1) : variable(target, v.array.type);
    return [`${target} = ${fit(sum(value, variable(last.name, last.type)), v.array.type)};`];
  }

  private statement(context: Context, hosts: readonly Scalar[]): Made {
    this.budget--;
    const deep = context.depth >= 5;
    const parallel = context.levels.length > 0 || context.where === "sequential";
    const options: (() => Made)[] = [
      () => this.write(context),
      ...(deep || !parallel
        ? []
        : [
            () => this.loop(context, hosts),
            () => this.loop(context, hosts),
            () => this.loop(context, hosts),
          ]),
      () => this.declare(context),
      () => this.assign(context),
      () => ({ lines: this.reduce(context) }),
      () => this.localArray(context),
      ...(deep
        ? []
        : [() => this.branch(context, hosts), () => this.plainLoop(context), () => this.whileLoop(context)]),
      () => this.call(context),
      () => ({ lines: this.leave(context) }),
      ...(deep ? [] : [() => this.choose(context)]),
      () => ({ lines: this.atomic(context) }),
      () => this.object(context),
      () => this.object(context),
    ];
    return this.tape.of(options)();
  }

  private leaf(context: Context): () => Value {
    return () => {
      const readable = context.views.filter((v) => v.mode !== "gangs" && v.length > 0);
      switch (this.tape.below(6)) {
        case 1:
        case 2:
          if (context.iterations.length) {
            const i = this.tape.of(context.iterations);
            return integer(i.text, Math.max(1, i.count));
          }
          break;
        case 3:
          if (context.scalars.length) {
            const s = this.tape.of(context.scalars);
            return variable(s.name, s.type);
          }
          break;
        case 4:
        case 5:
          if (readable.length) {
            const v = this.tape.of(readable);
            return variable(this.element(context, v), v.array.type);
          }
          break;
      }
      return integer(String(this.tape.below(10)), 10);
    };
  }

  private value(context: Context, depth = 2): Value {
    return expression(this.tape, this.leaf(context), depth);
  }

  /** Some element of a view, by a subscript as in real loops. */
  private element(context: Context, v: View): string {
    const affine = context.iterations.flatMap((i) => {
      const texts: string[] = [];
      if (i.count <= v.length) {
        texts.push(i.text, `${v.length - 1} - ${i.text}`);
        if (i.count < v.length) texts.push(`${i.text} + ${v.length - i.count}`);
      }
      if (i.count * 2 <= v.length) texts.push(`2 * ${i.text}`, `2 * ${i.text} + 1`);
      return texts;
    });
    const which = this.tape.below(4);
    const at =
      affine.length && which < 3
        ? this.tape.of(affine)
        : which === 1 && context.depth < 4
          ? subscript(expression(this.tape, this.leaf({ ...context, views: [], depth: 9 }), 1), v.length)
          : String(this.tape.below(v.length));
    return v.array.element(v.base === "0" ? at : `${v.base} + (${at})`);
  }

  private write(context: Context): { lines: string[] } {
    const own = context.views.filter((v) => v.mode === "rw" && v.length > 0);
    if (own.length === 0) return this.assign(context);
    const v = this.tape.of(own);
    const target = this.element(context, v);
    const value = this.value(context);
    if (v.array.type.kind === "u" && this.tape.once(4) && value.kind !== "f")
      return { lines: [`${target} ${this.tape.of(["+=", "^=", "*="])} ${value.text};`] };
    return { lines: [`${target} = ${fit(value, v.array.type)};`] };
  }

  private declare(context: Context): { lines: string[]; context: Context } {
    const type = this.tape.of(types);
    const name = this.fresh("x");
    const lines = [`${type.name} ${name} = ${fit(this.value(context), type)};`];
    return { lines, context: { ...context, scalars: [...context.scalars, { name, type, writable: true }] } };
  }

  private assign(context: Context): { lines: string[]; context?: Context } {
    const own = context.scalars.filter((s) => s.writable);
    if (own.length === 0) return this.declare(context);
    const s = this.tape.of(own);
    if (s.type.kind === "u" && this.tape.once(2))
      return {
        lines: [
          this.tape.once(2)
            ? `${s.name}++;`
            : `${s.name} ${this.tape.of(["+=", "-=", "^="])} ${this.tape.below(9)};`,
        ],
      };
    if (s.type.kind === "s" && this.tape.once(4))
      return { lines: [`${s.name} ${this.tape.of(["%= 7", "/= 2", ">>= 1", "&= 31"])};`] };
    return { lines: [`${s.name} = ${fit(this.value(context), s.type)};`] };
  }

  private reduce(context: Context): string[] {
    if (context.reduced.length === 0) return this.write(context).lines;
    const r = this.tape.of(context.reduced);
    return [this.reduction(context, r)];
  }

  private reduction(context: Context, { name, type, op }: Reduced): string {
    const v = this.value(context, 1);
    const small = fit(v, { name: "int", kind: "s", max: type.name.endsWith("char") ? 3 : 100 });
    // Overflow in the variable's type would make the result depend on the order.
    const term =
      type.kind === "u" && v.kind === "u"
        ? v.text
        : type.name === "_Bool"
          ? `(${small}) & 1`
          : // A negative value does not fit, though it may compare as less.
            type.kind === "u" || /^unsigned (char|short)$/.test(type.name)
            ? `(${small}) & 63`
            : small;
    // A value that is compared in a wider type than the variable's would make it depend on the order, too.
    const compared = type.kind === "u" ? `(${type.name})(${term})` : `(${term})`;
    switch (op) {
      case "+":
        return `${name} += ${term};`;
      case "*":
        return `${name} *= ${type.kind === "u" ? `2 * (${term}) + 1` : `(${term}) & 1 ? -1 : 1`};`;
      case "max":
        return `if (${compared} > ${name}) ${name} = ${compared};`;
      case "min":
        return `${name} = ${compared} < ${name} ? ${compared} : ${name};`;
      case "&&":
      case "||":
        return `${name} = ${name} ${op} (${term}) > 3;`;
      default:
        return `${name} ${op}= ${op === "&" ? `(${term}) | 15` : term};`;
    }
  }

  private localArray(context: Context): { lines: string[]; context: Context } {
    const type = this.tape.of(types);
    const name = this.fresh("l");
    const length = this.tape.of([3, 1, 5, 17]);
    const array: CArray = { name, type, element: (s) => `${name}[${s}]` };
    const lines =
      this.tape.once(3) && length < 6
        ? [
            `${type.name} ${name}[${length}] = {${this.tape.below(9)}, ${this.tape.below(9)}};`.replace(
              /\{(\d+), \d+\}/,
              length === 1 ? "{$1}" : "$&",
            ),
          ]
        : [
            `${type.name} ${name}[${length}];`,
            `for (int k = 0; k < ${length}; k++) ${name}[k] = ${fit(integer(`k * ${1 + this.tape.below(9)}`, 200), type)};`,
          ];
    return {
      lines,
      context: { ...context, views: [...context.views, { array, base: "0", length, mode: "rw" }] },
    };
  }

  private object(context: Context): { lines: readonly string[]; context: Context } {
    const made = object(
      this.tape,
      context,
      (letter) => this.fresh(letter),
      () => this.value(context, 1),
    );
    return {
      lines: made.lines,
      context: {
        ...context,
        // Two names for one object would hide conflicts where a loop distributes writes.
        scalars: [...context.scalars.filter((s) => s.name !== made.replaced), ...made.scalars],
        views: [...context.views.filter((v) => v.array.name !== made.replaced), ...(made.views ?? [])],
        structs: [...context.structs, ...(made.structs ?? [])],
      },
    };
  }

  private branch(context: Context, hosts: readonly Scalar[]): { lines: string[] } {
    const test = condition(this.tape, this.leaf(context));
    // Views that a loop over gangs claims in one branch would have to be tracked after the branch.
    const inner = this.withoutGangs({ ...context, depth: context.depth + 1 });
    void hosts;
    const lines = [`if (${test}) {`, ...this.block(inner), "}"];
    if (this.tape.once(2)) lines.push("else {", ...this.block(inner), "}");
    return { lines };
  }

  private withoutGangs(context: Context): Context {
    if (context.where !== "gangs") return context;
    return {
      ...context,
      levels: context.levels.filter((l) => l !== "gang"),
      views: context.views.filter((v) => v.mode !== "gangs"),
    };
  }

  private leave(context: Context): string[] {
    if (context.leave === "none") return this.write(context).lines;
    const word = context.leave === "both" && this.tape.once(2) ? "break" : "continue";
    return [`if (${condition(this.tape, this.leaf(context))}) ${word};`];
  }

  /** A loop without a directive. */
  private plainLoop(context: Context): { lines: string[] } {
    const count = this.tape.of(COUNTS.slice(0, 8).filter((n) => n * context.runs <= 4000));
    const header = this.header(context, count, this.tape.once(4));
    const inner = this.withoutGangs({
      ...context,
      // In a kernels region the compiler may parallelise such a loop.
      depth: context.depth + 1,
      runs: context.runs * Math.max(1, count),
      leave: "both",
      iterations: [...context.iterations, { text: header.index, count }],
    });
    return { lines: [`for (${header.text}) {`, ...this.block(inner), "}"] };
  }

  private whileLoop(context: Context): { lines: string[] } {
    const name = this.fresh("w");
    const count = this.tape.of([2, 1, 0, 3].filter((n) => n * context.runs <= 4000));
    const inner = this.withoutGangs({
      ...context,
      depth: context.depth + 1,
      runs: context.runs * Math.max(1, count),
      leave: "both",
      iterations: [...context.iterations, { text: name, count: count + 1 }],
    });
    const body = this.block(inner);
    return {
      lines:
        count > 0 && this.tape.once(3)
          ? [`int ${name} = 0;`, "do {", `${name}++;`, ...body, `} while (${name} < ${count});`]
          : [`int ${name} = 0;`, `while (${name} < ${count}) {`, `${name}++;`, ...body, "}"],
    };
  }

  private choose(context: Context): { lines: string[] } {
    const inner = this.withoutGangs({
      ...context,
      depth: context.depth + 1,
      leave: context.leave === "none" ? "none" : "continue",
    });
    return {
      lines: [
        `switch (${subscript(this.value(context, 1), 4)}) {`,
        "case 0: {",
        ...this.block(inner),
        this.tape.once(4) ? "}" : "} break;",
        "case 2: {",
        ...this.block(inner),
        "} break;",
        ...(this.tape.once(2) ? ["default: {", ...this.block(inner), "}"] : []),
        "}",
      ],
    };
  }

  private call(context: Context): { lines: string[]; context?: Context } {
    const a = fit(this.value(context, 1), INT);
    const ints = context.scalars.filter((s) => s.writable && s.type === INT);
    const rows = context.views.filter(
      (v) =>
        v.mode === "rw" &&
        v.array.type === INT &&
        v.length > 0 &&
        v.array.element("0").endsWith("[0]") &&
        !v.array.element("0").includes("/"),
    );
    const which = this.tape.below(6);
    const s = ints.length ? this.tape.of(ints) : undefined;
    const row = rows.length ? this.tape.of(rows) : undefined;
    if (which === 1 && s) return { lines: [`bump(&${s.name}, ${a});`] };
    if (which === 2 && row) return { lines: [`bump(&${this.element(context, row)}, ${a});`] };
    const vector = context.levels.includes("vector") && !(context.kernels && context.where === "sequential");
    if (which === 3 && row && vector)
      return { lines: [`fill(&${row.array.element(row.base)}, ${row.length}, ${a});`] };
    if (which === 5 && row && vector && context.levels.includes("worker"))
      return { lines: [`blend(&${row.array.element(row.base)}, ${row.length}, ${a});`] };
    const name = this.fresh("x");
    const text =
      which === 4 && row && vector
        ? `total(&${row.array.element(row.base)}, ${row.length})`
        : this.tape.once(2)
          ? `early(${a})`
          : `mix(${a}, ${fit(this.value(context, 1), INT)})`;
    return {
      lines: [`int ${name} = ${text};`],
      context: { ...context, scalars: [...context.scalars, { name, type: INT, writable: true }] },
    };
  }

  private atomic(context: Context): string[] {
    if (context.where === "gangs" || context.atomics.length === 0) return this.write(context).lines;
    const { array, op } = this.tape.of(context.atomics);
    const at = subscript(this.value({ ...context, views: context.views }, 1), 3);
    const term = fit(this.value(context, 1), { name: "int", kind: "s", max: 20 });
    // All statements on the array use one operation, since different ones do not commute.
    const v = op === "&" ? `((${term}) | 15)` : `(${term})`;
    const sign = op === "+" && this.tape.once(3) ? "-" : op;
    const e = array.element(at);
    const update = this.tape.once(3) ? `${e} = ${e} ${sign} ${v};` : `${e} ${sign}= ${v};`;
    if (!this.tape.once(4)) return ["#pragma acc atomic update", update];
    // The old value depends on the order of the updates.
    const old = this.fresh("o");
    const both = this.tape.once(2) ? `${old} = ${e}; ${update}` : `${update} ${old} = ${e};`;
    return ["{", `${array.type.name} ${old};`, "#pragma acc atomic capture", `{ ${both} }`, "}"];
  }

  // ---------------------------------------------------------------- loops

  private header(context: Context, count: number, dynamic = false): Header {
    const some = context.scalars.length + context.iterations.length > 0;
    return header(
      this.tape,
      this.fresh("i"),
      count,
      dynamic,
      some ? this.leaf({ ...context, views: [] }) : undefined,
    );
  }

  /** A loop with a directive. */
  private loop(context: Context, hosts: readonly Scalar[]): Made {
    const levels = this.levels(context);
    const sequential = levels === "seq" || levels === "auto";
    const { counts, runs } = this.nest(context);
    const count = counts.reduce((a, b) => a * b, 1);
    // The trip count must not change, so it uses no variables that the loop may change.
    const fixed = { ...context, scalars: context.scalars.filter((x) => !x.writable) };
    const headers = counts.map((n) => this.header(fixed, n, counts.length === 1 && this.tape.once(5)));
    const index = headers.map((h) => h.index).reduce((a, b, k) => `(${a} * ${counts[k]} + ${b})`);
    const gang = levels === "none" ? context.levels.includes("gang") : levels.includes("gang");
    const sharesGangs = context.where === "gangs" && gang;
    let inner = this.inside(context, levels, index, count, sequential);
    const rest = sharesGangs ? { ...context, views: leftBehind(context.views, inner.views) } : context;
    if (context.where === "gangs" && !gang)
      inner = { ...inner, views: inner.views.filter((v) => v.mode !== "gangs") };

    const clauses = levels === "none" ? [] : typeof levels === "string" ? [levels] : [...levels];
    clauses.push(...this.nestClause(counts.length, sequential));
    const passed = sequential ? context.reduced : this.tape.some(context.reduced, 2);
    if (!sequential) for (const r of passed) clauses.push(`reduction(${r.op}:${r.name})`);
    const before: string[] = [];
    const first: string[] = [];
    const free = sharesGangs
      ? hosts.filter(
          (h) =>
            h.type.name !== "char" && !headers.some((head) => new RegExp(`\\b${h.name}\\b`).test(head.text)),
        )
      : context.scalars.filter((s) => s.writable && /^\w+$/.test(s.name));
    const own =
      free.length > 0 && this.tape.once(2) && !sequential ? this.reducing(free, sharesGangs) : undefined;
    if (own) {
      // A logical reduction results in 0 or 1 even for a loop without iterations.
      if (own.op === "&&" || own.op === "||") before.push(`${own.name} = ${own.name} != 0;`);
      clauses.push(`reduction(${own.op}:${own.name})`);
      inner = { ...inner, scalars: inner.scalars.filter((x) => x.name !== own.name) };
    }
    if (this.tape.once(6)) {
      const made = this.privateVariable(inner);
      before.push(made.declaration);
      first.push(made.set);
      clauses.push(`private(${made.name})`);
      inner = made.inner;
    }
    const reduced = own ? [...passed, own] : passed;
    const iterations = headers.map((h, k) => ({ text: h.index, count: counts[k] as number }));
    const here: Context = { ...inner, reduced, runs, iterations: [...context.iterations, ...iterations] };
    const body = [...first, ...this.block(here)];
    // Most reduction variables get an additional update.
    for (const r of reduced) if (!sequential && this.tape.below(4) > 0) body.push(this.reduction(here, r));
    const lines = [
      ...before,
      `#pragma acc loop ${clauses.join(" ")}`,
      ...headers.map((h) => `for (${h.text})`),
      "{",
      ...body,
      "}",
    ];
    const reducedHost = sharesGangs ? own?.name : undefined;
    if (reducedHost === undefined)
      for (const r of reduced) if (!context.reduced.some((o) => o.name === r.name)) lines.push(...bounded(r));
    return {
      lines: before.length ? ["{", ...lines, "}"] : lines,
      context: rest,
      ...(reducedHost && { reducedHost }),
    };
  }

  /** Trip counts, outermost first, and how often the body runs at most. */
  private nest(context: Context): { readonly counts: readonly number[]; readonly runs: number } {
    const depth = this.tape.below(5) === 4 ? 2 + this.tape.below(2) : 1;
    const counts: number[] = [];
    let { runs } = context;
    for (let k = 0; k < depth; k++) {
      const n = this.tape.of(COUNTS.filter((c) => c * runs <= 6000));
      counts.push(n);
      runs *= Math.max(1, n);
    }
    return { counts, runs };
  }

  private nestClause(depth: number, sequential: boolean): string[] {
    if (depth === 1) return [];
    const collapses = sequential || this.tape.once(2) || depth === 3 || !this.tape.once(2);
    return [collapses ? `collapse(${depth})` : "tile(2,3)"];
  }

  /** Chooses a variable and a reduction into it; `host`: the variables are the host's. */
  private reducing(free: readonly Scalar[], host: boolean): Reduced {
    const s = this.tape.of(free);
    const ops = OPS.filter((op) =>
      s.type.kind === "f" ? ["+", "max", "min", "*"].includes(op) : !host || !["&&", "||"].includes(op),
    );
    if (host) this.reducedHosts.push(s);
    return { name: s.name, type: s.type, op: this.tape.of(ops) };
  }

  /** A private variable or array, which each iteration sets first. */
  private privateVariable(inner: Context): {
    readonly name: string;
    readonly declaration: string;
    readonly set: string;
    readonly inner: Context;
  } {
    const type = this.tape.of(types);
    const name = this.fresh("p");
    if (this.tape.once(2))
      return {
        name,
        declaration: `${type.name} ${name} = 77;`,
        set: `${name} = ${fit(this.value(inner), type)};`,
        inner: { ...inner, scalars: [...inner.scalars, { name, type, writable: true }] },
      };
    const element = fit(integer(`k * ${1 + this.tape.below(9)} + 1`, 60), type);
    const array: CArray = { name, type, element: (s) => `${name}[${s}]` };
    return {
      name,
      declaration: `${type.name} ${name}[4];`,
      set: `for (int k = 0; k < 4; k++) ${name}[k] = ${element};`,
      inner: { ...inner, views: [...inner.views, { array, base: "0", length: 4, mode: "rw" }] },
    };
  }

  private levels(context: Context): readonly string[] | "none" | "seq" | "auto" {
    const free = context.levels;
    const options: (readonly string[] | "none" | "seq" | "auto")[] = [];
    if (free.length) options.push("none");
    if (free.includes("gang"))
      options.push(["gang"], ["gang", "vector"], ["gang", "worker"], ["gang", "worker", "vector"], ["gang"]);
    if (free.includes("worker")) options.push(["worker"], ["worker", "vector"], ["worker"]);
    if (free.includes("vector")) options.push(["vector"], ["vector"], ["vector"]);
    // If an auto loop stays sequential, every gang would repeat its writes.
    if (context.where !== "gangs") options.push("seq", "auto");
    else options.push("seq");
    return this.tape.of(options);
  }

  /** The context of a loop's body. */
  private inside(
    context: Context,
    levels: readonly string[] | "none" | "seq" | "auto",
    index: string,
    count: number,
    sequential: boolean,
  ): Context {
    if (sequential)
      return {
        ...this.withoutGangs(context),
        depth: context.depth + 1,
        leave: levels === "seq" ? "continue" : "none",
      };
    const used = levels === "none" ? context.levels : (levels as readonly string[]);
    const order = ["gang", "worker", "vector"];
    const lowest = Math.max(...used.map((l) => order.indexOf(l)));
    const gang = used.includes("gang");
    const views = context.views.flatMap((v): View[] => {
      if (v.mode === "ro") return [v];
      if (v.mode === "gangs" && !gang) return [v];
      // An array private to each gang would differ between gangs after the loop.
      if (v.mode === "rw" && gang && context.where === "gangs") return [{ ...v, mode: "ro" }];
      const choice = this.tape.below(4);
      if (choice === 3) return v.mode === "gangs" ? [] : [{ ...v, mode: "ro" }];
      if (count === 0 || count > v.length) return [{ ...v, mode: "ro" }];
      const length = Math.floor(v.length / count);
      const base = `${v.base === "0" ? "" : `${v.base} + `}${index}${length === 1 ? "" : ` * ${length}`}`;
      return [{ ...v, base, length, mode: "rw" }];
    });
    return {
      ...context,
      where: "inside",
      levels: order.slice(lowest + 1).filter((l) => context.levels.includes(l)),
      views,
      scalars: context.scalars.map((s) => ({ ...s, writable: false })),
      // In a loop not shared by gangs, every gang would repeat the updates.
      atomics: gang || context.where !== "gangs" ? context.atomics : [],
      depth: context.depth + 1,
      leave: "continue",
    };
  }
}

/**
 * Views after a loop over gangs: those that it claimed are unusable for the rest of the region, those it read stay
 * read-only.
 */
function leftBehind(views: readonly View[], taken: readonly View[]): readonly View[] {
  const roles = new Map(taken.map((v) => [v.array.name, v.mode]));
  return views.flatMap((v): View[] => {
    const role = roles.get(v.array.name);
    if (v.mode !== "gangs" || role === undefined) return [v];
    return role === "ro" ? [{ ...v, mode: "ro" }] : [];
  });
}
