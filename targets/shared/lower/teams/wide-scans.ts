/**
 * Scans whose lanes have consecutive iterations, for which they load and store 16 bytes at a time:
 *
 *     the tile begins up to three iterations early, where the elements lie at multiples of 16
 *     parts = the elements that all of the lane's iterations load
 *     ... the iterations, on parts ...
 *     the elements that all of them store = parts
 *
 * The first and last lane of a row, and arrays that lie differently, have their elements one by one.
 */
import { rootOf, type Uses, usesOf } from "../../../../core/ir/analysis/access.ts";
import { isVolatile, pureReads } from "../../../../core/ir/analysis/purity.ts";
import type { LoopHeader } from "../../../../core/ir/model/ir.ts";
import {
  canonical,
  evaluateInteger,
  INT,
  isPointer,
  LONG,
  mapStmt,
  printExpr,
  sizeOf,
  substituteExpr,
  UINT,
  ULONG,
  unqualified,
  walkExpr,
  walkStmt,
} from "../../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import {
  addressOf,
  assign,
  binary,
  cast,
  compound,
  cond,
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  intLit,
} from "../../../../core/lang/tree/build.ts";
import { flat } from "../../device/control.ts";
import { counted } from "../../device/counted-loop.ts";
import { wideLoad, wideStore } from "../../device/device.ts";
import { valueAt } from "../../loops/trips.ts";
import type { ScanLoop } from "../../mapping/scans.ts";
import { dependents, mentions } from "../../mapping/slopes.ts";
import { BYTES, isAligned, isNext, isWord } from "./neighbours.ts";

/** Arrays whose elements a lane keeps in registers. */
const MOST = 6;

export interface WideScan {
  /** An access of each array that is loaded, and of each that is stored. */
  readonly loads: readonly Expr[];
  readonly stores: readonly Expr[];
}

type Body = Pick<ScanLoop, "header" | "body" | "privates">;

/** What lanes load and store 16 bytes at a time; undefined: something that they store is not of that kind. */
export function wideScan(loop: Body): WideScan | undefined {
  const { header, body } = loop;
  const counter = canonical(header.var.type);
  const counts = counter.kind === "int" && (counter.name === "int" || counter.name === "long");
  const uses = usesOf(body);
  if (!counts || evaluateInteger(header.step) !== 1n || !isSimple(uses)) return undefined;
  const fixed = fixedIn(loop, uses);
  const stores = storesIn(body, uses, fixed);
  if (!stores) return undefined;
  const loads = loadsIn(body, fixed, new Set(stores.map((e) => printExpr(e))));
  const found = stores.length + loads.length;
  return found > 0 && found <= MOST ? { loads, stores } : undefined;
}

/** Calls read no memory. */
const isSimple = ({ calls, indirectCall }: Uses): boolean =>
  !indirectCall &&
  [...calls.keys()].every((f) => {
    const reads = pureReads(f);
    return reads && !reads.pointees && reads.globals.size === 0;
  });

/** Whether an element's place moves by one from iteration to iteration, in an array that does not change. */
function fixedIn({ header, body, privates }: Body, uses: Uses): (e: Expr) => e is Expr & { kind: "index" } {
  const written = [...uses.of].flatMap(([sym, use]) => (use.written || use.addressTaken ? [sym] : []));
  const moving = new Set([...dependents(body, header.var), ...uses.declared, ...privates, ...written]);
  return (e): e is Expr & { kind: "index" } =>
    e.kind === "index" &&
    (isWord(e) || isLong(e)) &&
    !isVolatile(e.type) &&
    !mentions(e.base, moving) &&
    isNext(e.index, header.var, moving);
}

function isLong({ type }: Expr): boolean {
  const c = canonical(type);
  return c.kind === "int" && (c.name === "long" || c.name === "ulong");
}

/** The stores, one for each array that the body changes, each run by every iteration; undefined: there are others. */
function storesIn(body: Stmt, uses: Uses, fixed: (e: Expr) => boolean): readonly Expr[] | undefined {
  const changed = [...uses.of].filter(
    ([sym, use]) => use.elementsWritten && !(uses.declared.has(sym) && !isPointer(sym.type)),
  );
  const stores: Expr[] = [];
  for (const [sym] of changed) {
    const [only, ...more] = flat(body).filter((s) => usesOf(s).of.get(sym)?.elementsWritten);
    const store = only && more.length === 0 ? storeOf(only) : undefined;
    if (!store || !fixed(store) || rootOf(store)?.sym !== sym) return undefined;
    if (readsAfter(body, sym)) return undefined;
    stores.push(store);
  }
  return stores;
}

/** The element that a statement sets. */
function storeOf(s: Stmt): Expr | undefined {
  if (s.kind !== "expr" || s.expr?.kind !== "assign" || s.expr.op !== "=") return undefined;
  const { left, right } = s.expr;
  const root = rootOf(left)?.sym;
  const inside = usesOf(exprStmt(right)).of.get(root as Symbol);
  return root && !inside?.elementsWritten ? left : undefined;
}

/** Whether an iteration reads an array's elements behind the statement that stores one. */
function readsAfter(body: Stmt, sym: Symbol): boolean {
  const list = flat(body);
  const at = list.findIndex((s) => usesOf(s).of.get(sym)?.elementsWritten);
  return list.slice(at + 1).some((s) => usesOf(s).of.get(sym)?.elementsRead);
}

/** The elements that every iteration loads, or may load and then stores. */
function loadsIn(body: Stmt, fixed: (e: Expr) => boolean, stored: ReadonlySet<string>): readonly Expr[] {
  const found = new Map<string, Expr>();
  const targets = new Set<Expr>();
  const add = (e: Expr, isAlways: boolean): void => {
    if (targets.has(e) || !fixed(e)) return;
    if (isAlways || stored.has(printExpr(e))) found.set(printExpr(e), e);
  };
  const inside = (e: Expr, isAlways: boolean): void =>
    walkExpr(e, {
      expr(sub) {
        if (sub.kind === "assign") targets.add(sub.left);
        if (isAlways && isBranch(sub)) {
          inside(sub, false);
          return false;
        }
        add(sub, isAlways);
        return undefined;
      },
    });
  for (const s of flat(body)) {
    const isAlways = s.kind === "expr" || s.kind === "decl";
    if (s.kind === "if") inside(s.test, true);
    walkStmt(s, {
      expr(e) {
        inside(e, isAlways);
        return false;
      },
    });
  }
  return [...found.values()];
}

const isBranch = (e: Expr): boolean =>
  e.kind === "cond" || (e.kind === "binary" && (e.op === "&&" || e.op === "||"));

/** How many iterations before its first one, `from`, a row's tiles begin. */
export function shiftOf({ loads, stores }: WideScan, header: LoopHeader, from: Expr): Expr {
  const size = (e: Expr) => sizeOf(e.type) ?? BYTES;
  const [first, ...others] = stores.length > 0 ? stores : loads;
  const smallest = others.reduce((a, b) => (size(b) < size(a) ? b : a), first as Expr);
  const bytes = intLit(size(smallest), ULONG);
  const element = binary("/", cast(ULONG, addressOf(elementAt(smallest, header, from))), bytes);
  return cast(LONG, binary("%", element, binary("/", intLit(BYTES, ULONG), bytes)));
}

const elementAt = (e: Expr, header: LoopHeader, t: Expr): Expr =>
  substituteExpr(e, new Map([[header.var, valueAt(header, t)]]));

interface Range {
  readonly per: number;
  /** Iterations, counted in `long`: the team's, and the end of the last tile of all teams. */
  readonly from: Expr;
  readonly to: Expr;
  readonly most: Expr;
  readonly shift: Expr;
  readonly lanes: Expr;
  readonly member: Expr;
}

/** Iterations that are counted at a time where there may be more than `unsigned int` holds. */
const CHUNK = 1 << 28;

/**
 * A lane's consecutive iterations of each tile. Places, counted in `unsigned int` to save registers, start where the tiles
 * do, which is up to three iterations early:
 *
 *     i0 = the counter at place 0
 *     for (tile = 0; ...)
 *       place = tile + 4 * member
 *       the iterations at places `place` to `place + 3`, as far as they are in [begin, end)
 *
 * A counter in `long` may have more iterations; then this is done for one chunk of them after the other.
 */
export class WideTile {
  readonly loads: readonly Stmt[];
  readonly stores: readonly Stmt[];
  private readonly header: LoopHeader;
  private readonly range: Range;
  private readonly place = freshSymbol("arc_mine", UINT);
  private readonly begin = freshSymbol("arc_begin", UINT);
  private readonly end = freshSymbol("arc_end", UINT);
  private readonly whole = freshSymbol("arc_whole", INT);
  private readonly first: Symbol;
  private readonly partsOf: ReadonlyMap<string, readonly Symbol[]>;
  private readonly aligned = new Map<string, { readonly sym: Symbol; readonly e: Expr }>();

  constructor({ loads, stores }: WideScan, header: LoopHeader, range: Range) {
    this.header = header;
    this.range = range;
    this.first = freshSymbol(`${header.var.name}_first`, unqualified(header.var.type));
    for (const e of [...loads, ...stores])
      if (!this.aligned.has(printExpr(e)))
        this.aligned.set(printExpr(e), { sym: freshSymbol("arc_aligned", INT), e });
    this.partsOf = new Map(
      [...this.aligned].map(([text, { e }]) => [
        text,
        Array.from({ length: range.per }, (_, k) =>
          freshSymbol(`${rootOf(e)?.sym.name ?? "arc"}_${k}`, unqualified(e.type)),
        ),
      ]),
    );
    this.loads = loads.map((e) =>
      this.either(
        e,
        this.groups(e, (place, into) => wideLoad({ into, from: place })),
        (place, part) => exprStmt(assign(part, place)),
      ),
    );
    this.stores = stores.map((e) =>
      this.either(
        e,
        this.groups(e, (place, from) => wideStore({ to: place, from })),
        (place, part) => exprStmt(assign(place, part)),
      ),
    );
  }

  /** All tiles, `body` being one of them. */
  around(body: readonly Stmt[]): readonly Stmt[] {
    const { from, most } = this.range;
    if (sizeOf(this.header.var.type) === sizeOf(INT)) return [compound(this.chunk(from, body))];
    const chunk = freshSymbol("arc_chunk", LONG);
    return [counted(chunk, from, most, intLit(CHUNK, LONG), compound(this.chunk(ident(chunk), body, CHUNK)))];
  }

  /** The tiles that begin at an iteration. `limit`: of which no more than so many iterations are run. */
  private chunk(start: Expr, body: readonly Stmt[], limit?: number): Stmt[] {
    const { from, to, most, shift, lanes, member, per } = this.range;
    const [tile, size, own, step] = ["arc_tile", "arc_size", "arc_own", "arc_step"].map((name) =>
      freshSymbol(name, UINT),
    ) as [Symbol, Symbol, Symbol, Symbol];
    const begin = binary("-", start, shift);
    const atMost = (e: Expr): Expr =>
      limit === undefined
        ? cast(UINT, e)
        : cond(binary("<", e, intLit(limit, LONG)), cast(UINT, e), intLit(limit, UINT));
    const places = (e: Expr): Expr => cond(binary("<", e, intLit(0, LONG)), intLit(0, UINT), atMost(e));
    const times = (e: Expr): Expr => binary("*", cast(UINT, e), intLit(per, UINT));
    const mine = ident(this.place);
    const whole = binary(
      "&&",
      binary(">=", mine, ident(this.begin)),
      binary("<=", binary("+", mine, intLit(per, UINT)), ident(this.end)),
    );
    return [
      declare(this.first, valueAt(this.header, begin)),
      declare(size, places(minus(most, start))),
      declare(this.begin, start === from ? cast(UINT, shift) : places(binary("-", from, begin))),
      declare(this.end, places(binary("+", minus(to, start), shift))),
      declare(own, times(member)),
      declare(step, times(lanes)),
      ...[...this.aligned.values()].map(({ sym, e }) =>
        declare(sym, isAligned(cast(ULONG, addressOf(this.elementAt(e, 0, true))))),
      ),
      counted(
        tile,
        intLit(0, UINT),
        ident(size),
        ident(step),
        compound([
          declare(this.place, binary("+", ident(tile), ident(own))),
          declare(this.whole, whole),
          ...[...this.partsOf.values()].flat().map((part) => declare(part)),
          ...body,
        ]),
      ),
    ];
  }

  /** Whether the lane has its k-th iteration. */
  has(k: number): Expr {
    const at = this.at(k);
    return binary("&&", binary(">=", at, ident(this.begin)), binary("<", at, ident(this.end)));
  }

  /** The loop's counter in the lane's k-th iteration. */
  counterAt(k: number): Expr {
    return cast(unqualified(this.header.var.type), binary("+", ident(this.first), this.at(k)));
  }

  private at(k: number): Expr {
    return k === 0 ? ident(this.place) : binary("+", ident(this.place), intLit(k, UINT));
  }

  /** The code of the k-th iteration. */
  inParts(code: Stmt, k: number): Stmt {
    return mapStmt(code, {
      expr: (e) => {
        const part = e.kind === "index" ? this.partsOf.get(printExpr(e))?.[k] : undefined;
        return part ? ident(part) : e;
      },
    });
  }

  private elementAt(e: Expr, k: number, atFirst = false): Expr {
    return substituteExpr(e, new Map([[this.header.var, atFirst ? ident(this.first) : this.counterAt(k)]]));
  }

  private parts(e: Expr): readonly Symbol[] {
    return this.partsOf.get(printExpr(e)) as readonly Symbol[];
  }

  private groups(e: Expr, one: (place: Expr, parts: readonly Expr[]) => Stmt): Stmt[] {
    const width = BYTES / (sizeOf(e.type) ?? BYTES);
    return Array.from({ length: this.range.per / width }, (_, n) => {
      const parts = this.parts(e).slice(n * width, (n + 1) * width);
      return one(
        this.elementAt(e, n * width),
        parts.map((p) => ident(p)),
      );
    });
  }

  private either(e: Expr, wide: readonly Stmt[], one: (place: Expr, part: Expr) => Stmt): Stmt {
    const aligned = this.aligned.get(printExpr(e))?.sym as Symbol;
    const each = this.parts(e).map((part, k) => ifStmt(this.has(k), one(this.elementAt(e, k), ident(part))));
    return ifStmt(binary("&&", ident(this.whole), ident(aligned)), compound(wide), compound(each));
  }
}

const minus = (a: Expr, b: Expr): Expr => (evaluateInteger(b) === 0n ? a : binary("-", a, b));
