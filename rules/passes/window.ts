/**
 * Sliding window (J. Lambert, 2.2.4.4). The neighbourhood that an iteration reads is kept in a delay line
 * that moves on by one element per iteration, so that each element of the input is loaded once:
 *
 *     for (x = l; x < u; x++) out[x] = f(in[x-C], in[x], in[x+C])
 *  =>
 *     T w[2*C+1];
 *     for (p = -2*C; p < u-l; p++) {
 *       delayline(w, shift 1) takes in[l+p+C] where it exists;
 *       if (p >= 0) out[l+p] = f(w[0], w[C], w[2*C]);
 *     }
 *
 * Unrolled by U, the line moves by U, U elements are loaded and stored side by side, and only the
 * computation is repeated. Where the published listings are wrong, this is what it does instead: it warms
 * up over the whole neighbourhood, guards every load by the array's extent, stores from the iterations'
 * own results only and never behind the last iteration.
 */

import { usesOf } from "../../core/ir/access.ts";
import { leavesEarly, withoutContinue } from "../../core/ir/control.ts";
import { type DelayLine, idiom } from "../../core/ir/idioms.ts";
import type { Loop, LoopHeader, Task } from "../../core/ir/ir.ts";
import {
  type ElementAccess,
  isRefusal,
  type Neighbourhood,
  neighbourhood,
  type Offset,
} from "../../core/ir/neighbourhood.ts";
import { argumentsOf, spmdOf } from "../../core/ir/region.ts";
import { isBuiltin, isGlobal } from "../../core/ir/routines.ts";
import type { Expr, Loc, Stmt, Symbol } from "../../core/lang/ast.ts";
import {
  assign,
  binary,
  compound,
  cond,
  convert,
  declare,
  exprStmt,
  forStmt,
  freshSymbol,
  ident,
  ifStmt,
  incdec,
  index,
  intLit,
} from "../../core/lang/build.ts";
import {
  arrayOf,
  canonical,
  elementType,
  evaluateInteger,
  INT,
  LONG,
  mapStmt,
  printExpr,
  unqualified,
  walkExpr,
  walkStmt,
} from "../../core/lang/index.ts";
import { unrollPragma } from "../../targets/shared/pragmas.ts";
import { tripCount } from "../../targets/shared/trips.ts";
import { distinct } from "./aliasing.ts";
import { blockAxis, windowAxis } from "./axes.ts";
import { type Blocks, blocksOf } from "./blocks.ts";
import { counters } from "./counters.ts";
import { windowFactor } from "./factors.ts";
import { add, atLeast, conj, constant, less, long, times } from "./folding.ts";
import { Illegal, type Pass, type PassInput, type PassResult, passing, type Remark } from "./pass.ts";
import { isSingle, loopStmt, mapLoops, withBody } from "./region.ts";

export const window: Pass = {
  name: "window",
  description: "neighbourhoods of stencils in delay lines",
  axes: [windowAxis, blockAxis],
  run: (input) => passing(() => run(input)),
};

function run({ task, choice }: PassInput): PassResult {
  const remarks: Remark[] = [];
  const { body } = spmdOf(task);
  const made = mapLoops(body, (loop, at) => {
    const request = loop.hints?.window;
    if (!request) return at;
    const factor = windowFactor(loop, choice);
    if (factor === 0 || !isSingle(task)) {
      const why = factor === 0 ? "the variant leaves it out" : "the kernel is not a single work-item";
      remarks.push({
        pass: "window",
        applied: false,
        message: `no window over '${request.input.name}': ${why}`,
        loc: request.loc,
      });
      const { window: _, ...hints } = loop.hints ?? {};
      return loopStmt({ ...loop, hints }, at);
    }
    const block = Number(choice["block-size"] ?? 0);
    return new Windowed(task, loop, factor, block, at, (applied, message, loc) =>
      remarks.push({ pass: "window", applied, message, loc }),
    ).run();
  });
  return { task: withBody(task, made), remarks };
}

/** Why the loop cannot have the window that it asks for; undefined: it can. */
export function windowProblem(task: Task, loop: Loop, at: Stmt): string | undefined {
  try {
    new Windowed(task, loop, 1, 0, at, () => {}).run();
    return undefined;
  } catch (problem) {
    if (!(problem instanceof Illegal)) throw problem;
    return problem.diagnostic.message;
  }
}

type Sum = Offset & { readonly kind: "sum" };
type Note = (applied: boolean, message: string, loc: Loc) => void;

/** An array that the body writes and whose stores move behind the computation of a step. */
interface DeferredStore {
  readonly array: Symbol;
  /** Declares what `first` needs. */
  readonly before: readonly Stmt[];
  /** Index of the first iteration's element, and the direction in which iterations go on from there. */
  readonly first: Expr;
  readonly direction: bigint;
  readonly values: Symbol;
  /** Whether a lane's value is to be stored; absent where every iteration stores. */
  readonly set?: Symbol;
}

class Windowed {
  private readonly task: Task;
  private readonly loop: Loop;
  private readonly factor: number;
  private readonly block: number;
  private readonly at: Stmt;
  private readonly note: Note;
  private readonly input: Symbol;
  private readonly loc: Loc;
  private readonly body: Stmt;
  private readonly lane: Symbol = freshSymbol("arc_lane", INT);
  private readonly position: Symbol = freshSymbol("arc_p", LONG);

  constructor(task: Task, loop: Loop, factor: number, block: number, at: Stmt, note: Note) {
    const request = loop.hints?.window as NonNullable<NonNullable<Loop["hints"]>["window"]>;
    this.task = task;
    this.body = withoutContinue(loop.body);
    this.loop = { ...loop, body: this.body };
    this.factor = factor;
    this.block = block;
    this.at = at;
    this.note = note;
    this.input = request.input;
    this.loc = request.loc;
  }

  private refuse(message: string, loc: Loc = this.loc, remedy?: string): never {
    throw new Illegal({
      code: "window",
      loc,
      message: `no window over '${this.input.name}': ${message}`,
      why: "a delay line serves accesses at constant distances from a place that moves by one element per iteration",
      remedy: remedy ?? "remove the window directive, or write the loop so that this holds",
    });
  }

  run(): Stmt {
    const { loop, input, factor } = this;
    const early = leavesEarly(this.body);
    if (early) this.refuse(`control leaves the loop by '${early.kind}'`, early.span.start);
    const element = elementType(input.type);
    if (!element || canonical(element).kind === "array" || canonical(element).kind === "void")
      this.refuse(`'${input.name}' is not an array of one dimension with constant extents`);
    const n = neighbourhood(loop, input);
    if (isRefusal(n)) this.refuse(n.reason, n.loc);
    this.checkAliases(n);

    const blocks = this.blocks(n);
    const path = blocks ? this.blockPath(n, blocks) : this.path(n);
    // Offsets in the direction of the walk.
    const along = (d: bigint) => (blocks ? blocks.project(d) : d * path.direction);
    const ends = n.accesses.flatMap((a) => {
      const { min: low, max: high } = blocks ? blocks.reach(a.offset) : a.range;
      return blocks ? [low, high] : [along(low), along(high)];
    });
    const [first, last] = [min(ends), max(ends)];
    if (last - first >= 1n << 24n) this.refuse(`accesses are up to ${last - first} elements apart`);
    const size = Number(last - first) + 1;
    const behind = -first;
    const inPlace = n.accesses.some((a) => a.written);

    const line = freshSymbol(`arc_${input.name}_window`, arrayOf(unqualified(element), size + factor - 1));
    const lane: Expr = factor === 1 ? constant(0n) : ident(this.lane);
    const tap = (o: Sum): Expr => this.tap(o, behind, along, lane);
    const stores = factor > 1 && !inPlace && !blocks ? this.deferred(path) : [];

    for (const s of stores) path.before.push(...s.before);

    // ---- the delay line's step
    // Every place of the line has its element before the first iteration.
    const warm = warmUp(size - 1, last, factor, blocks !== undefined);
    const lead = blocks?.lead(last - BigInt(warm));
    const load = lead
      ? add(lead.load, lane)
      : add(path.base, times(add(add(ident(this.position), lane), constant(last)), path.direction));
    const extent = this.extent(n, path, load);
    const fixed = fixedTaps(n.accesses, along, behind, factor);
    const step = idiom<DelayLine>(
      {
        kind: "delayline",
        line: ident(line),
        type: unqualified(element),
        length: size + factor - 1,
        shift: factor,
        taps: fixed,
        ...(factor > 1 && { lane: this.lane }),
        ...(extent && { guard: extent }),
        value: index(ident(input), load),
      },
      this.at,
    );

    // ---- one iteration
    const position = add(ident(this.position), lane);
    const replaced = this.replaceAccesses(n, line, tap);
    const computed = this.replaceStores(replaced, stores);
    const privates = loop.privates.map((p) => declare(p));
    const inside = conj(path.inside);
    const body = compound([...privates, ...flat(computed)], this.body.span);
    const iteration: Stmt[] = [inside ? ifStmt(inside, body) : body, ...path.advance];
    const started = atLeast(position, constant(0n));
    const running = factor > 1 ? conj([started, less(position, path.end)]) : started;
    const guarded = ifStmt(running as Expr, compound(iteration));

    const stepBody: Stmt[] = [step, ...(lead?.advance ?? [])];
    if (factor === 1) stepBody.push(guarded);
    else {
      for (const s of stores) {
        stepBody.push(declare(s.values));
        if (s.set) stepBody.push(declare(s.set));
      }
      const before: Stmt[] = stores.flatMap((s) =>
        s.set ? [exprStmt(assign(index(ident(s.set), lane), intLit(0)))] : [],
      );
      stepBody.push(this.lanes(compound([...before, guarded])));
      if (stores.length > 0) stepBody.push(this.lanes(this.storing(stores, running as Expr, lane)));
    }

    const header: LoopHeader = {
      var: this.position,
      declares: true,
      lower: convert(intLit(-warm), LONG),
      relation: "<",
      bound: convert(this.bounded(path.end, warm), LONG),
      step: factor === 1 ? intLit(1) : convert(intLit(factor), LONG),
      span: this.at.span,
    };
    const { window: _w, unroll: _u, ...hints } = loop.hints ?? {};
    const made: Loop = { ...loop, headers: [header], privates: [], hints, body: compound(stepBody) };
    this.note(
      true,
      `'${input.name}' is read through a window of ${size + factor - 1} elements (${behind} behind, ${last} ahead${factor > 1 ? `, ${factor} iterations per step` : ""})`,
      this.loc,
    );
    if (inPlace && factor > 1)
      this.note(
        true,
        `'${input.name}' is updated in place: the ${factor} iterations of a step wait for each other`,
        this.loc,
      );
    const walk = compound(
      [...path.before, ...(lead?.before ?? []), declare(line), loopStmt(made, this.at)],
      this.at.span,
    );
    return blocks ? compound([...blocks.before, blocks.around(walk)], this.at.span) : walk;
  }

  // -------------------------------------------------------------- legality

  private checkAliases(n: Neighbourhood): void {
    const offsets = new Set(n.accesses.filter((a) => a.read).map((a) => `${a.range.min} ${a.range.max}`));
    for (const [sym, use] of usesOf(this.body).of) {
      if (sym === this.input || !use.elementsWritten || usesOf(this.body).declared.has(sym)) continue;
      if (distinct(this.input, sym)) continue;
      // Independent iterations cannot write what others read, and with two offsets some other one reads it.
      if (this.loop.parallel.independence === "independent" && offsets.size > 1) continue;
      this.refuse(
        `'${sym.name}' may be the same memory under another name`,
        use.at.span.start,
        `declare '${sym.name}' and '${this.input.name}' restrict, or assert 'loop independent'`,
      );
    }
    for (const a of n.accesses) {
      const test = testUsing(a.offset, this.input);
      if (test)
        this.refuse(`'${printExpr(a.expr)}' chooses its element by the value of another`, test.span.start);
    }
    const writes = n.accesses.some((a) => a.written);
    for (const [callee, call] of usesOf(this.body).calls)
      if (!isBuiltin(callee) && (writes || isGlobal(this.input)))
        this.refuse(`'${callee.name}' is called, which might use '${this.input.name}'`, call.span.start);
  }

  // -------------------------------------------------------------- blocks

  /** As the variant asks, where they are possible. */
  private blocks(n: Neighbourhood): Blocks | undefined {
    if (this.block === 0) return undefined;
    const blocks = extentOf(this.input, this.task)
      ? blocksOf(this.loop, n, this.block, this.factor)
      : `how many elements '${this.input.name}' has is not known`;
    if (typeof blocks !== "string") return blocks;
    this.note(false, `no blocks of ${this.block}: ${blocks}`, this.loc);
    return undefined;
  }

  private blockPath(n: Neighbourhood, blocks: Blocks): Path {
    this.note(
      true,
      `blocks of ${this.block} iterations in rows of ${blocks.sizes.join(" x ")} with their halo`,
      this.loc,
    );
    return {
      before: [...blocks.within],
      base: constant(0n),
      end: blocks.end,
      direction: 1n,
      inside: blocks.inside,
      advance: blocks.advance,
      strides: this.loop.headers.map((h) => n.base.loop.get(h.var) ?? 0n),
    };
  }

  // -------------------------------------------------------------- the walk

  /** How the loop nest walks over the flat array, one element per position. */
  private path(n: Neighbourhood): Path {
    const { headers } = this.loop;
    const steps = headers.map((h) => {
      const step = evaluateInteger(h.step);
      if (step === undefined || step === 0n)
        this.refuse(`the step of '${h.var.name}' is not constant`, h.span.start);
      return (n.base.loop.get(h.var) ?? 0n) * step;
    });
    const innermost = steps.at(-1) as bigint;
    const lastVar = (headers.at(-1) as LoopHeader).var.name;
    const access = n.accesses[0] as ElementAccess;
    if (innermost !== 1n && innermost !== -1n)
      this.refuse(
        innermost === 0n
          ? `'${printExpr(access.expr)}' does not move with '${lastVar}'`
          : `'${printExpr(access.expr)}' moves by ${innermost} elements per iteration of '${lastVar}', not by 1 or -1`,
        access.expr.span.start,
      );
    const strides = steps.map((s) => s * innermost);
    // Elements that one iteration of each loop spans; every inner loop must fit into its row.
    const rows: (bigint | undefined)[] = [];
    for (let k = 1; k < headers.length; k++) {
      const [outer, inner] = [strides[k - 1] as bigint, strides[k] as bigint];
      if (outer <= 0n || outer % inner !== 0n)
        this.refuse(
          `'${printExpr(access.expr)}' does not walk through memory in the order of the loops`,
          access.expr.span.start,
        );
      rows[k] = outer / inner;
      const h = headers[k] as LoopHeader;
      const trips = evaluateInteger(tripCount(h));
      if (trips === undefined)
        this.refuse(
          `the trip count of '${h.var.name}' is not constant, so a row may be longer than ${rows[k]} elements`,
          h.span.start,
        );
      if (trips > (rows[k] as bigint))
        this.refuse(
          `'${h.var.name}' takes ${trips} values and a row has ${rows[k]} elements: rows overlap`,
          h.span.start,
        );
    }
    return this.walk(n, headers, strides, rows, innermost);
  }

  private walk(
    n: Neighbourhood,
    headers: readonly LoopHeader[],
    strides: readonly bigint[],
    rows: readonly (bigint | undefined)[],
    direction: bigint,
  ): Path {
    const before: Stmt[] = [];
    const named = (name: string, e: Expr): Expr => {
      if (evaluateInteger(e) !== undefined) return e;
      const sym = freshSymbol(name, LONG);
      before.push(declare(sym, e));
      return ident(sym);
    };
    // Element of the first iteration at offset 0.
    let start: Expr = constant(0n);
    for (const h of headers) start = add(start, times(long(h.lower), n.base.loop.get(h.var) ?? 0n));
    for (const [sym, c] of n.base.invariant) start = add(start, times(long(ident(sym)), c));
    const base = named(`arc_${this.input.name}_first`, start);
    // Positions up to the last iteration.
    const trips = headers.map((h) => named(`arc_n_${h.var.name}`, tripCount(h)));
    let last: Expr = constant(1n);
    trips.forEach((t, k) => {
      last = add(last, times(add(t, constant(-1n)), strides[k] as bigint));
    });
    const some = conj(trips.map((t) => less(constant(0n), t)));
    const constantNo = trips.some((t) => (evaluateInteger(t) ?? 1n) <= 0n);
    const end = constantNo ? constant(0n) : some ? named("arc_end", cond(some, last, constant(0n))) : last;

    const inside: Expr[] = [];
    const walkEnd = new Map<LoopHeader, Expr>();
    headers.forEach((h, k) => {
      const row = rows[k];
      if (k === 0 || row === undefined) return;
      if (evaluateInteger(trips[k] as Expr) === row) return;
      // The walk goes through the whole row; iterations are those within the loop's own bounds.
      inside.push(binary(h.relation, ident(h.var), h.bound));
      walkEnd.set(h, binary("==", ident(h.var), add(long(h.lower), times(h.step, row))));
    });
    const count = counters(headers, (h) => walkEnd.get(h) ?? undefined);
    before.push(...count.before);
    return { before, base, end, direction, inside, advance: count.advance, strides };
  }

  /** No warm-up where there is nothing to do. */
  private bounded(end: Expr, warm: number): Expr {
    const value = evaluateInteger(end);
    if (value !== undefined) return constant(value > 0n ? value : -BigInt(warm));
    return warm === 0 ? end : cond(binary(">", end, constant(0n)), end, intLit(-warm));
  }

  /** Where the element to load exists; undefined: everywhere. */
  private extent(n: Neighbourhood, path: Path, load: Expr): Expr | undefined {
    const total = extentOf(this.input, this.task);
    if (total) {
      const from = total.from;
      return conj([atLeast(load, from), less(load, add(from, total.length))]);
    }
    // Elements that every iteration reads exist; so do those between them.
    const sure = n.accesses.filter((a) => !a.conditional);
    const all = n.accesses.flatMap((a) => [a.range.min, a.range.max]);
    const certain = sure.flatMap((a) => [a.range.min, a.range.max]);
    if (certain.length === 0 || min(certain) !== min(all) || max(certain) !== max(all)) {
      const guilty = n.accesses.find((a) => a.conditional) as ElementAccess;
      this.refuse(
        `'${printExpr(guilty.expr)}' is read only under a condition, and how many elements '${this.input.name}' has is not known`,
        guilty.expr.span.start,
        `give its extent in a data clause of the region: copyin(${this.input.name}[0:n])`,
      );
    }
    const reach = (d: bigint) => add(path.base, constant(d));
    const far = times(add(path.end, constant(-1n)), path.direction);
    const [low, high] =
      path.direction > 0n
        ? [reach(min(all)), add(reach(max(all)), far)]
        : [add(reach(min(all)), far), reach(max(all))];
    return conj([atLeast(load, low), atLeast(high, load)]);
  }

  // -------------------------------------------------------------- the body

  /** The place in the line of an element that `lane`'s iteration reads. */
  private tap(offset: Sum, behind: bigint, along: (d: bigint) => bigint, lane: Expr): Expr {
    let at: Expr = add(lane, constant(behind + along(offset.constant)));
    for (const [sym, c] of offset.inner) at = add(at, times(ident(sym), along(c)));
    return at;
  }

  /** Reads come from the line; writes go to memory and, so that later iterations see them, to the line. */
  private replaceAccesses(n: Neighbourhood, line: Symbol, tap: (o: Sum) => Expr): Stmt {
    const found = new Map<Expr, ElementAccess>(n.accesses.map((a) => [a.expr, a]));
    const pending = new Set(n.accesses.filter((a) => a.written));
    const inner = new Set(n.accesses.flatMap((a) => innerVariables(a.offset)));
    const place = (o: Offset): Expr =>
      o.kind === "choice" ? cond(o.test, place(o.then), place(o.else)) : index(ident(line), tap(o));
    // An access is found by identity: mapping keeps nodes whose parts stay, and subscripts do.
    const expr = (e: Expr): Expr => {
      const target = e.kind === "assign" ? found.get(stripped(e.left)) : undefined;
      if (e.kind === "assign" && target && target.offset.kind === "sum") {
        pending.delete(target);
        return assign(target.expr, { ...e, left: place(target.offset) });
      }
      const access = found.get(e);
      return access && !access.written ? place(access.offset) : e;
    };
    const stmt = (s: Stmt): Stmt => {
      // Inner loops over the neighbourhood unroll, so that every tap is a constant place.
      const v = s.kind === "for" && s.init?.kind === "decl" ? s.init.decls[0]?.sym : undefined;
      return v && inner.has(v) && !s.pragmas?.length ? { ...s, pragmas: [unrollPragma(0)] } : s;
    };
    const made = mapStmt(this.body, { expr, stmt });
    for (const a of pending)
      this.refuse(
        `'${printExpr(a.expr)}' is changed other than by an assignment at a constant distance`,
        a.expr.span.start,
      );
    return made;
  }

  /** Arrays whose stores can be made side by side after a step's computation. */
  private deferred(path: Path): readonly DeferredStore[] {
    const found: DeferredStore[] = [];
    const uses = usesOf(this.body);
    for (const [sym, use] of uses.of) {
      if (!use.elementsWritten || uses.declared.has(sym) || sym === this.input) continue;
      const store = this.deferrable(sym, use.elementsRead, path);
      if (typeof store === "string")
        this.note(false, `stores to '${sym.name}' stay among the computation: ${store}`, use.at.span.start);
      else found.push(store);
    }
    return found;
  }

  private deferrable(array: Symbol, read: boolean, path: Path): DeferredStore | string {
    if (read) return "the loop reads it too";
    const uses = usesOf(this.body);
    for (const [sym, use] of uses.of)
      if (
        sym !== array &&
        use.elementsRead &&
        !uses.declared.has(sym) &&
        !distinct(array, sym) &&
        this.loop.parallel.independence !== "independent"
      )
        return `'${sym.name}' may be the same memory`;
    const n = neighbourhood(this.loop, array);
    if (isRefusal(n)) return n.reason;
    const [one] = n.accesses;
    const element = elementType(array.type);
    if (
      !one ||
      !element ||
      n.accesses.some((a) => a.range.min !== one.range.min || a.range.max !== one.range.min)
    )
      return "an iteration stores to several elements";
    const simple = n.accesses.every((a) => this.isStatement(a.expr));
    if (!simple) return "a store is part of an expression";
    const steps = this.loop.headers.map(
      (h) => (n.base.loop.get(h.var) ?? 0n) * (evaluateInteger(h.step) ?? 0n),
    );
    const direction = steps.at(-1) as bigint;
    if (direction !== 1n && direction !== -1n)
      return "neighbouring iterations do not store to neighbouring elements";
    if (!steps.every((s, k) => s * direction === path.strides[k]))
      return "its rows have another length than those of the input";
    let first: Expr = constant(one.range.min);
    for (const h of this.loop.headers) first = add(first, times(long(h.lower), n.base.loop.get(h.var) ?? 0n));
    for (const [sym, c] of n.base.invariant) first = add(first, times(long(ident(sym)), c));
    const always = path.inside.length === 0 && n.accesses.some((a) => !a.conditional);
    const name = freshSymbol(`arc_${array.name}_first`, LONG);
    const known = evaluateInteger(first) !== undefined;
    return {
      array,
      before: known ? [] : [declare(name, first)],
      first: known ? first : ident(name),
      direction,
      values: freshSymbol(`arc_${array.name}_values`, arrayOf(unqualified(element), this.factor)),
      ...(!always && {
        set: freshSymbol(`arc_${array.name}_set`, arrayOf({ kind: "int", name: "int" }, this.factor)),
      }),
    };
  }

  private isStatement(e: Expr): boolean {
    let found = false;
    walkStmt(this.body, {
      stmt(s) {
        if (
          s.kind === "expr" &&
          s.expr?.kind === "assign" &&
          s.expr.op === "=" &&
          stripped(s.expr.left) === e
        )
          found = true;
      },
    });
    return found;
  }

  private replaceStores(body: Stmt, stores: readonly DeferredStore[]): Stmt {
    if (stores.length === 0) return body;
    const by = new Map(stores.map((s) => [s.array, s]));
    return mapStmt(body, {
      stmt: (s) => {
        if (s.kind !== "expr" || s.expr?.kind !== "assign") return s;
        const left = stripped(s.expr.left);
        const root = left.kind === "index" ? stripped(left.base) : undefined;
        const store = root?.kind === "ident" ? by.get(root.sym) : undefined;
        if (!store) return s;
        const value = { ...s, expr: assign(index(ident(store.values), ident(this.lane)), s.expr.right) };
        return store.set
          ? [value, exprStmt(assign(index(ident(store.set), ident(this.lane)), intLit(1)))]
          : value;
      },
    });
  }

  private storing(stores: readonly DeferredStore[], running: Expr, lane: Expr): Stmt {
    const writes = stores.map((s): Stmt => {
      const target = index(ident(s.array), add(s.first, times(add(ident(this.position), lane), s.direction)));
      const write = exprStmt(assign(target, index(ident(s.values), lane)));
      return s.set ? ifStmt(index(ident(s.set), lane), write) : write;
    });
    return ifStmt(running, compound(writes));
  }

  /** A fully unrolled loop over the lanes of a step. */
  private lanes(body: Stmt): Stmt {
    const v = ident(this.lane);
    const loop = forStmt(
      declare(this.lane, constant(0n)),
      binary("<", v, intLit(this.factor)),
      incdec("++", false, v),
      body,
    );
    return { ...loop, pragmas: [unrollPragma(0)] };
  }
}

interface Path {
  readonly before: Stmt[];
  /** Element of the first iteration at offset 0. */
  readonly base: Expr;
  /** One past the last position. */
  readonly end: Expr;
  readonly direction: bigint;
  /** What must hold for a position to be an iteration. */
  readonly inside: readonly Expr[];
  readonly advance: readonly Stmt[];
  /** Positions per iteration of each loop. */
  readonly strides: readonly bigint[];
}

/**
 * Positions in front of the first one: whole steps, or, where rows are walked with lanes side by side, such that a
 * step's loads begin at a multiple of the lanes.
 */
function warmUp(places: number, ahead: bigint, factor: number, blocked: boolean): number {
  const by = BigInt(factor);
  if (!blocked) return Math.ceil(places / factor) * factor;
  const over = (((ahead - BigInt(places)) % by) + by) % by;
  return places + Number(over);
}

const sorted = (values: readonly bigint[]) => [...values].sort((a, b) => (a < b ? -1 : 1));
const min = (values: readonly bigint[]) => sorted(values)[0] as bigint;
const max = (values: readonly bigint[]) => sorted(values).at(-1) as bigint;
const flat = (s: Stmt): readonly Stmt[] => (s.kind === "compound" && !s.pragmas?.length ? s.body : [s]);

function stripped(e: Expr): Expr {
  return e.kind === "cast" && e.implicit ? stripped(e.arg) : e;
}

function innerVariables(o: Offset): Symbol[] {
  return o.kind === "sum" ? [...o.inner.keys()] : [...innerVariables(o.then), ...innerVariables(o.else)];
}

function testUsing(o: Offset, array: Symbol): Expr | undefined {
  if (o.kind === "sum") return undefined;
  let uses = false;
  walkExpr(o.test, {
    expr(e) {
      if (e.kind === "ident" && e.sym === array) uses = true;
    },
  });
  return uses ? o.test : (testUsing(o.then, array) ?? testUsing(o.else, array));
}

/** Places of the line that lanes read, if all are constant. */
function fixedTaps(
  accesses: readonly ElementAccess[],
  along: (d: bigint) => bigint,
  behind: bigint,
  lanes: number,
): readonly number[] | "all" {
  const places = new Set<number>();
  const collect = (o: Offset): boolean => {
    if (o.kind === "choice") return collect(o.then) && collect(o.else);
    if (o.inner.size > 0) return false;
    for (let lane = 0; lane < lanes; lane++) places.add(Number(behind + along(o.constant)) + lane);
    return true;
  };
  return accesses.every((a) => collect(a.offset)) ? [...places].sort((a, b) => a - b) : "all";
}

/** The elements of an array that the device has: what a data clause of the region says, else its type. */
function extentOf(array: Symbol, task: Task): { from: Expr; length: Expr } | undefined {
  const item = task.items.find((i) => i.sym === array && i.object.kind === "ident");
  const type = canonical(array.type);
  const whole = type.kind === "array" && typeof type.size === "number" ? intLit(type.size, LONG) : undefined;
  const [dim] = item?.section ?? [];
  if (!dim) return whole && { from: constant(0n), length: whole };
  const values = new Set(
    argumentsOf(task)
      .filter((a) => a.how === "value")
      .map((a) => a.sym),
  );
  const usable = (e: Expr) =>
    evaluateInteger(e) !== undefined ||
    (item?.mapping.vis === "explicit" &&
      [...usesOf(e).of].every(([s, u]) => values.has(s) && !u.elementsRead));
  const from = dim.start ?? constant(0n);
  const length = dim.length ?? whole;
  return length && usable(from) && usable(length) ? { from: long(from), length: long(length) } : undefined;
}
