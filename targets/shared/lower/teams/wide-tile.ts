/**
 * Scans whose lanes have consecutive iterations, for which they load and store 16 bytes at a time:
 *
 *     the tile begins up to three iterations early, where the elements lie at multiples of 16
 *     parts = the elements that all of the lane's iterations load
 *     ... the iterations, on parts ...
 *     the elements that all of them store = parts
 *
 * The first and last lane of a row, and arrays that lie differently, have their elements one by one. What the next tile
 * needs is loaded before this one is scanned: a lane waits for its team in each tile, and its loads would wait, too.
 */
import { entryOf } from "../../../../core/checked/access.ts";
import { rootOf } from "../../../../core/ir/analysis/access.ts";
import type { LoopHeader } from "../../../../core/ir/model/ir.ts";
import {
  copyWithFreshLocals,
  evaluateInteger,
  INT,
  LONG,
  mapStmt,
  printExpr,
  sizeOf,
  substitute,
  substituteExpr,
  UINT,
  ULONG,
  unqualified,
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
import { counted } from "../../device/counted-loop.ts";
import { wideLoad, wideStore } from "../../device/device.ts";
import { valueAt } from "../../loops/trips.ts";
import { BYTES, isAligned } from "./neighbours.ts";
import type { WideScan } from "./wide-scans.ts";

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

interface Ahead {
  readonly parts: readonly Stmt[];
  /** This tile's parts are what was loaded for it. */
  readonly taken: readonly Stmt[];
  /** The loads of a lane whose iterations begin at a place. */
  loadsAt(place: Expr): readonly Stmt[];
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
  readonly stores: readonly Stmt[];
  private readonly loads: readonly Stmt[];
  private readonly loaded: readonly Expr[];
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
    this.loaded = loads;
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
    const ahead = this.ahead();
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
      ...ahead.parts,
      ...ahead.loadsAt(ident(own)),
      counted(
        tile,
        intLit(0, UINT),
        ident(size),
        ident(step),
        compound([
          declare(this.place, binary("+", ident(tile), ident(own))),
          declare(this.whole, this.isWhole(mine)),
          ...[...this.partsOf.values()].flat().map((part) => declare(part)),
          ...ahead.taken,
          ...ahead.loadsAt(binary("+", mine, ident(step))),
          ...body,
        ]),
      ),
    ];
  }

  /** What is loaded for the next tile while this one is scanned. */
  private ahead(): Ahead {
    const next = this.loaded.flatMap((e) =>
      this.parts(e).map((p) => [p, freshSymbol(`${p.name}_next`, p.type)] as const),
    );
    const loadsAt = (at: Expr): Stmt => {
      const place = freshSymbol("arc_next", UINT);
      const whole = freshSymbol("arc_whole", INT);
      const names = new Map<Symbol, Expr>([
        [this.place, ident(place)],
        [this.whole, ident(whole)],
        ...next.map(([p, q]) => [p, ident(q)] as const),
      ]);
      return compound([
        declare(place, at),
        declare(whole, this.isWhole(ident(place))),
        ...this.loads.map((s) => substitute(s, names)),
      ]);
    };
    return {
      parts: next.map(([, q]) => declare(q)),
      taken: next.map(([p, q]) => exprStmt(assign(ident(p), ident(q)))),
      loadsAt: (at) => (next.length > 0 ? [loadsAt(at)] : []),
    };
  }

  private isWhole(place: Expr): Expr {
    return binary(
      "&&",
      binary(">=", place, ident(this.begin)),
      binary("<=", binary("+", place, intLit(this.range.per, UINT)), ident(this.end)),
    );
  }

  /** Lanes with all iterations of a tile, which most are, ask once. */
  those(codes: readonly Stmt[]): readonly Stmt[] {
    const each = codes.map((code, k) => ifStmt(this.has(k), code));
    return [ifStmt(ident(this.whole), compound(codes), copyWithFreshLocals(compound(each)))];
  }

  /** Whether the lane has its k-th iteration. */
  private has(k: number): Expr {
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
    return entryOf(this.partsOf, printExpr(e));
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
