/** Loops by the number of their iteration: what orders of iterations are written with. */
import { canonical, evaluateInteger, sizeOf, unqualified } from "../../../lang/index.ts";
import type { Expr, ForStmt, Stmt } from "../../../lang/tree/ast.ts";
import {
  assign,
  binary,
  cast,
  declare,
  exprStmt,
  ident,
  intLit,
  stripBlocks,
} from "../../../lang/tree/build.ts";
import { isPointer, LONG } from "../../../lang/tree/types.ts";
import { tripCount } from "../../analysis/last-values.ts";
import { countedHeader } from "../../analysis/loops/counted.ts";
import type { LoopHeader } from "../../model/ir.ts";
import { declaring } from "../parallel/chunks.ts";

export interface LogicalLoop {
  readonly loop: ForStmt;
  readonly header: LoopHeader;
  /** Below 1 if there are none. */
  readonly trips: Expr;
  /** Gives the loop's variable its value in an iteration. */
  readonly begin: (round: Expr) => Stmt;
}

/**
 * Undefined: its iterations cannot be counted. `shared`: another directive may share it out, so that each iteration has
 * a variable of its own.
 */
export function logical(s: Stmt, shared = false): LogicalLoop | undefined {
  const written = stripBlocks(s);
  const found = written.kind === "for" ? countedHeader(written) : undefined;
  if (written.kind !== "for" || !found || "severity" in found) return undefined;
  const loop = shared && !found.declares ? declaring(written, found) : written;
  const header = loop === written ? found : countedHeader(loop);
  if ("severity" in header) return undefined;
  const by = evaluateInteger(header.step);
  if (by === undefined || isPointer(canonical(header.var.type)) || !isCounted(header, by)) return undefined;
  const { var: sym, lower, declares } = header;
  const type = unqualified(sym.type);
  const value = (round: Expr) =>
    cast(type, binary("+", cast(LONG, lower), binary("*", round, intLit(by, LONG))));
  return {
    loop,
    header,
    trips: tripCount(header),
    begin: (round) => (declares ? declare(sym, value(round)) : exprStmt(assign(ident(sym), value(round)))),
  };
}

/** Whether the variable goes towards the bound, and meets it where nothing else ends the loop. */
function isCounted({ var: sym, relation }: LoopHeader, by: bigint): boolean {
  const isNarrow = (sizeOf(sym.type) ?? 8) < 4;
  if (by === 0n || (isNarrow && relation === "!=")) return false;
  return (by > 0n ? ["<", "<=", "!="] : [">", ">=", "!="]).includes(relation);
}
