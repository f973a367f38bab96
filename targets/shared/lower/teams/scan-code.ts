/**
 * Iterations with scans (mapping/scans.ts), tile by tile, as all items of a group run them:
 *
 *     for each tile of the team's iterations
 *       values = what each of the lane's iterations adds       the slice of the body
 *       prefixes, total = scan of the tile
 *       the lane's iterations, from carry + prefix             the body
 *       carry += total
 */
import { itemAt } from "../../../../core/checked/access.ts";
import { combine } from "../../../../core/ir/model/combine.ts";
import { identity } from "../../../../core/ir/model/identity.ts";
import type { LoopHeader } from "../../../../core/ir/model/ir.ts";
import {
  copyWithFreshLocals,
  intType,
  LONG,
  sizeOf,
  substitute,
  unqualified,
} from "../../../../core/lang/index.ts";
import type { CType, Expr, Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import {
  assign,
  binary,
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
import { scratchOfScan, teamScan } from "../../device/device.ts";
import { valueAt } from "../../loops/trips.ts";
import type { Scan, ScanLoop } from "../../mapping/scans.ts";
import type { WideScan } from "./wide-scans.ts";
import { WideTile } from "./wide-tile.ts";

/** Iterations per lane in a tile. */
const PER_LANE = 4;

type ScanBody = Pick<ScanLoop, "header" | "body" | "slice" | "privates" | "scans">;

interface ScanWalk {
  /** Iterations of the lane's team, counted from 0: the first, and one past the last. */
  readonly from: Expr;
  readonly to: Expr;
  /** The largest end of all teams in the group, each plus its shift: they all run the same number of rounds. */
  readonly most: Expr;
  readonly lanes: Expr;
  /** The lane's index in its team. */
  readonly member: Expr;
  readonly items: number;
  /** Variables with the running value of the lane's team; absent: the scanned variable itself. */
  readonly carry?: ReadonlyMap<Symbol, Symbol>;
  /** What lanes access 16 bytes at a time, and how many iterations before `from` the first tile begins. */
  readonly wide?: { readonly scan: WideScan; readonly shift: Expr };
}

/** Group memory for exchanging scanned values. */
export class ScanScratch {
  private readonly byType = new Map<string, Symbol>();
  private readonly items: number;

  constructor(items: number) {
    this.items = items;
  }

  get symbols(): readonly Symbol[] {
    return [...this.byType.values()];
  }

  /** The array for values of a variable's type: shorter values are widened to words. */
  for({ type }: Symbol): Symbol {
    const of: CType = (sizeOf(type) ?? 8) < 4 ? intType("int") : unqualified(type);
    const key = `${of.kind} ${"name" in of ? of.name : ""}`;
    const known =
      this.byType.get(key) ??
      freshSymbol("arc_tile_of_scans", { kind: "array", of, size: scratchOfScan(this.items, PER_LANE) });
    this.byType.set(key, known);
    return known;
  }
}

/** Which iterations of a tile a lane has. */
interface Tile {
  readonly stores: readonly Stmt[];
  /** All tiles, `body` being one of them. */
  around(body: readonly Stmt[]): readonly Stmt[];
  /** The loop's counter in the lane's k-th iteration. */
  counterAt(k: number): Expr;
  /** The code of all iterations that the lane has, of which `codes` are the possible ones. */
  those(codes: readonly Stmt[]): readonly Stmt[];
  /** The code of the k-th iteration. */
  inParts(code: Stmt, k: number): Stmt;
}

const long = (n: number) => intLit(n, LONG);

/** Neighbouring lanes have neighbouring iterations. */
function inTurns({ lanes, member, from, to, most }: ScanWalk, header: LoopHeader): Tile {
  const [tile, width, at] = ["arc_tile", "arc_width", "arc_at"].map((name) => freshSymbol(name, LONG)) as [
    Symbol,
    Symbol,
    Symbol,
  ];
  const places = Array.from({ length: PER_LANE }, () => freshSymbol("arc_t", LONG));
  const wide = binary("*", ident(width), long(PER_LANE));
  const row = binary("*", binary("/", member, ident(width)), wide);
  const begin = binary("+", ident(tile), ident(at));
  const before = places.map((t, k) => declare(t, binary("+", begin, binary("*", ident(width), long(k)))));
  return {
    stores: [],
    around: (body) => [
      declare(width, cond(binary("<", lanes, long(32)), lanes, long(32))),
      declare(at, binary("+", row, binary("%", member, ident(width)))),
      counted(tile, from, most, binary("*", lanes, long(PER_LANE)), compound([...before, ...body])),
    ],
    counterAt: (k) => valueAt(header, ident(itemAt(places, k))),
    those: (codes) => codes.map((code, k) => ifStmt(binary("<", ident(itemAt(places, k)), to), code)),
    inParts: (code) => code,
  };
}

/** Sets each variable, in all lanes of a team, to its value after the last iteration. */
export function scanCode(loop: ScanBody, walk: ScanWalk, scratch: ScanScratch): Stmt[] {
  const { lanes, wide } = walk;
  const carried = (sym: Symbol): Expr => ident(walk.carry?.get(sym) ?? sym);
  const ks = Array.from({ length: PER_LANE }, (_, k) => k);
  const own = loop.scans.map(({ sym }) => {
    const named = (what: string) => ks.map(() => freshSymbol(`${sym.name}_${what}`, unqualified(sym.type)));
    return {
      values: named("value"),
      prefixes: named("prefix"),
      total: freshSymbol(`${sym.name}_total`, unqualified(sym.type)),
    };
  });
  const lane: Tile = wide
    ? new WideTile(wide.scan, loop.header, { ...walk, shift: wide.shift, per: PER_LANE })
    : inTurns(walk, loop.header);
  const slices = ks.map((k) => {
    const names = loop.scans.map(({ sym }, n) => [sym, ident(own[n]?.values[k] as Symbol)] as const);
    return iteration(loop, lane.inParts(loop.slice, k), lane.counterAt(k), new Map(names), []);
  });
  const bodies = ks.map((k) => {
    const run = loop.scans.map(({ sym }) => freshSymbol(sym.name, unqualified(sym.type)));
    const starts = loop.scans.map(({ op, sym }, n) =>
      declare(itemAt(run, n), combine(op, carried(sym), ident(own[n]?.prefixes[k] as Symbol))),
    );
    const body = lane.inParts(
      withValues(loop, (n) => own[n]?.values[k] as Symbol),
      k,
    );
    const names = loop.scans.map(({ sym }, n) => [sym, ident(itemAt(run, n))] as const);
    return iteration(loop, body, lane.counterAt(k), new Map(names), starts);
  });
  return [
    ...lane.around([
      ...loop.scans.flatMap(({ op, sym }, n) => [
        ...(own[n]?.values ?? []).map((v) => declare(v, identity(op, sym.type))),
        ...(own[n]?.prefixes ?? []).map((p) => declare(p)),
        declare(own[n]?.total as Symbol),
      ]),
      ...lane.those(slices),
      ...loop.scans.map(({ op, sym }, n) =>
        teamScan({
          op,
          consecutive: wide !== undefined,
          values: (own[n]?.values ?? []).map((v) => ident(v)),
          prefixes: (own[n]?.prefixes ?? []).map((p) => ident(p)),
          total: ident(own[n]?.total as Symbol),
          scratch: ident(scratch.for(sym)),
          lanes,
          items: walk.items,
        }),
      ),
      ...lane.those(bodies),
      ...lane.stores,
      ...loop.scans.map(({ op, sym }, n) =>
        exprStmt(assign(carried(sym), combine(op, carried(sym), ident(own[n]?.total as Symbol)))),
      ),
    ]),
  ];
}

/** An iteration's code with fresh variables. `at`: the loop's counter. */
export function iteration(
  { header, privates }: { readonly header: LoopHeader; readonly privates: readonly Symbol[] },
  code: Stmt,
  at: Expr,
  names: ReadonlyMap<Symbol, Expr>,
  starts: readonly Stmt[],
): Stmt {
  const counter = freshSymbol(header.var.name, unqualified(header.var.type));
  const own = privates.map((p) => freshSymbol(p.name, unqualified(p.type)));
  const renamed = substitute(
    code,
    new Map([
      [header.var, ident(counter)],
      ...privates.map((p, k) => [p, ident(itemAt(own, k))] as const),
      ...names,
    ]),
  );
  return copyWithFreshLocals(
    compound([declare(counter, at), ...own.map((p) => declare(p)), ...starts, ...flat(renamed)]),
  );
}

/** The body; statements that always combine use the values found by the slice. */
function withValues({ body, scans }: ScanBody, valueOf: (scan: number) => Symbol): Stmt {
  const steps = new Map(
    scans.flatMap((scan, n) => (scan.step ? [[scan.step, combined(scan, valueOf(n))]] : [])),
  );
  return compound(
    flat(body).map((s) => steps.get(s) ?? s),
    body.span,
  );
}

const combined = ({ op, sym }: Scan, value: Symbol): Stmt =>
  exprStmt(assign(ident(sym), combine(op, ident(sym), ident(value))));
