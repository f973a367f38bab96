/**
 * Matrix products (mapping/products/product-loop.ts) with two levels of tiles: a group computes a block of rows and columns, each
 * item a smaller tile in registers, from pieces of the operands in group memory.
 *
 *     for each block of the group
 *       for each element of the item: code before the inner loop
 *       all items load the first piece of the operands into registers
 *       for each piece of the inner loop
 *         all items store it to group memory, and load the next one into registers
 *         for each iteration of a piece: read the item's operands, run the inner loop's body for each element
 *       for each element of the item: code after it
 *
 * The iterations for an element run in source order. Rows, columns and iterations beyond the end load the last one
 * again, and are not stored.
 */
import { firstOf } from "../../../../core/checked/access.ts";
import { usesOf } from "../../../../core/ir/analysis/access.ts";
import type { LoopHeader } from "../../../../core/ir/model/ir.ts";
import {
  arrayOf,
  INT,
  LONG,
  mapStmt,
  sizeOf,
  substitute,
  substituteExpr,
  unqualified,
} from "../../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../../core/lang/tree/ast.ts";
import {
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
  index,
  intLit,
} from "../../../../core/lang/tree/build.ts";
import { flat } from "../../device/control.ts";
import { counted } from "../../device/counted-loop.ts";
import { barrier, workItemId } from "../../device/device.ts";
import { unrollPragma } from "../../device/pragmas.ts";
import { tripCount, valueAt, valuesInNest } from "../../loops/trips.ts";
import type { Operand } from "../../mapping/products/operands.ts";
import type { Product } from "../../mapping/products/product-loop.ts";
import { inRuns, inSteps, type Layout, RUN, type StepLayout, type Tiles } from "./layout.ts";
import { type HeldOperand, stepsOf } from "./matrix-steps.ts";

/** Trip counts from the launch, for tiles of every size. */
export interface Counts {
  /** The longest row's count. */
  readonly column: Symbol;
  readonly row: Symbol;
  readonly inner: Symbol;
  /** One for each loop around rows and columns. */
  readonly batch: readonly Symbol[];
}

const long = (n: number): Expr => intLit(n, LONG);
const times = (a: Expr, b: Expr): Expr => binary("*", a, b);
const plus = (a: Expr, b: Expr): Expr => binary("+", a, b);

/** Bytes between the rows or columns of two iterations that one step loads, modulo the banks of group memory. */
const STEP_PADDING = 32;

/** An operand's piece in group memory: [iteration][row or column]. */
class Held implements HeldOperand {
  readonly operand: Operand;
  readonly memory: Symbol;
  /** The item's operands in one iteration. */
  readonly values: Symbol;
  /** The elements of the next piece that the item has loaded. */
  readonly next: Symbol;
  /** Rows or columns per group, and per item. */
  readonly size: number;
  readonly own: number;
  readonly bytes: number;

  constructor(operand: Operand, n: number, { group, own, depth, items, matrixUnits }: Tiles) {
    this.operand = operand;
    this.size = group[operand.side];
    this.own = own[operand.side];
    const type = unqualified(operand.type);
    // Padding: items that store in one column, or load those of four iterations, would otherwise hit the same memory bank.
    const bytes = sizeOf(type) ?? 8;
    const padding = matrixUnits ? STEP_PADDING / bytes : operand.along === "inner" ? RUN : 0;
    const width = this.size + padding;
    this.bytes = depth * width * bytes;
    this.memory = freshSymbol(`arc_tile${n}`, arrayOf(arrayOf(type, width), depth));
    this.values = freshSymbol(`arc_own${n}`, arrayOf(type, this.own));
    this.next = freshSymbol(`arc_next${n}`, arrayOf(type, Math.ceil((this.size * depth) / items)));
  }
}

/** A product's code for one block size. */
export class BlockCode {
  readonly bytes: number;
  private readonly product: Product;
  private readonly tiles: Tiles;
  private readonly held: readonly Held[];
  private readonly counts: Counts;
  private readonly first = {
    row: freshSymbol("arc_row", LONG),
    column: freshSymbol("arc_column", LONG),
    inner: freshSymbol("arc_piece", LONG),
  };
  private readonly layout: Layout;
  /** Of matrix units. */
  private readonly steps: StepLayout | undefined;
  private readonly ofItem = { row: freshSymbol("arc_r", INT), column: freshSymbol("arc_s", INT) };
  private readonly accumulators: ReadonlyMap<Symbol, Symbol>;

  constructor(product: Product, tiles: Tiles, counts: Counts) {
    this.product = product;
    this.tiles = tiles;
    this.steps = tiles.matrixUnits && inSteps(tiles);
    this.layout = this.steps ?? inRuns(tiles);
    this.held = product.operands.map((operand, n) => new Held(operand, n, tiles));
    this.bytes = this.held.reduce((sum, h) => sum + h.bytes, 0);
    this.counts = counts;
    const elements = tiles.own.row * tiles.own.column;
    this.accumulators = new Map(
      product.liveAcross.map((sym) => [sym, freshSymbol(sym.name, arrayOf(unqualified(sym.type), elements))]),
    );
  }

  get groupMemory(): readonly Symbol[] {
    return this.held.map((h) => h.memory);
  }

  /** All blocks: `high` by `wide` of them in each matrix. */
  code(blocks: Symbol, high: Symbol, wide: Symbol): Stmt {
    const { group } = this.tiles;
    const { first } = this;
    const block = freshSymbol("arc_block", LONG);
    const inMatrix = binary("%", ident(block), times(ident(high), ident(wide)));
    const here = this.product.batch.length === 0 ? ident(block) : ident(freshSymbol("arc_in_matrix", LONG));
    const body = compound([
      ...(here.kind === "ident" && here.sym !== block ? [declare(here.sym, inMatrix)] : []),
      ...this.matrix(binary("/", ident(block), times(ident(high), ident(wide)))),
      declare(first.row, times(binary("/", here, ident(wide)), long(group.row))),
      declare(first.column, times(binary("%", here, ident(wide)), long(group.column))),
      this.whereThere(
        compound([
          ...[...this.accumulators.values()].map((sym) => declare(sym)),
          this.elements([...this.product.before], "or zero"),
          this.pieces(),
          this.elements([...this.product.behind], "alone"),
        ]),
      ),
    ]);
    return compound([
      ...this.layout.places,
      counted(block, workItemId("group"), ident(blocks), workItemId("groups"), body),
    ]);
  }

  /** The variables of the loops around rows and columns. */
  private matrix(which: Expr): Stmt[] {
    const { batch } = this.product;
    const values = valuesInNest(
      batch,
      this.counts.batch.map((n) => ident(n)),
      which,
    );
    return batch.map((h, k) => declare(h.var, values[k]));
  }

  /** Skips blocks beyond the ends of all their rows, or in front of them. */
  private whereThere(body: Stmt): Stmt {
    const { ragged, begins, row, column } = this.product;
    const { first, counts } = this;
    if (begins) {
      const end = plus(ident(first.column), long(this.tiles.group.column));
      const columns = ident(counts.column);
      const last = binary("-", cond(binary("<", end, columns), end, columns), long(1));
      return ifStmt(binary(">=", valueAt(column, last), beginning(begins, row, ident(first.row))), body);
    }
    if (!ragged) return body;
    const end = plus(ident(first.row), long(this.tiles.group.row));
    const last = binary("-", cond(binary("<", end, ident(counts.row)), end, ident(counts.row)), long(1));
    const reaches = (at: Expr) => binary("<", ident(first.column), tripsIn(column, row, at));
    return ifStmt(binary("||", reaches(ident(first.row)), reaches(last)), body);
  }

  /** An unrolled loop over the item's elements. */
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

  private inBlock(side: "row" | "column"): Expr {
    return this.layout.inBlock(side, ident(this.ofItem[side]));
  }

  private position(side: "row" | "column"): Expr {
    return plus(ident(this.first[side]), this.inBlock(side));
  }

  private element(): Expr {
    return plus(times(ident(this.ofItem.row), intLit(this.tiles.own.column)), ident(this.ofItem.column));
  }

  /** Variables live across parts become elements of the item's arrays. */
  private renamed(s: Stmt): Stmt {
    return substitute(
      s,
      new Map([...this.accumulators].map(([from, to]) => [from, index(ident(to), this.element())])),
    );
  }

  private assigned(s: Stmt): Stmt[] {
    if (s.kind !== "decl" || !s.decls.some(({ sym }) => this.accumulators.has(sym))) return [s];
    return s.decls.flatMap((d): Stmt[] => {
      if (!this.accumulators.has(d.sym)) return [{ ...s, decls: [d] }];
      return d.init?.kind === "expr" ? [exprStmt(assign(ident(d.sym), d.init.expr))] : [];
    });
  }

  private elements(stmts: readonly Stmt[], beyond: "or zero" | "alone"): Stmt {
    const { row, column, privates, ragged, begins } = this.product;
    const [r, c] = [freshSymbol("arc_i", LONG), freshSymbol("arc_j", LONG)];
    const inside = [
      binary("<", ident(r), ident(this.counts.row)),
      binary("<", ident(c), ragged ? tripsIn(column, row, ident(r)) : ident(this.counts.column)),
      ...(begins ? [binary(">=", valueAt(column, ident(c)), beginning(begins, row, ident(r)))] : []),
    ].reduce((a, b) => binary("&&", a, b));
    const used = usesOf(...stmts).of;
    const own = [
      ...(used.has(row.var) ? [declare(row.var, valueAt(row, ident(r)))] : []),
      ...(used.has(column.var) ? [declare(column.var, valueAt(column, ident(c)))] : []),
      ...privates.filter((p) => used.has(p)).map((p) => declare(p)),
    ];
    const there = compound([...own, ...stmts.flatMap((s) => this.assigned(s))]);
    const zero = [...this.accumulators.keys()].map((sym) => exprStmt(assign(ident(sym), intLit(0))));
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
    const { depth } = this.tiles;
    const end = plus(ident(first.inner), long(depth));
    const rest = freshSymbol("arc_rest", INT);
    const k = freshSymbol("arc_k", INT);
    const whole = this.whole(k);
    const next = freshSymbol("arc_next_piece", LONG);
    const body = compound([
      barrier(),
      ...this.held.map((h) => this.store(h)),
      barrier(),
      declare(next, end),
      ifStmt(
        binary("<", ident(next), ident(counts.inner)),
        compound(this.held.map((h) => this.load(h, ident(next)))),
      ),
      ifStmt(
        binary("<=", ident(next), ident(counts.inner)),
        whole,
        compound([
          declare(rest, binary("-", ident(counts.inner), ident(first.inner))),
          counted(k, intLit(0), ident(rest), intLit(1), this.iteration(k)),
        ]),
      ),
    ]);
    return compound([
      ...this.held.map((h) => declare(h.next)),
      ...this.held.map((h) => this.load(h, long(0))),
      counted(first.inner, long(0), ident(counts.inner), long(depth), body),
    ]);
  }

  /** All iterations of a piece. */
  private whole(k: Symbol): Stmt {
    const { product, steps, tiles, held, accumulators } = this;
    const { factors } = product;
    const [sums] = accumulators.values();
    if (factors && steps && sums) return stepsOf({ factors, steps, tiles, held, sums });
    const loop = counted(k, intLit(0), intLit(tiles.depth), intLit(1), this.iteration(k));
    return { ...loop, pragmas: [unrollPragma(0)] };
  }

  /** The item's elements of a piece, each with its row or column and its iteration. */
  private share({ operand, size }: Held, what: (n: Symbol, lane: Symbol, k: Symbol) => Stmt[]): Stmt {
    const { items, depth } = this.tiles;
    const [n, q] = [freshSymbol("arc_e", INT), freshSymbol("arc_q", INT)];
    const [lane, k] = [freshSymbol("arc_l", INT), freshSymbol("arc_k", INT)];
    const along = operand.along === "inner";
    const quick = along ? depth : size;
    const [inQuick, inSlow] = [binary("%", ident(q), intLit(quick)), binary("/", ident(q), intLit(quick))];
    const body = compound([
      declare(q, plus(times(ident(n), intLit(items)), workItemId("item"))),
      declare(lane, along ? inSlow : inQuick),
      declare(k, along ? inQuick : inSlow),
      ...what(n, lane, k),
    ]);
    return this.unrolled(n, Math.ceil((size * depth) / items), body);
  }

  private load(held: Held, piece: Expr): Stmt {
    const { inner } = this.product;
    const { side, loads } = held.operand;
    return this.share(held, (n, lane, k) => [
      ...this.counter(this.product[side], plus(ident(this.first[side]), ident(lane)), this.counts[side]),
      ...this.counter(inner, plus(piece, ident(k)), this.counts.inner),
      exprStmt(assign(index(ident(held.next), ident(n)), firstOf(loads))),
    ]);
  }

  private store(held: Held): Stmt {
    return this.share(held, (n, lane, k) => [
      exprStmt(
        assign(index(index(ident(held.memory), ident(k)), ident(lane)), index(ident(held.next), ident(n))),
      ),
    ]);
  }

  /** Sets the loop's variable; beyond the last iteration, to that of the last one. */
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

/** The number of columns in row `at`. */
export function tripsIn(column: LoopHeader, row: LoopHeader, at: Expr): Expr {
  return substituteExpr(tripCount(column), new Map([[row.var, valueAt(row, at)]]));
}

/** The first column in row `at`. */
function beginning({ var: counter, lower }: LoopHeader, row: LoopHeader, at: Expr): Expr {
  return cast(counter.type, substituteExpr(lower, new Map([[row.var, valueAt(row, at)]])));
}
