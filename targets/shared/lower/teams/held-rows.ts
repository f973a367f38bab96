/**
 * Elements that lanes of a team hold from loop to loop (held-elements.ts), as code. Of a row that begins at a multiple of
 * 16 bytes and is short enough, each lane has several pieces of 16 bytes:
 *
 *     holds = the row's first elements lie at multiples of 16, and all of it fits
 *     if (holds)
 *       for (piece = 0; piece < 4; piece++)            unrolled: arrays of constant subscripts are registers
 *         if (the row has the piece) held[piece] = elements, or iterations on held[piece], or elements = held[piece]
 *     else
 *       the lane's iterations with elements in memory
 */
import { entryOf } from "../../../../core/checked/access.ts";
import {
  copyWithFreshLocals,
  evaluateInteger,
  INT,
  LONG,
  mapStmt,
  substitute,
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
  declare,
  exprStmt,
  freshSymbol,
  ident,
  ifStmt,
  index,
  intLit,
} from "../../../../core/lang/tree/build.ts";
import { counted } from "../../device/counted-loop.ts";
import { wideLoad, wideStore } from "../../device/device.ts";
import { unrollPragma } from "../../device/pragmas.ts";
import { tripCount, valueAt } from "../../loops/trips.ts";
import { keyOf } from "../../mapping/same-expression.ts";
import type { SharedLoop } from "../../mapping/team-steps.ts";
import { type HeldElements, type HeldLoop, heldAt, heldKey } from "./held-elements.ts";
import { isAligned } from "./neighbours.ts";
import type { Row } from "./row.ts";
import { times, type Walk } from "./wide-walk.ts";

/** Pieces of 16 bytes, each of `width` elements, that a lane holds of an array. */
export interface Pieces {
  readonly count: number;
  readonly width: number;
}

export class HeldRow {
  private readonly of: HeldElements;
  private readonly pieces: Pieces;
  /** Whether this row's elements are held. */
  private readonly holds: Symbol;
  private readonly length: Expr;
  private readonly row: Row;
  private readonly arrays: ReadonlyMap<string, Symbol>;

  constructor(of: HeldElements, pieces: Pieces, row: Row) {
    this.of = of;
    this.pieces = pieces;
    this.row = row;
    this.holds = row.add(freshSymbol("arc_holds", INT));
    const trips = tripCount(of.header);
    const isKnown = evaluateInteger(trips) !== undefined;
    this.length = isKnown ? trips : ident(row.add(freshSymbol("arc_length", LONG)));
    this.arrays = new Map(
      [...of.elements].map(([key, { element }]) => [
        key,
        row.add(this.registers("arc_held", element, pieces.count * pieces.width)),
      ]),
    );
  }

  /** Whether this is the first loop that holds something. */
  begins(step: SharedLoop): boolean {
    return this.of.loops.get(step)?.at === Math.min(...[...this.of.elements.values()].map((h) => h.from));
  }

  /** Decides whether the row is held. `clear`: that no pointers overlap which must not. */
  begun(lanes: Symbol, clear: Expr | undefined): Stmt[] {
    const { header, elements, loops } = this.of;
    const { count, width } = this.pieces;
    const { length } = this;
    const starts = [
      ...[...elements.values()].map((h) => h.element),
      ...[...loops.values()].flatMap((l) => [...l.loads.values(), ...l.stores.values()]),
    ].map((e): Expr => cast(ULONG, addressOf(heldAt(e, valueAt(header, intLit(0, LONG))))));
    const fits = [
      binary("==", binary("%", length, intLit(width, LONG)), intLit(0, LONG)),
      binary(">=", length, times(ident(lanes), width)),
      binary("<=", length, times(ident(lanes), count * width)),
      isAligned(starts.reduce((a, b) => binary("|", a, b))),
    ];
    const all = [...(clear ? [clear] : []), ...fits].reduce((a, b) => binary("&&", a, b));
    return [
      ...(length.kind === "ident" ? [exprStmt(assign(length, tripCount(header)))] : []),
      exprStmt(assign(ident(this.holds), all)),
    ];
  }

  /** A lane's iterations, `iteration` being one of them. `otherwise`: with all elements in memory. */
  loop(step: SharedLoop, iteration: readonly Stmt[], walk: Walk, otherwise: Stmt): Stmt {
    const loop = this.of.loops.get(step);
    if (!loop) return otherwise;
    const held = [...this.of.elements].filter(([, h]) => h.from <= loop.at);
    const loaded = held.filter(([, h]) => h.from === loop.at && h.isLoaded);
    const stored = held.filter(([, h]) => h.stored === loop.at);
    const { width } = this.pieces;
    const parts = new Map(
      [...loop.loads, ...loop.stores].map(([key, e]) => [key, this.registers("arc_part", e, width)] as const),
    );
    const arrays: Registers = new Map([
      ...held.map(([key]) => [key, entryOf(this.arrays, key)] as const),
      ...parts,
    ]);
    const ofPiece = new Set(parts.values());
    const elements = [...held.map(([key, h]) => [key, h.element] as const), ...loop.loads, ...loop.stores];
    // The iteration has the row's own variables.
    const registers: Registers = new Map(
      elements.map(([key, e]) => [keyOf(this.row.renamedExpr(e)), entryOf(arrays, key)] as const),
    );
    const at = (e: Expr, t: Expr) => heldAt(e, valueAt(this.of.header, t));
    const pieceOf = (key: string, piece: Expr): Expr[] =>
      Array.from({ length: width }, (_, n) =>
        index(ident(entryOf(arrays, key)), parts.has(key) ? intLit(n) : inPiece(piece, width, intLit(n))),
      );
    const loads = this.eachPiece(walk, (piece, t) =>
      loaded.map(([key, h]) => wideLoad({ into: pieceOf(key, piece), from: at(h.element, t) })),
    );
    const own = this.eachPiece(walk, (piece, t) => [
      ...[...parts.values()].map((p) => declare(p)),
      ...[...loop.loads].map(([key, e]) => wideLoad({ into: pieceOf(key, piece), from: at(e, t) })),
      this.onRegisters(iteration, loop, { t: walk.t, piece, from: t, registers, ofPiece }),
      ...[...loop.stores].map(([key, e]) => wideStore({ to: at(e, t), from: pieceOf(key, piece) })),
      ...stored.map(([key, h]) => wideStore({ to: at(h.element, t), from: pieceOf(key, piece) })),
    ]);
    return ifStmt(
      ident(this.holds),
      compound(loaded.length > 0 ? [loads, own] : [own]),
      compound([otherwise]),
    );
  }

  /** A piece's iterations, with registers in place of elements. */
  private onRegisters(
    iteration: readonly Stmt[],
    { behind }: HeldLoop,
    { t, piece, from, registers, ofPiece }: Piece,
  ): Stmt {
    const { width } = this.pieces;
    const [first] = iteration;
    const counter = first?.kind === "decl" ? first.decls[0]?.sym : undefined;
    const k = freshSymbol("arc_k", INT);
    const own = iteration.map((s) =>
      mapStmt(s, {
        expr(e) {
          const array = e.kind === "index" && counter ? registers.get(heldKey(e, counter)) : undefined;
          if (!array) return e;
          return index(ident(array), ofPiece.has(array) ? ident(k) : inPiece(piece, width, ident(k)));
        },
      }),
    );
    const number = binary("+", from, ident(k));
    const shifted = behind > 0 ? binary("-", number, intLit(behind, LONG)) : number;
    const body = copyWithFreshLocals(substitute(compound(own), new Map([[t, shifted]])));
    const guarded = behind > 0 ? ifStmt(binary(">=", number, intLit(behind, LONG)), body) : body;
    return unrolled(k, width, guarded);
  }

  /** `body` for each piece that the row has, from its first iteration. */
  private eachPiece({ member, lanes }: Walk, body: (piece: Expr, from: Expr) => readonly Stmt[]): Stmt {
    const { count, width } = this.pieces;
    const piece = freshSymbol("arc_piece", INT);
    const from = freshSymbol("arc_from", member.type);
    const place = times(binary("+", binary("*", ident(piece), ident(lanes)), ident(member)), width);
    return unrolled(
      piece,
      count,
      compound([
        declare(from, from.type === LONG ? place : cast(from.type, place)),
        ifStmt(binary("<", ident(from), this.length), compound([...body(ident(piece), ident(from))])),
      ]),
    );
  }

  private registers(name: string, { type }: Expr, size: number): Symbol {
    return freshSymbol(name, { kind: "array", of: unqualified(type), size });
  }
}

type Registers = ReadonlyMap<string, Symbol>;

interface Piece {
  /** The loop's own iterations are counted in `t`. */
  readonly t: Symbol;
  readonly piece: Expr;
  /** Its first iteration. */
  readonly from: Expr;
  readonly registers: Registers;
  /** Those of one piece only. */
  readonly ofPiece: ReadonlySet<Symbol>;
}

const inPiece = (piece: Expr, width: number, n: Expr): Expr =>
  binary("+", binary("*", piece, intLit(width)), n);

function unrolled(t: Symbol, copies: number, body: Stmt): Stmt {
  return { ...counted(t, intLit(0), intLit(copies), intLit(1), body), pragmas: [unrollPragma(0)] };
}
