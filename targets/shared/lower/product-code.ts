/**
 * Products of matrices (mapping/products.ts) in two levels of tiles: a group computes a block of rows and columns, each
 * item a smaller one in registers, from pieces of the operands in group memory.
 *
 *     for each block of the group
 *       for each element of the item: what stands in front of the inner loop
 *       for each piece of the inner loop
 *         all items load the piece of the operands
 *         for each of its iterations: the item's operands, then the inner loop's body for each of its elements
 *       for each element of the item: what stands behind
 *
 * The iterations of an element run in the order of the source. Rows, columns and iterations beyond the last are loaded
 * as the last, and not stored.
 */
import { rootOf, usesOf } from "../../../core/ir/analysis/access.ts";
import { extStmt, type LoopHeader, node, type Threads } from "../../../core/ir/model/ir.ts";
import { arrayOf, INT, LONG, mapStmt, sizeOf, substitute, unqualified } from "../../../core/lang/index.ts";
import type { Diagnostic, Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
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
  index,
  intLit,
} from "../../../core/lang/tree/build.ts";
import { flat } from "../device/control.ts";
import { counted } from "../device/counted-loop.ts";
import { barrier, place } from "../device/device.ts";
import { unrollPragma } from "../device/pragmas.ts";
import { tripCount, valueAt } from "../loops/trips.ts";
import type { Operand, Product } from "../mapping/products.ts";

export interface ProductCode {
  /** For launches that have enough of everything. */
  readonly body: Stmt;
  readonly groupMemory: readonly Symbol[];
  readonly remark: Diagnostic;
}

/** Sizes of the tiles. */
interface Tiles {
  readonly items: number;
  /** Items next to each other along the columns. */
  readonly across: number;
  /** Rows and columns of an item. */
  readonly own: { readonly row: number; readonly column: number };
  /** Rows and columns of a group. */
  readonly group: { readonly row: number; readonly column: number };
}

/** Iterations of the inner loop in a piece. */
const DEPTH = 16;
/** Elements that an item reads from group memory at once. */
const RUN = 4;
const ACROSS = 16;
/** Groups for each compute unit, in eighths, below which smaller shares keep the device busier. */
const BUSY = 4;

/** Undefined: tiles do not fit the device. `room`: bytes of group memory. */
export function productCode(
  product: Product,
  items: number,
  room: number,
  capacity: Symbol,
): ProductCode | undefined {
  const tiles = tilesFor(product, items);
  if (!tiles) return undefined;
  const held = product.operands.map((operand, n) => new Held(operand, n, tiles));
  if (held.reduce((sum, h) => sum + h.bytes, 0) > room) return undefined;
  const code = new Code(product, tiles, held);
  return {
    body: code.guarded(capacity),
    groupMemory: held.map((h) => h.memory),
    remark: remarkOn(product, tiles),
  };
}

function tilesFor({ kept, operands }: Product, items: number): Tiles | undefined {
  if (items % ACROSS !== 0 || items < 4 * ACROSS) return undefined;
  const wide = [...kept.map((s) => s.type), ...operands.map((o) => o.type)].some((t) => (sizeOf(t) ?? 8) > 4);
  const own = { row: wide || kept.length > 1 ? RUN : 2 * RUN, column: RUN };
  const down = items / ACROSS;
  return { items, across: ACROSS, own, group: { row: own.row * down, column: own.column * ACROSS } };
}

function remarkOn({ loop, operands }: Product, { group }: Tiles): Diagnostic {
  const names = [...new Set(operands.map((o) => `'${rootName(o)}'`))].join(", ");
  return {
    severity: "note",
    code: "tiled",
    loc: loop.site.loc,
    message: `groups compute ${group.row} x ${group.column} iterations together, from pieces of ${names} in group memory`,
    remedy: "name levels (gang, vector) to have the loops shared out as written",
  };
}

function rootName({ loads: [load] }: Operand): string {
  return rootOf(load as Expr)?.sym.name ?? "";
}

const long = (n: number): Expr => intLit(n, LONG);
const times = (a: Expr, b: Expr): Expr => binary("*", a, b);
const plus = (a: Expr, b: Expr): Expr => binary("+", a, b);

/** An operand's piece in group memory: [iteration][row or column]. */
class Held {
  readonly operand: Operand;
  readonly memory: Symbol;
  /** The item's elements of one iteration. */
  readonly values: Symbol;
  /** Of a group, and of an item. */
  readonly size: number;
  readonly own: number;
  readonly bytes: number;

  constructor(operand: Operand, n: number, { group, own }: Tiles) {
    this.operand = operand;
    this.size = group[operand.side];
    this.own = own[operand.side];
    const type = unqualified(operand.type);
    // Neighbours that store one below the other must not meet in a memory bank.
    const width = this.size + (operand.along === "inner" ? RUN : 0);
    this.bytes = DEPTH * width * (sizeOf(type) ?? 8);
    this.memory = freshSymbol(`arc_tile${n}`, arrayOf(arrayOf(type, width), DEPTH));
    this.values = freshSymbol(`arc_own${n}`, arrayOf(type, this.own));
  }
}

class Code {
  private readonly product: Product;
  private readonly tiles: Tiles;
  private readonly held: readonly Held[];
  private readonly counts: Record<"row" | "column" | "inner", Symbol>;
  private readonly first = {
    row: freshSymbol("arc_row", LONG),
    column: freshSymbol("arc_column", LONG),
    inner: freshSymbol("arc_piece", LONG),
  };
  private readonly at = { row: freshSymbol("arc_y", LONG), column: freshSymbol("arc_x", LONG) };
  private readonly ofItem = { row: freshSymbol("arc_r", INT), column: freshSymbol("arc_s", INT) };
  private readonly kept: ReadonlyMap<Symbol, Symbol>;

  constructor(product: Product, tiles: Tiles, held: readonly Held[]) {
    this.product = product;
    this.tiles = tiles;
    this.held = held;
    const count = (h: LoopHeader) => freshSymbol(`arc_n_${h.var.name}`, LONG);
    const { row, column, inner } = product;
    this.counts = { row: count(row), column: count(column), inner: count(inner) };
    const elements = tiles.own.row * tiles.own.column;
    this.kept = new Map(
      product.kept.map((sym) => [sym, freshSymbol(sym.name, arrayOf(unqualified(sym.type), elements))]),
    );
  }

  /** Small products keep the device busier with an item for each element. */
  guarded(capacity: Symbol): Stmt {
    const { loop, row, column, inner } = this.product;
    const { group, items } = this.tiles;
    const { counts } = this;
    const blocks = freshSymbol("arc_blocks", LONG);
    const wide = freshSymbol("arc_wide", LONG);
    const over = (side: "row" | "column"): Expr =>
      binary("/", plus(ident(counts[side]), long(group[side] - 1)), long(group[side]));
    const atLeast = (n: Symbol, least: number): Expr => binary(">=", ident(n), long(least));
    const enough = [
      atLeast(counts.row, group.row / 2),
      atLeast(counts.column, group.column / 2),
      atLeast(counts.inner, DEPTH),
      binary(">=", times(ident(blocks), long(items * 32)), times(ident(capacity), long(BUSY))),
    ].reduce((a, b) => binary("&&", a, b));
    const { span } = loop.body;
    const together = node<Threads>({ kind: "threads", body: this.blocks(blocks, wide), site: loop.site });
    return compound([
      declare(counts.row, tripCount(row)),
      declare(counts.column, tripCount(column)),
      declare(counts.inner, tripCount(inner)),
      declare(wide, over("column")),
      declare(blocks, times(over("row"), ident(wide))),
      ifStmt(enough, compound([extStmt(together, span)]), extStmt(loop, span)),
    ]);
  }

  private blocks(blocks: Symbol, wide: Symbol): Stmt {
    const { group, across } = this.tiles;
    const { first, at } = this;
    const block = freshSymbol("arc_block", LONG);
    const body = compound([
      declare(first.row, times(binary("/", ident(block), ident(wide)), long(group.row))),
      declare(first.column, times(binary("%", ident(block), ident(wide)), long(group.column))),
      ...[...this.kept.values()].map((sym) => declare(sym)),
      this.elements([...this.product.before], "or zero"),
      this.pieces(),
      this.elements([...this.product.behind], "alone"),
    ]);
    return compound([
      declare(at.column, binary("%", place("item"), long(across))),
      declare(at.row, binary("/", place("item"), long(across))),
      counted(block, place("group"), ident(blocks), place("groups"), body),
    ]);
  }

  /** Over the item's elements. */
  private unrolled(counter: Symbol, count: number, body: Stmt): Stmt {
    const loop = counted(counter, intLit(0), intLit(count), intLit(1), body);
    return { ...loop, pragmas: [unrollPragma(0)] };
  }

  private overElements(body: Stmt): Stmt {
    const { own } = this.tiles;
    return this.unrolled(
      this.ofItem.row,
      own.row,
      compound([this.unrolled(this.ofItem.column, own.column, body)]),
    );
  }

  /** Where the item's element lies in the group's block: in runs of neighbours, so that one load gets them all. */
  private inBlock(side: "row" | "column"): Expr {
    const { items, across } = this.tiles;
    const beside = side === "column" ? across : items / across;
    const n = ident(this.ofItem[side]);
    const run = intLit(RUN);
    return plus(
      plus(times(binary("/", n, run), long(beside * RUN)), times(ident(this.at[side]), long(RUN))),
      binary("%", n, run),
    );
  }

  private position(side: "row" | "column"): Expr {
    return plus(ident(this.first[side]), this.inBlock(side));
  }

  private element(): Expr {
    return plus(times(ident(this.ofItem.row), intLit(this.tiles.own.column)), ident(this.ofItem.column));
  }

  /** Variables that live on are elements of the item's arrays. */
  private renamed(s: Stmt): Stmt {
    return substitute(
      s,
      new Map([...this.kept].map(([from, to]) => [from, index(ident(to), this.element())])),
    );
  }

  private assigned(s: Stmt): Stmt[] {
    if (s.kind !== "decl" || !s.decls.some(({ sym }) => this.kept.has(sym))) return [s];
    return s.decls.flatMap((d): Stmt[] => {
      if (!this.kept.has(d.sym)) return [{ ...s, decls: [d] }];
      return d.init?.kind === "expr" ? [exprStmt(assign(ident(d.sym), d.init.expr))] : [];
    });
  }

  private elements(stmts: readonly Stmt[], beyond: "or zero" | "alone"): Stmt {
    const { row, column, privates } = this.product;
    const [r, c] = [freshSymbol("arc_i", LONG), freshSymbol("arc_j", LONG)];
    const inside = binary(
      "&&",
      binary("<", ident(r), ident(this.counts.row)),
      binary("<", ident(c), ident(this.counts.column)),
    );
    const used = usesOf(...stmts).of;
    const own = [
      ...(used.has(row.var) ? [declare(row.var, valueAt(row, ident(r)))] : []),
      ...(used.has(column.var) ? [declare(column.var, valueAt(column, ident(c)))] : []),
      ...privates.filter((p) => used.has(p)).map((p) => declare(p)),
    ];
    const there = compound([...own, ...stmts.flatMap((s) => this.assigned(s))]);
    const zero = [...this.kept.keys()].map((sym) => exprStmt(assign(ident(sym), intLit(0))));
    const all =
      beyond === "alone"
        ? [ifStmt(inside, there)]
        : [...zero, ...(stmts.length > 0 ? [ifStmt(inside, there)] : [])];
    return this.overElements(
      this.renamed(compound([declare(r, this.position("row")), declare(c, this.position("column")), ...all])),
    );
  }

  private pieces(): Stmt {
    const { first, counts } = this;
    const end = plus(ident(first.inner), long(DEPTH));
    const rest = freshSymbol("arc_rest", INT);
    const k = freshSymbol("arc_k", INT);
    const whole = counted(k, intLit(0), intLit(DEPTH), intLit(1), this.iteration(k));
    const body = compound([
      barrier(),
      ...this.held.map((h) => this.load(h)),
      barrier(),
      ifStmt(
        binary("<=", end, ident(counts.inner)),
        { ...whole, pragmas: [unrollPragma(0)] },
        compound([
          declare(rest, binary("-", ident(counts.inner), ident(first.inner))),
          counted(k, intLit(0), ident(rest), intLit(1), this.iteration(k)),
        ]),
      ),
    ]);
    return counted(first.inner, long(0), ident(counts.inner), long(DEPTH), body);
  }

  private load({ operand, memory, size }: Held): Stmt {
    const { items } = this.tiles;
    const { side, along, loads } = operand;
    const header = this.product[side];
    const { inner } = this.product;
    const [e, q] = [freshSymbol("arc_e", INT), freshSymbol("arc_q", INT)];
    const [lane, k] = [freshSymbol("arc_l", INT), freshSymbol("arc_k", INT)];
    const quick = along === "inner" ? DEPTH : size;
    const [inQuick, inSlow] = [binary("%", ident(q), intLit(quick)), binary("/", ident(q), intLit(quick))];
    const all = size * DEPTH;
    const store = exprStmt(assign(index(index(ident(memory), ident(k)), ident(lane)), loads[0] as Expr));
    const body = compound([
      declare(q, plus(ident(e), place("item"))),
      declare(lane, along === "inner" ? inSlow : inQuick),
      declare(k, along === "inner" ? inQuick : inSlow),
      ...this.counter(header, plus(ident(this.first[side]), ident(lane)), this.counts[side]),
      ...this.counter(inner, plus(ident(this.first.inner), ident(k)), this.counts.inner),
      store,
    ]);
    const loop = counted(e, intLit(0), intLit(all), intLit(items), body);
    return { ...loop, pragmas: [unrollPragma(0)] };
  }

  /** The loop's variable, at the last iteration beyond it. */
  private counter(header: LoopHeader, at: Expr, count: Symbol): Stmt[] {
    const t = freshSymbol(`arc_${header.var.name}`, LONG);
    const last = binary("-", ident(count), long(1));
    return [
      declare(t, at),
      declare(header.var, valueAt(header, cond(binary("<", ident(t), ident(count)), ident(t), last))),
    ];
  }

  /** One iteration of the inner loop for all elements of the item. */
  private iteration(k: Symbol): Stmt {
    const { product, held } = this;
    const { row, column, inner, privates } = product;
    const by = new Map<Expr, Expr>();
    for (const h of held)
      for (const load of h.operand.loads)
        by.set(load, index(ident(h.values), ident(this.ofItem[h.operand.side])));
    const body = mapStmt(product.body, { expr: (e) => by.get(e) ?? e });
    const used = usesOf(body).of;
    const fetches = held.map((h) =>
      this.unrolled(
        this.ofItem[h.operand.side],
        h.own,
        exprStmt(
          assign(
            index(ident(h.values), ident(this.ofItem[h.operand.side])),
            index(index(ident(h.memory), ident(k)), this.inBlock(h.operand.side)),
          ),
        ),
      ),
    );
    const own = [
      ...(used.has(row.var) ? this.counter(row, this.position("row"), this.counts.row) : []),
      ...(used.has(column.var) ? this.counter(column, this.position("column"), this.counts.column) : []),
      ...(used.has(inner.var)
        ? this.counter(inner, plus(ident(this.first.inner), ident(k)), this.counts.inner)
        : []),
      ...privates.filter((p) => used.has(p)).map((p) => declare(p)),
    ];
    return compound([
      ...held.map((h) => declare(h.values)),
      ...fetches,
      this.overElements(this.renamed(compound([...own, ...flat(body)]))),
    ]);
  }
}
