/** What is known of one function: what is on the device before it, what moves when, and which accesses meet. */
import { itemAt } from "../../checked/access.ts";
import { isPointer, isScalar, parseExpr } from "../../lang/index.ts";
import type { Expr, FunctionDef, Pragma, Symbol } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import type { Access, Guard } from "../memory/access.ts";
import { evaluateAt, type World } from "../memory/evaluate.ts";
import type { Facts } from "../memory/facts.ts";
import { type Instance, type Instances, instancesOf } from "../memory/instances.ts";
import type { Where } from "../memory/locator.ts";
import { type Reach, reachOf } from "../memory/reach.ts";
import { farEnd, type Sampled, samples } from "../memory/samples.ts";
import type { Moment } from "../races/recording-walk.ts";
import { deciding } from "./counters.ts";
import type { Certainty } from "./fault.ts";
import { lifetimesOf } from "./lifetimes.ts";
import { Passed } from "./passed.ts";
import { type Construct, type Mapped, type Move, names, type Trace, type Unfollowed } from "./trace.ts";

const allocators = /^(malloc|calloc|aligned_alloc)$/;

/** Functions that neither retain their arguments nor change the arguments' targets. */
export const harmless =
  /^(free|printf|puts|putchar|exit|abort|assert|malloc|calloc|omp_get_\w+|acc_get_\w+|f?abs|sqrtf?)$/;

/** Functions of C's library and of the libraries of both models, which use no variables of the program. */
const library = new RegExp(
  `^(${[
    "(omp|acc|__builtin)_\\w+",
    "mem(set|cpy|move|cmp)",
    "str(n?(len|cpy|cmp|cat|dup)|chr|rchr|str|tok|to(l|ul|ll|ull|d|f)|error)",
    "(f|s|sn|vf?)?printf|f?put[sc]|putchar|(f|s)?scanf|f(open|close|read|write|flush|gets|getc|seek|tell)",
    "getchar|perror|exit|abort|atexit|realloc|ato[ifl]|s?rand|getenv|qsort|l?abs|isatty",
    "clock(_gettime)?|time|gettimeofday|u?sleep|is(alpha|digit|space|alnum|nan|inf)|to(upper|lower)",
    "(pow|exp2?|expm1|log(2|10|1p)?|a?(sin|cos|tan)h?|atan2|sqrt|cbrt|hypot|ceil|floor|round|trunc|f(abs|mod|max|min|ma))[fl]?",
  ].join("|")})$`,
);

/** Whether a call may use a variable of the file although it does not pass it. */
const mayUse = ({ name, ofSystem, isDefined }: Unfollowed, { scope, storage }: Symbol): boolean =>
  scope === "file" && (isDefined || (storage !== "static" && !ofSystem && !library.test(name)));

type Calls = ReadonlyMap<Symbol, ReadonlySet<Symbol>>;

interface File {
  /** Faults that may be none are wanted, too. */
  readonly doubts: boolean;
  readonly traces: readonly Trace[];
  /** Of all functions. */
  readonly moves: readonly Move[];
  /** Calls that may put data on the device or remove it. */
  readonly mappers: Trace["calls"];
  readonly facts: Facts;
  /** Names in declarative directives. */
  readonly declared: ReadonlySet<string>;
  /** Named by a declare in a function. */
  readonly held: ReadonlySet<Symbol>;
  readonly resident: ReadonlySet<Symbol>;
  /** The file defines `main`. */
  readonly whole: boolean;
  readonly calls: Calls;
}

export class Known {
  readonly trace: Trace;
  readonly file: File;
  readonly lifetimes: readonly Construct[];
  readonly sampled: Sampled;
  private readonly worlds: readonly World[];
  private readonly known: Map<Access, Instances>[];
  private readonly reached: Map<Access, Reach | undefined>[];
  private readonly passed: Passed;
  private readonly bounds = new Map<Pragma["tokens"], Expr | undefined>();

  constructor(trace: Trace, file: File) {
    this.trace = trace;
    this.file = file;
    const others = file.traces.filter((t) => t !== trace).flatMap((t) => t.moves.flatMap((m) => m.syms));
    this.lifetimes = lifetimesOf(trace.moves, (sym) => others.includes(sym));
    this.sampled = samples(trace.walked.loops, deciding(trace.walked, file.facts));
    this.known = this.sampled.samples.map(() => new Map());
    this.reached = this.sampled.samples.map(() => new Map());
    this.passed = new Passed(file.facts);
    const { changed } = trace.walked;
    this.worlds = this.sampled.samples.map((sample) => ({ facts: file.facts, changed, sample }));
    this.sampled.sizing(() => {
      for (const { header, frame } of trace.walked.loops)
        if (header) this.at(farEnd(header), { order: 0, guards: [], loops: [], frame }, 0);
      for (const { items, directive, at } of trace.moves)
        for (const mapped of items) this.range(mapped, directive, { ...at, loops: [] }, 0);
      for (const { mapped: items, directive, begin } of trace.constructs)
        for (const mapped of items) this.range(mapped, directive, { ...begin, loops: [] }, 0);
    });
  }

  /** Whether nothing can have put a variable on the device before its function does; undefined: something may have. */
  absent(sym: Symbol, construct: Construct): Certainty | undefined {
    if (this.file.declared.has(sym.name) || this.file.held.has(sym)) return undefined;
    const { moves } = this.file;
    const lifetime = this.lifetimes.find((l) => l.mapped.some((m) => m.sym === sym));
    const apart =
      lifetime &&
      lifetime.begin.loops.length === 0 &&
      (construct.begin.order > lifetime.end.order || construct.end.order < lifetime.begin.order);
    if (
      lifetime !== construct &&
      !apart &&
      moves.some((m) => (m.motion === "enter" || m.motion === "exit") && m.syms.includes(sym))
    )
      return undefined;
    if (this.file.mappers.some((c) => c.syms.has(sym))) return undefined;
    if (sym.kind === "param") return this.alone() ? "proved" : "maybe";
    if (isPointer(sym.type) && !this.allocated(sym)) return undefined;
    if (sym.scope === "block" && sym.storage !== "static") return "proved";
    const elsewhere = this.file.traces.some(
      (t) =>
        t !== this.trace &&
        this.reaches(t.def.sym, this.trace.def.sym) &&
        // What it calls is among the traces, too.
        t.constructs.some((c) => !c.compute && isIn(t.def, c.directive) && holds(c, sym)),
    );
    return this.file.whole && !elsewhere ? "proved" : "maybe";
  }

  /** Whether nobody but its function puts on the device what a pointer of its leads to. */
  ownsAlone(sym: Symbol): Certainty | undefined {
    const { declared, held, mappers } = this.file;
    if (declared.has(sym.name) || held.has(sym) || mappers.some((c) => c.syms.has(sym))) return undefined;
    if (sym.kind === "param") return this.alone() ? "proved" : "maybe";
    return sym.scope === "block" && sym.storage !== "static" ? "proved" : undefined;
  }

  /** No caller in the file holds data on the device. */
  private alone(): boolean {
    const holds = (t: Trace) =>
      t.constructs.some((c) => !c.compute) || t.moves.some((m) => m.motion !== "wait");
    const own = this.trace.def.sym;
    return this.file.traces.every((t) => t === this.trace || !holds(t) || !this.reaches(t.def.sym, own));
  }

  private reaches(from: Symbol, to: Symbol): boolean {
    const seen = new Set([from]);
    for (const sym of seen) for (const called of this.file.calls.get(sym) ?? []) seen.add(called);
    return seen.has(to);
  }

  private allocated(sym: Symbol): boolean {
    const values = (this.file.facts.settings.get(sym) ?? []).map((s) => s.value);
    return (
      values.length > 0 &&
      !this.file.facts.addressed.has(sym) &&
      values.every((value) => {
        let e = value;
        while (e?.kind === "cast") e = e.arg;
        const callee = e?.kind === "call" ? stripImplicit(e.callee) : undefined;
        return callee?.kind === "ident" && allocators.test(callee.sym.name);
      })
    );
  }

  /** An enclosing construct already maps the variable. */
  isOutside({ parent }: Construct, sym: Symbol): boolean {
    for (let c = parent; c; c = c.parent) if (c.mapped.some((m) => names(m, sym))) return true;
    return false;
  }

  /** It is passed to something that the analysis does not follow, or visible there. */
  escapes(sym: Symbol, from: number, to: number): boolean {
    return this.trace.calls.some(
      (call) =>
        call.at.order > from &&
        call.at.order < to &&
        !harmless.test(call.name) &&
        (call.syms.has(sym) || mayUse(call, sym)),
    );
  }

  moved(sym: Symbol, motion: Move["motion"], from: number, to: number): boolean {
    return this.trace.moves.some(
      (m) => m.motion === motion && m.syms.includes(sym) && m.at.order > from && m.at.order < to,
    );
  }

  /** A construct that begins in between names the variable. */
  mapsBetween(sym: Symbol, from: number, to: number): boolean {
    return this.trace.constructs.some(
      (c) => c.begin.order > from && c.begin.order < to && c.mapped.some((m) => names(m, sym)),
    );
  }

  /** A construct in between copies the variable in a way of its own: `map(always, from: a)`. */
  copiedInside(sym: Symbol, from: number, to: number): boolean {
    return this.trace.constructs.some(
      (c) =>
        c.begin.order > from &&
        c.end.order < to &&
        c.mapped.some((m) => names(m, sym) && m.motion === "other" && /^map$|copy/.test(m.clause)),
    );
  }

  unconditional({ context }: Access, outside: readonly Guard[]): boolean {
    return context.guards.every((g) => outside.includes(g));
  }

  /** Of the variable itself and of the memory that it leads to. */
  all(sym: Symbol): readonly Access[] {
    return this.trace.byRoot.get(sym) ?? [];
  }

  accesses(sym: Symbol, from: number, to: number): readonly Access[] {
    return this.all(sym).filter((a) => a.order > from && a.order < to && a.location.steps.length > 0);
  }

  /** Those to a scalar, if all regions in between name it in a clause, by which they share it. */
  scalarAccesses(sym: Symbol, from: number, to: number): readonly Access[] {
    if (!isScalar(sym.type) || isPointer(sym.type) || this.file.facts.addressed.has(sym)) return [];
    const all = this.all(sym).filter((a) => a.order > from && a.order < to);
    const resident = this.file.resident.has(sym);
    const shared = all.every((a) => {
      const compute = this.computeOf(a);
      if (!compute) return true;
      const named = compute.mapped.filter((m) => m.sym === sym);
      // Regions of OpenMP use what lives on the device without a clause.
      if (named.length === 0) return resident && compute.directive.language === "omp";
      return named.some((m) => m.motion !== "other");
    });
    return shared ? all : [];
  }

  inside(from: number, to: number): readonly Access[] {
    return this.trace.walked.accesses.filter(
      (a) => a.order > from && a.order < to && a.location.steps.length > 0,
    );
  }

  /** The device construct that contains an access. */
  computeOf(access: Access): Construct | undefined {
    return this.trace.onDevice.get(access);
  }

  device(list: readonly Access[]): readonly Access[] {
    return list.filter((a) => a.owner === 0 && this.computeOf(a));
  }

  host(list: readonly Access[]): readonly Access[] {
    return list.filter((a) => !this.computeOf(a));
  }

  /** Both access the same element, for all sizes. */
  overlap(a: Access, b: Access): boolean {
    return this.meet(a, b, () => () => true);
  }

  /** Both access the same element outside of what the clause that ends a construct names, for all sizes. */
  overlapOutside(a: Access, b: Access, left: Mapped, { directive, end }: Construct): boolean {
    if ([a, b].some(({ location }) => location.steps.filter((step) => step.is === "index").length !== 1))
      return false;
    return this.meet(a, b, (s) => {
      const range = this.range(left, directive, end, s);
      return range && (({ last }) => !within(last, range));
    });
  }

  /** `counts`: which of the second access's instances do, with the sizes of a sample; undefined: unknown. */
  private meet(
    a: Access,
    b: Access,
    counts: (sample: number) => ((i: Instance) => boolean) | undefined,
  ): boolean {
    let compared = 0;
    for (const s of this.sampled.samples.keys()) {
      const does = counts(s);
      const [one, two] = [this.instances(a, s), this.instances(b, s)];
      if (!does || one.uncertain || two.uncertain) return false;
      if (one.list.length === 0 || two.list.length === 0) continue;
      const locations = new Set(one.list.map((i) => i.where));
      if (!two.list.some((i) => locations.has(i.where) && does(i))) return false;
      compared++;
    }
    return compared > 0;
  }

  sameLocations(a: Access, b: Access): boolean {
    const [one, two] = [this.instances(a, 0), this.instances(b, 0)];
    return (
      one.list.length > 0 &&
      one.list.length === two.list.length &&
      one.list.every((i, k) => i.where === two.list[k]?.where)
    );
  }

  /** Whether updates between the two transfer the elements that both access. */
  refreshed(write: Access, read: Access, motion: Move["motion"]): boolean {
    const sym = write.location.root;
    const between = this.trace.moves.filter(
      (m) =>
        m.motion === motion && m.syms.includes(sym) && m.at.order > write.order && m.at.order < read.order,
    );
    if (between.length === 0) return false;
    if (between.some((m) => m.items.every((i) => i.sym !== sym))) return true;
    if ([write, read].some(({ location }) => location.steps.filter((s) => s.is === "index").length !== 1))
      return true;
    for (const s of this.sampled.samples.keys()) {
      const ranges = between.flatMap((m) =>
        m.items.filter((i) => i.sym === sym).map((i) => this.range(i, m.directive, m.at, s)),
      );
      const written = new Set(this.instances(write, s).list.map((i) => i.where));
      const common = this.instances(read, s).list.filter((i) => written.has(i.where));
      if (common.length === 0) continue;
      if (!common.some((i) => ranges.every((r) => r && !within(i.last, r)))) return true;
    }
    return false;
  }

  /** Whether an access surely meets the elements that a clause names, for all sizes. */
  inSection(a: Access, mapped: Mapped, directive: Construct["directive"], at: Moment): boolean {
    if (!mapped.section) return !mapped.part;
    const last = a.location.steps.findIndex((step) => step.is === "index");
    const location = { ...a.location, steps: a.location.steps.slice(0, last + 1) };
    let compared = 0;
    for (const s of this.sampled.samples.keys()) {
      const range = this.range(mapped, directive, at, s);
      const { list, uncertain } = instancesOf({ location, context: a.context }, this.worldOf(s), 4);
      if (!range || uncertain) return false;
      if (list.length === 0) continue;
      if (!list.some((i) => within(i.last, range))) return false;
      compared++;
    }
    return compared > 0;
  }

  /** The elements of a section with constant or sampled bounds; undefined: all, or unknown. */
  range(
    { section }: Mapped,
    { pragma }: Construct["directive"],
    at: Moment,
    s: number,
  ): { readonly from: number; readonly count: number } | undefined {
    const [start, length] = [section?.start, section?.length].map(
      (tokens) => tokens && this.bound(tokens, pragma),
    );
    if (!length || (section?.start && !start)) return undefined;
    const from = start ? this.at(start, at, s) : 0;
    const count = this.at(length, at, s);
    return from === undefined || count === undefined ? undefined : { from, count };
  }

  private bound(tokens: Pragma["tokens"], { scope }: Pragma): Expr | undefined {
    if (this.bounds.has(tokens)) return this.bounds.get(tokens);
    const e = parseExpr(tokens, scope);
    const bound = "severity" in e ? undefined : e;
    this.bounds.set(tokens, bound);
    return bound;
  }

  instances(a: Access, s: number): Instances {
    const row = itemAt(this.known, s);
    const seen = row.get(a) ?? instancesOf(a, this.worldOf(s));
    row.set(a, seen);
    return seen;
  }

  /** Which elements an access may reach; undefined: it may be any. */
  reach(a: Access, s: number): Reach | undefined {
    const row = itemAt(this.reached, s);
    if (row.has(a)) return row.get(a);
    const { complete, list } = this.instances(a, s);
    const seen = new Set(complete ? list.map((i) => i.where) : []);
    const reach = complete ? (where: Where) => seen.has(where) : reachOf(a, this.worldOf(s));
    row.set(a, reach);
    return reach;
  }

  /** Whether a pointer may lead to the memory of a variable. */
  leadsTo(pointer: Symbol, sym: Symbol): boolean {
    return this.passed.behind([pointer], { arguments: new Map() }).has(sym);
  }

  worldOf(s: number): World {
    return itemAt(this.worlds, s);
  }

  valueAt(e: Expr, at: Moment, s: number): number | undefined {
    return this.at(e, { ...at, loops: [] }, s);
  }

  private at(e: Expr, { loops, frame }: Moment, s: number): number | undefined {
    return evaluateAt(e, frame, { loops, values: [], thread: undefined }, this.worldOf(s));
  }
}

const isIn = ({ span: { start, end } }: FunctionDef, { loc }: Construct["directive"]): boolean =>
  loc.file === start.file && loc.line >= start.line && loc.line <= end.line;

const holds = ({ mapped }: Construct, sym: Symbol): boolean =>
  mapped.some((m) => names(m, sym) && m.motion !== "other");

export const within = (
  i: number,
  { from, count }: { readonly from: number; readonly count: number },
): boolean => i >= from && i < from + count;
