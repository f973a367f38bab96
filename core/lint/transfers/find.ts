/**
 * Data that is missing or outdated where it is used: tracks, in source order through each function, which side has an
 * array's newest values and what moves them. What functions of other files map is unknown, and not reported.
 */
import { canonical, isPointer, isScalar, parseExpr, walkStmt } from "../../lang/index.ts";
import type { Expr, FunctionDef, Loc, Pragma, Stmt, Symbol, TranslationUnit } from "../../lang/tree/ast.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import type { Access, Guard } from "../races/access.ts";
import { evaluateAt, type World } from "../races/evaluate.ts";
import { type Facts, factsOf } from "../races/facts.ts";
import { type Instances, instancesOf } from "../races/instances.ts";
import { type Sampled, samples } from "../races/samples.ts";
import type { Moment } from "../races/walk.ts";
import { clauseOf, directivesOf, itemsOf, readDirective } from "../read/directive.ts";
import { lifetimesOf } from "./lifetimes.ts";
import { residentIn } from "./resident.ts";
import {
  type Construct,
  computeOf,
  type Mapped,
  type Move,
  mayKeepOff,
  type Trace,
  traceOf,
} from "./trace.ts";

export type Kind =
  | "read-before-copy"
  | "lost-result"
  | "stale-host-read"
  | "stale-device-read"
  | "section-too-short"
  | "missing-map"
  | "never-present"
  | "queue-race";

export interface Fault {
  readonly kind: Kind;
  readonly certainty: "proved" | "maybe";
  readonly sym: Symbol;
  readonly loc: Loc;
  readonly end?: Loc;
  readonly construct: Construct;
  /** The clause at fault. */
  readonly mapped?: Mapped;
  readonly access?: Access;
  /** The conflicting access. */
  readonly other?: { readonly loc: Loc; readonly expr?: Expr };
  /** For a race: the host uses the memory, not a region. */
  readonly byHost?: true;
}

const found = new WeakMap<TranslationUnit, readonly Fault[]>();

export function transferFaults(
  unit: TranslationUnit,
  functions: readonly FunctionDef[],
  pragmas: readonly Pragma[],
): readonly Fault[] {
  const known = found.get(unit);
  if (known) return known;
  const directives = pragmas.flatMap((p) => readDirective(p) ?? []);
  const shared = directives.some((d) => d.name === "requires");
  const facts = factsOf(unit);
  const traces = shared ? [] : functions.filter(hasDevices).flatMap((def) => traceOf(def, facts) ?? []);
  const declared = new Set(
    directives
      .filter((d) => d.name.includes("declare"))
      .flatMap((d) => [...d.argument, ...d.clauses.flatMap((c) => c.tokens)].map((t) => t.text)),
  );
  const calls = new Map(functions.map((f) => [f.sym, calledBy(f)]));
  const whole = functions.some((f) => f.sym.name === "main");
  const resident = residentIn(unit);
  for (const { name } of resident) declared.add(name);
  const moves = traces.flatMap((t) => t.moves);
  const mappers = traces.flatMap((t) => t.calls).filter((c) => /^(acc_|omp_target_)/.test(c.name));
  const file = { traces, moves, mappers, facts, declared, resident, whole, calls };
  const faults = traces.flatMap((trace) => new Search(trace, file).run());
  found.set(unit, faults);
  return faults;
}

/** A movement of data as a construct that is over at once. */
function asConstruct({ directive, at }: Move, mapped: readonly Mapped[]): Construct {
  return { directive, compute: false, begin: at, end: at, mapped, conditional: false };
}

type Calls = ReadonlyMap<Symbol, ReadonlySet<Symbol>>;

/** Any mention of a function may be a call. */
function calledBy(def: FunctionDef): ReadonlySet<Symbol> {
  const found = new Set<Symbol>();
  walkStmt(def.body, {
    expr(e) {
      if (e.kind === "ident" && e.sym.kind === "function") found.add(e.sym);
    },
  });
  return found;
}

function hasDevices(def: FunctionDef): boolean {
  let has = false;
  walkStmt(def.body, {
    stmt(s) {
      if ((s.pragmas ?? []).some((p) => /^(acc|omp)$/.test(p.tokens[0]?.text ?? ""))) has = true;
      return !has;
    },
    expr: () => false,
  });
  return has;
}

const allocators = /^(malloc|calloc|aligned_alloc)$/;
/** Functions that neither retain their arguments nor change the arguments' targets. */
const harmless =
  /^(free|printf|puts|putchar|exit|abort|assert|malloc|calloc|omp_get_\w+|acc_get_\w+|f?abs|sqrtf?)$/;

interface File {
  readonly traces: readonly Trace[];
  /** Of all functions. */
  readonly moves: readonly Move[];
  /** Calls that may put data on the device or remove it. */
  readonly mappers: Trace["calls"];
  readonly facts: Facts;
  /** Names in declarative directives. */
  readonly declared: ReadonlySet<string>;
  readonly resident: ReadonlySet<Symbol>;
  /** The file defines `main`. */
  readonly whole: boolean;
  readonly calls: Calls;
}

class Search {
  private readonly trace: Trace;
  private readonly file: File;
  private readonly lifetimes: readonly Construct[];
  private readonly sampled: Sampled = samples();
  private readonly worlds: readonly World[];
  private readonly known: Map<Access, Instances>[];
  private readonly faults: Fault[] = [];
  private readonly bounds = new Map<Pragma["tokens"], Expr | undefined>();

  constructor(trace: Trace, file: File) {
    this.trace = trace;
    this.file = file;
    const others = file.traces.filter((t) => t !== trace).flatMap((t) => t.moves.flatMap((m) => m.syms));
    this.lifetimes = lifetimesOf(trace.moves, (sym) => others.includes(sym));
    this.known = this.sampled.samples.map(() => new Map());
    const { changed } = trace.walked;
    this.worlds = this.sampled.samples.map((sample) => ({ facts: file.facts, changed, sample }));
    this.sampled.sizing(() => {
      for (const { header, frame } of trace.walked.loops)
        if (header) this.at(header.bound, { order: 0, guards: [], loops: [], frame }, 0);
      for (const { items, directive, at } of trace.moves)
        for (const mapped of items) this.range(mapped, directive, { ...at, loops: [] }, 0);
    });
  }

  run(): readonly Fault[] {
    for (const construct of this.trace.constructs) {
      if (construct.compute) this.unmapped(construct);
      if (construct.compute && construct.directive.language === "omp") this.lostScalars(construct);
      for (const mapped of construct.mapped) this.clause(construct, mapped);
      if (construct.compute && construct.queue !== undefined) {
        this.queued(construct, construct.queue);
        this.besideHost(construct, construct.queue);
      }
    }
    for (const lifetime of this.lifetimes)
      for (const mapped of lifetime.mapped) this.clause(lifetime, mapped);
    for (const move of this.trace.moves) {
      if (move.motion !== "to-host" && move.motion !== "to-device") continue;
      for (const mapped of move.items) this.update(move, mapped);
      this.moveBesideHost(move);
    }
    this.residents();
    return this.faults;
  }

  private clause(construct: Construct, mapped: Mapped): void {
    const { sym, motion } = mapped;
    if (motion === "other" || construct.conditional || this.isOutside(construct, sym)) return;
    const certainty = this.absent(sym, construct);
    if (!certainty) return;
    if (motion === "present") {
      // Only callers know about the data that they pass.
      this.neverThere(construct, mapped, certainty);
      return;
    }
    if (mapped.section) this.section(construct, mapped, certainty);
    if (this.escapes(sym, construct.begin.order, construct.end.order)) return;
    if (motion === "from" || motion === "alloc") this.unset(construct, mapped, certainty);
    if (motion === "to" || motion === "alloc") this.lost(construct, mapped, certainty);
    if (!construct.compute) this.stale(construct, mapped);
  }

  /** An update of what nothing has put on the device. */
  private update(move: Move, mapped: Mapped): void {
    const { directive, at } = move;
    const { sym, text } = mapped;
    if (clauseOf(directive, "if") || clauseOf(directive, "if_present") || /->|\./.test(text)) return;
    const around = this.trace.constructs.filter((c) => c.begin.order < at.order && at.order < c.end.order);
    if (around.some((c) => c.mapped.some((m) => m.sym === sym))) return;
    const construct = asConstruct(move, [mapped]);
    const certainty = this.absent(sym, construct);
    if (certainty) this.neverThere(construct, mapped, certainty);
  }

  private neverThere(construct: Construct, mapped: Mapped, certainty: Fault["certainty"]): void {
    const { sym } = mapped;
    // Only callers know about the data that they pass, and functions elsewhere may map what they get.
    if (sym.kind === "param" || this.escapes(sym, -1, construct.begin.order)) return;
    this.faults.push({ kind: "never-present", certainty, sym, loc: mapped.loc, construct, mapped });
  }

  // ---------------------------------------------------------------- what is known

  /** Whether nothing can have put a variable on the device before its function does; undefined: something may have. */
  private absent(sym: Symbol, construct: Construct): "proved" | "maybe" | undefined {
    if (this.file.declared.has(sym.name)) return undefined;
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
        t.constructs.some((c) => !c.compute && c.mapped.some((m) => m.sym === sym && m.motion !== "other")),
    );
    return this.file.whole && !elsewhere ? "proved" : "maybe";
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
  private isOutside({ parent }: Construct, sym: Symbol): boolean {
    for (let c = parent; c; c = c.parent) if (c.mapped.some((m) => m.sym === sym)) return true;
    return false;
  }

  /** Whether updates between the two transfer the elements that both access. */
  private refreshed(write: Access, read: Access, motion: Move["motion"]): boolean {
    const sym = write.place.root;
    const between = this.trace.moves.filter(
      (m) =>
        m.motion === motion && m.syms.includes(sym) && m.at.order > write.order && m.at.order < read.order,
    );
    if (between.length === 0) return false;
    if ([write, read].some(({ place }) => place.steps.filter((s) => s.is === "index").length !== 1))
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

  /** The elements of a section with constant or sampled bounds; undefined: all, or unknown. */
  private range(
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

  /** It is passed to something that the analysis does not follow. */
  private escapes(sym: Symbol, from: number, to: number): boolean {
    return this.trace.calls.some(
      ({ name, at, syms }) => at.order > from && at.order < to && syms.has(sym) && !harmless.test(name),
    );
  }

  private moved(sym: Symbol, motion: Move["motion"], from: number, to: number): boolean {
    return this.trace.moves.some(
      (m) => m.motion === motion && m.syms.includes(sym) && m.at.order > from && m.at.order < to,
    );
  }

  private accesses(sym: Symbol, from: number, to: number): readonly Access[] {
    return this.trace.walked.accesses.filter(
      (a) => a.place.root === sym && a.order > from && a.order < to && a.place.steps.length > 0,
    );
  }

  private device(list: readonly Access[]): readonly Access[] {
    return list.filter((a) => computeOf(this.trace, a) && a.owner === 0);
  }

  private host(list: readonly Access[]): readonly Access[] {
    return list.filter((a) => !computeOf(this.trace, a));
  }

  private instances(a: Access, s: number): Instances {
    const row = this.known[s] as Map<Access, Instances>;
    const seen = row.get(a) ?? instancesOf(a, this.worldOf(s));
    row.set(a, seen);
    return seen;
  }

  private worldOf(s: number): World {
    return this.worlds[s] as World;
  }

  private at(e: Expr, { loops, frame }: Moment, s: number): number | undefined {
    return evaluateAt(e, frame, { loops, values: [], thread: undefined }, this.worldOf(s));
  }

  /** Both access the same element, for all sizes. */
  private overlap(a: Access, b: Access): boolean {
    let compared = 0;
    for (const s of this.sampled.samples.keys()) {
      const [one, two] = [this.instances(a, s), this.instances(b, s)];
      if (one.uncertain || two.uncertain) return false;
      if (one.list.length === 0 || two.list.length === 0) continue;
      const places = new Set(one.list.map((i) => i.where));
      if (!two.list.some((i) => places.has(i.where))) return false;
      compared++;
    }
    return compared > 0;
  }

  private add(
    kind: Kind,
    certainty: Fault["certainty"],
    at: Access,
    rest: Pick<Fault, "construct"> & Partial<Fault>,
  ) {
    const { sym = at.place.root } = rest;
    this.faults.push({ kind, certainty, loc: at.loc, end: at.expr.span.end, access: at, ...rest, sym });
  }

  // ---------------------------------------------------------------- faults

  /** Allocated on the device without copying in: is an element read that was not set there? */
  private unset(construct: Construct, mapped: Mapped, certainty: Fault["certainty"]): void {
    const { sym } = mapped;
    const { begin, end } = construct;
    if (this.moved(sym, "to-device", begin.order, end.order)) return;
    const all = this.device(this.accesses(sym, begin.order, end.order));
    const writes = all.filter((a) => a.mode === "write");
    const read = all.find((a) => a.mode === "read");
    if (!read || !this.unconditional(read, begin.guards)) return;
    const [first] = writes;
    const again =
      first !== undefined &&
      read.order < first.order &&
      read.context.loops.every((l, i) => first.context.loops[i] === l) &&
      this.samePlaces(read, first);
    if (again || this.neverWritten(read, writes))
      this.add("read-before-copy", certainty, read, { construct, mapped, sym });
  }

  private samePlaces(a: Access, b: Access): boolean {
    const [one, two] = [this.instances(a, 0), this.instances(b, 0)];
    return (
      one.list.length > 0 &&
      one.list.length === two.list.length &&
      one.list.every((i, k) => i.where === two.list[k]?.where)
    );
  }

  private neverWritten(read: Access, writes: readonly Access[]): boolean {
    let compared = 0;
    for (const s of this.sampled.samples.keys()) {
      const reads = this.instances(read, s);
      if (reads.list.length === 0) continue;
      const sets = writes.map((w) => this.instances(w, s));
      // Where some of them write is unknown or not examined.
      if (sets.some((set) => !set.complete)) return false;
      const written = new Set(sets.flatMap((set) => set.list.map((i) => i.where)));
      if (reads.list.every((i) => written.has(i.where))) return false;
      compared++;
    }
    return compared > 0;
  }

  private unconditional({ context }: Access, outside: readonly Guard[]): boolean {
    return context.guards.every((g) => outside.includes(g));
  }

  /** Results of the device that are not copied back and are read on the host. */
  private lost(construct: Construct, mapped: Mapped, certainty: Fault["certainty"]): void {
    const { sym } = mapped;
    const { begin, end } = construct;
    const later = this.host(this.accesses(sym, end.order, Number.POSITIVE_INFINITY));
    const read = later[0];
    if (read?.mode !== "read" || !this.unconditional(read, begin.guards)) return;
    const between = this.trace.constructs.some(
      (c) => c.begin.order > end.order && c.begin.order < read.order && c.mapped.some((m) => m.sym === sym),
    );
    if (between || this.escapes(sym, end.order, read.order)) return;
    const write = this.device(this.accesses(sym, begin.order, end.order)).find(
      (a) =>
        a.mode === "write" &&
        this.unconditional(a, begin.guards) &&
        !this.moved(sym, "to-host", a.order, end.order) &&
        this.overlap(a, read),
    );
    if (write)
      this.add("lost-result", certainty, read, {
        construct,
        mapped,
        sym,
        other: { loc: write.loc, expr: write.expr },
      });
  }

  /** Scalars that no clause names are copied to a target region and not back (OpenMP 5.2, section 5.8.1). */
  private lostScalars(construct: Construct): void {
    const { begin, end, stmt } = construct;
    if (construct.conditional || !stmt) return;
    const own = declaredIn(stmt);
    const named = namedInClauses(stmt);
    const seen = new Set<Symbol>();
    for (const write of this.trace.walked.accesses) {
      const { root: sym, steps } = write.place;
      if (write.order < begin.order || write.order > end.order || write.mode !== "write" || steps.length > 0)
        continue;
      if (seen.has(sym) || own.has(sym) || named.has(sym) || this.isOutside(construct, sym)) continue;
      seen.add(sym);
      if (!isScalar(sym.type) || isPointer(sym.type) || write.owner > 0 || this.file.facts.addressed.has(sym))
        continue;
      if (this.file.declared.has(sym.name) || !this.unconditional(write, begin.guards)) continue;
      const read = this.trace.walked.accesses.find((a) => a.place.root === sym && a.order > end.order);
      if (read?.mode !== "read" || computeOf(this.trace, read) || !this.unconditional(read, begin.guards))
        continue;
      if (!read.context.loops.every((l, i) => begin.loops[i] === l) || read.context.frame !== begin.frame)
        continue;
      this.add("lost-result", "proved", read, {
        construct,
        sym,
        other: { loc: write.loc, expr: write.expr },
      });
    }
  }

  /** Inside a data region each side has separate values. */
  private stale(construct: Construct, mapped: Mapped): void {
    const { sym } = mapped;
    const { begin, end } = construct;
    const all = this.accesses(sym, begin.order, end.order);
    for (const [first, second, motion, kind] of [
      [this.device(all), this.host(all), "to-host", "stale-host-read"],
      [this.host(all), this.device(all), "to-device", "stale-device-read"],
    ] as const) {
      const fault = second
        .filter((read) => read.mode === "read")
        .flatMap((read) => {
          const write = first.findLast((w) => w.mode === "write" && w.order < read.order);
          if (!write || this.refreshed(write, read, motion)) return [];
          // Values that the reader's own side has set in between are current.
          if (second.some((w) => w.mode === "write" && w.order > write.order && w.order <= read.order))
            return [];
          const compute = computeOf(this.trace, motion === "to-host" ? write : read);
          if (
            !compute ||
            compute.conditional ||
            compute.mapped.some((m) => m.sym === sym && m.motion === "other")
          )
            return [];
          if (!this.unconditional(read, write.context.guards) || !this.overlap(write, read)) return [];
          return [{ read, write }];
        })[0];
      if (fault)
        this.add(kind, "proved", fault.read, {
          construct,
          mapped,
          sym,
          other: { loc: fault.write.loc, expr: fault.write.expr },
        });
    }
  }

  /** Subscripts outside of the mapped section. */
  private section(construct: Construct, mapped: Mapped, certainty: Fault["certainty"]): void {
    const { sym } = mapped;
    for (const access of this.device(this.accesses(sym, construct.begin.order, construct.end.order))) {
      const last = access.place.steps.findIndex((s) => s.is === "index");
      const place = { ...access.place, steps: access.place.steps.slice(0, last + 1) };
      let outside = 0;
      let inside = 0;
      let doubt = false;
      for (const s of this.sampled.samples.keys()) {
        const range = this.range(mapped, construct.directive, construct.begin, s);
        const { list, uncertain } = instancesOf({ place, context: access.context }, this.worldOf(s), 4);
        if (!range || list.length === 0) continue;
        if (list.some((i) => !within(i.last, range))) outside++;
        else inside++;
        doubt ||= uncertain;
        if (!this.sampled.used.yet) break;
      }
      if (outside === 0) continue;
      const sure = inside === 0 && !doubt ? certainty : "maybe";
      this.add("section-too-short", sure, access, { construct, mapped, sym, other: { loc: mapped.loc } });
      return;
    }
  }

  /** A host pointer that the device dereferences. */
  private unmapped(construct: Construct): void {
    const { begin, end, stmt, mapped, directive } = construct;
    if (!stmt) return;
    // Without it, OpenACC compilers may determine the size themselves.
    const asserted = isAsserted(directive);
    if (directive.clauses.some((c) => mayKeepOff(c) && !(asserted && c.name === "default"))) return;
    const own = declaredIn(stmt);
    const seen = new Set<Symbol>();
    for (const access of this.trace.walked.accesses) {
      const { root, steps } = access.place;
      if (access.order < begin.order || access.order > end.order || seen.has(root)) continue;
      if (steps[0]?.is !== "deref" || own.has(root) || root.kind === "param") continue;
      if (mapped.some((m) => m.sym === root) || this.isOutside(construct, root)) continue;
      if (canonical(root.type).kind !== "pointer") continue;
      const certainty = this.absent(root, construct);
      if (certainty === undefined) continue;
      seen.add(root);
      const sure = directive.language === "omp" || asserted ? certainty : "maybe";
      this.add("missing-map", sure, access, { construct, other: { loc: construct.directive.loc } });
    }
  }

  /** Work in a queue, and code that uses the same memory before the queue is waited for. */
  private queued(construct: Construct, queue: string): void {
    const { begin, end, directive } = construct;
    if (clauseOf(directive, "depend") || construct.conditional) return;
    const wait = this.trace.moves.find((m) => m.at.order > end.order && waitsFor(m, queue))?.at.order;
    const sync = this.trace.calls.find(
      (c) => c.at.order > end.order && /wait|sync|queue|stream|^$/.test(c.name),
    );
    const until = Math.min(wait ?? Number.POSITIVE_INFINITY, sync?.at.order ?? Number.POSITIVE_INFINITY);
    const mine = this.device(this.inside(begin.order, end.order));
    for (const move of this.trace.moves) if (this.movedBeside(construct, queue, until, mine, move)) return;
    for (const other of this.inside(end.order, until)) {
      const there = computeOf(this.trace, other);
      if (!there || other.owner > 0) continue;
      if (
        !separate(queue, there.queue) ||
        clauseOf(there.directive, "wait") ||
        clauseOf(there.directive, "depend")
      )
        continue;
      if (there.conditional || !there.begin.guards.every((g) => begin.guards.includes(g))) continue;
      const clash = mine.find(
        (a) =>
          a.place.root === other.place.root &&
          (a.mode === "write" || other.mode === "write") &&
          this.overlap(a, other),
      );
      if (!clash) continue;
      this.add("queue-race", "proved", other, { construct, other: { loc: clash.loc, expr: clash.expr } });
      return;
    }
  }

  /** Work in a queue, and an update in another one or of the host, of what the work changes. */
  private movedBeside(
    construct: Construct,
    queue: string,
    until: number,
    mine: readonly Access[],
    { directive, motion, at, items, queue: other }: Move,
  ): boolean {
    if (
      (motion !== "to-host" && motion !== "to-device") ||
      at.order < construct.end.order ||
      at.order >= until
    )
      return false;
    if (!separate(queue, other) || ["if", "wait", "depend"].some((name) => clauseOf(directive, name)))
      return false;
    if (!at.guards.every((g) => construct.begin.guards.includes(g))) return false;
    for (const mapped of items) {
      const isOf = (a: Access): boolean =>
        a.place.root === mapped.sym && (a.mode === "write" || motion === "to-device");
      const clash = mine.find((a) => isOf(a) && this.inSection(a, mapped, directive, at));
      if (!clash) continue;
      this.faults.push({
        kind: "queue-race",
        certainty: "proved",
        sym: mapped.sym,
        loc: mapped.loc,
        construct,
        other: { loc: clash.loc, expr: clash.expr },
      });
      return true;
    }
    return false;
  }

  /** An update in a queue, and host code that uses the memory before waiting for the queue. */
  private moveBesideHost(move: Move): void {
    const { directive, motion, at, items, queue } = move;
    if (queue === undefined || !/^(\d+|\?|nowait)$/.test(queue)) return;
    if (["if", "if_present", "depend"].some((name) => clauseOf(directive, name))) return;
    const isAfter = (order: number): boolean => order > at.order;
    const wait = this.trace.moves.find((m) => isAfter(m.at.order) && waitsFor(m, queue))?.at.order;
    const call = this.trace.calls.find((c) => isAfter(c.at.order) && !harmless.test(c.name))?.at.order;
    const until = Math.min(wait ?? Number.POSITIVE_INFINITY, call ?? Number.POSITIVE_INFINITY);
    const construct = asConstruct(move, items);
    for (const mapped of items) {
      const clash = this.host(this.accesses(mapped.sym, at.order, until)).find(
        (a) =>
          (motion === "to-host" || a.mode === "write") &&
          a.context.levels.length === 0 &&
          this.unconditional(a, at.guards) &&
          this.inSection(a, mapped, directive, at),
      );
      if (!clash) continue;
      const other = { loc: mapped.loc };
      this.add("queue-race", "proved", clash, { construct, mapped, other, byHost: true });
      return;
    }
  }

  /** Whether an access surely meets the elements that a clause names, for all sizes. */
  private inSection(a: Access, mapped: Mapped, directive: Construct["directive"], at: Moment): boolean {
    if (!mapped.section) return !mapped.part;
    const last = a.place.steps.findIndex((step) => step.is === "index");
    const place = { ...a.place, steps: a.place.steps.slice(0, last + 1) };
    let compared = 0;
    for (const s of this.sampled.samples.keys()) {
      const range = this.range(mapped, directive, at, s);
      const { list, uncertain } = instancesOf({ place, context: a.context }, this.worldOf(s), 4);
      if (!range || uncertain) return false;
      if (list.length === 0) continue;
      if (!list.some((i) => within(i.last, range))) return false;
      compared++;
    }
    return compared > 0;
  }

  /** Work in a queue, and host code that uses the memory in its clauses before waiting for the queue. */
  private besideHost(construct: Construct, queue: string): void {
    const { begin, end, directive } = construct;
    if (clauseOf(directive, "depend") || construct.conditional || !/^(\d+|\?|nowait)$/.test(queue)) return;
    const wait = this.trace.moves.find((m) => m.at.order > end.order && waitsFor(m, queue))?.at.order;
    const call = this.trace.calls.find((c) => c.at.order > end.order && !harmless.test(c.name))?.at.order;
    const until = Math.min(wait ?? Number.POSITIVE_INFINITY, call ?? Number.POSITIVE_INFINITY);
    for (const mapped of construct.mapped) {
      const { sym, motion } = mapped;
      if (motion !== "to" && motion !== "from" && motion !== "tofrom") continue;
      if (this.isOutside(construct, sym) || this.absent(sym, construct) !== "proved") continue;
      const all = this.trace.walked.accesses.filter((a) => a.place.root === sym);
      const mine = all.filter((a) => a.order > begin.order && a.order < end.order && a.owner === 0);
      // Enclosing teams end with barriers, which also wait for it.
      if (mine.some((a) => (a.context.levels[0]?.directive.loc.line ?? Infinity) < directive.loc.line))
        return;
      const clash = all
        .filter((a) => a.order > end.order && a.order < until && !computeOf(this.trace, a))
        .filter((a) => a.context.levels.length === 0 && this.unconditional(a, begin.guards))
        .flatMap((read) => {
          const write = mine.find(
            (a) =>
              (read.mode === "write"
                ? motion !== "from" || a.mode === "write"
                : a.mode === "write" && motion !== "to") && this.overlap(a, read),
          );
          return write ? [{ read, write }] : [];
        })[0];
      if (!clash) continue;
      const other = { loc: clash.write.loc, expr: clash.write.expr };
      this.add("queue-race", "proved", clash.read, { construct, mapped, other, byHost: true });
      return;
    }
  }

  /** Compares accesses on host and device to variables that live on both sides. */
  private residents(): void {
    for (const sym of this.file.resident) {
      const [construct] = this.trace.constructs.filter((c) => c.compute && !c.conditional);
      if (!construct || this.escapes(sym, -1, Number.POSITIVE_INFINITY)) continue;
      const { loc } = construct.directive;
      const mapped: Mapped = { sym, motion: "alloc", clause: "declare", text: sym.name, loc, part: false };
      const begin = { ...construct.begin, order: -1 };
      const end = { ...construct.end, order: Number.POSITIVE_INFINITY };
      this.stale({ ...construct, begin, end }, mapped);
    }
  }

  private inside(from: number, to: number): readonly Access[] {
    return this.trace.walked.accesses.filter(
      (a) => a.order > from && a.order < to && a.place.steps.length > 0,
    );
  }
}

/** `default(present)` of OpenACC. */
export const isAsserted = (d: Construct["directive"]): boolean =>
  d.language === "acc" && clauseOf(d, "default")?.tokens[0]?.text === "present";

const within = (i: number, { from, count }: { readonly from: number; readonly count: number }): boolean =>
  i >= from && i < from + count;

/** Whether a directive waits, or may wait, for the work in a queue. */
const waitsFor = ({ motion, queues }: Move, queue: string): boolean =>
  motion === "wait" && !(/^\d+$/.test(queue) && queues?.every((q) => /^\d+$/.test(q) && q !== queue));

/** Whether the work of two queues is unordered; `second` absent: the host waits for it, and for no queue. */
function separate(first: string, second: string | undefined): boolean {
  if (first === "nowait") return true;
  if (first === "?" || second === "?") return false;
  if (second === undefined) return /^\d+$/.test(first);
  return /^\d+$/.test(first) && /^\d+$/.test(second) && first !== second;
}

/** Variables named by clauses of a statement's directives, and of those inside it. */
function namedInClauses(stmt: Stmt): ReadonlySet<Symbol> {
  const found = new Set<Symbol>();
  walkStmt(stmt, {
    stmt(s) {
      for (const d of directivesOf(s))
        for (const c of d.clauses) for (const { sym } of itemsOf(d, c)) found.add(sym);
    },
    expr: () => false,
  });
  return found;
}

function declaredIn(stmt: Stmt): ReadonlySet<Symbol> {
  const found = new Set<Symbol>();
  walkStmt(stmt, {
    stmt(s) {
      if (s.kind === "decl") for (const d of s.decls) found.add(d.sym);
    },
    expr: () => false,
  });
  return found;
}
