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
import { wideLoad, wideStore } from "../../device/device.ts";
import { valueAt } from "../../loops/trips.ts";
import type { ScanLoop } from "../../mapping/scans.ts";
import { dependents, mentions } from "../../mapping/slopes.ts";
import { isNext, isWord } from "./neighbours.ts";

const BYTES = 16;
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
  /** The lane's first iteration, and how many it may have. */
  readonly first: Symbol;
  readonly per: number;
  readonly from: Expr;
  readonly to: Expr;
}

/** A lane's consecutive iterations. */
export class WideTile {
  readonly before: readonly Stmt[];
  readonly loads: readonly Stmt[];
  readonly stores: readonly Stmt[];
  private readonly header: LoopHeader;
  private readonly range: Range;
  private readonly low = freshSymbol("arc_low", INT);
  private readonly high = freshSymbol("arc_high", INT);
  private readonly partsOf: ReadonlyMap<string, readonly Symbol[]>;

  constructor({ loads, stores }: WideScan, header: LoopHeader, range: Range) {
    this.header = header;
    this.range = range;
    const { first, per, from, to } = range;
    const all = new Map([...loads, ...stores].map((e) => [printExpr(e), e]));
    this.partsOf = new Map(
      [...all].map(([text, e]) => [
        text,
        Array.from({ length: per }, (_, k) =>
          freshSymbol(`${rootOf(e)?.sym.name ?? "arc"}_${k}`, unqualified(e.type)),
        ),
      ]),
    );
    const [none, most] = [intLit(0), intLit(per)];
    const [early, left] = [binary("-", from, ident(first)), binary("-", to, ident(first))];
    const atMost = cond(binary("<", left, intLit(0, LONG)), none, cast(INT, left));
    this.before = [
      declare(this.low, cond(binary("<", ident(first), from), cast(INT, early), none)),
      declare(this.high, cond(binary(">=", left, intLit(per, LONG)), most, atMost)),
      ...[...this.partsOf.values()].flat().map((part) => declare(part)),
    ];
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

  /** Whether the lane has its k-th iteration. */
  has(k: number): Expr {
    return binary("&&", binary("<=", ident(this.low), intLit(k)), binary("<", intLit(k), ident(this.high)));
  }

  at(k: number): Expr {
    const { first } = this.range;
    return k === 0 ? ident(first) : binary("+", ident(first), intLit(k, LONG));
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

  private parts(e: Expr): readonly Symbol[] {
    return this.partsOf.get(printExpr(e)) as readonly Symbol[];
  }

  private groups(e: Expr, one: (place: Expr, parts: readonly Expr[]) => Stmt): Stmt[] {
    const width = BYTES / (sizeOf(e.type) ?? BYTES);
    return Array.from({ length: this.range.per / width }, (_, n) => {
      const parts = this.parts(e).slice(n * width, (n + 1) * width);
      return one(
        elementAt(e, this.header, this.at(n * width)),
        parts.map((p) => ident(p)),
      );
    });
  }

  private either(e: Expr, wide: readonly Stmt[], one: (place: Expr, part: Expr) => Stmt): Stmt {
    const whole = [
      binary("==", ident(this.low), intLit(0)),
      binary("==", ident(this.high), intLit(this.range.per)),
      binary(
        "==",
        binary("%", cast(ULONG, addressOf(elementAt(e, this.header, this.at(0)))), intLit(BYTES, ULONG)),
        intLit(0, ULONG),
      ),
    ].reduce((a, b) => binary("&&", a, b));
    const each = this.parts(e).map((part, k) =>
      ifStmt(this.has(k), one(elementAt(e, this.header, this.at(k)), ident(part))),
    );
    return ifStmt(whole, compound(wide), compound(each));
  }
}
