/** Sums of halves that work-items combine: as floats, which they exchange at once, and rounded when all are added. */
import { build, canonical, FLOAT } from "../../../core/lang/index.ts";
import type { Expr, Stmt, Symbol } from "../../../core/lang/tree/ast.ts";
import type { GroupReduce, TeamReduce, TeamScan } from "../device/device.ts";
import { halfValue, isHalf, storedHalf } from "./conversions.ts";

const { assign, compound, declare, exprStmt, freshSymbol, ident } = build;

export type Combined = GroupReduce | TeamReduce | TeamScan;

/** `asFloats`: an array of floats in the place of one of halves through which they go. */
export function combinedAsFloats(
  s: Stmt & { readonly kind: "ext" },
  n: Combined,
  asFloats: (scratch: Symbol) => Symbol,
): Stmt {
  const before: Stmt[] = [];
  const behind: Stmt[] = [];
  const own = (e: Expr, isGiven: boolean, isResult: boolean): Expr => {
    if (!isHalf(e.type)) return e;
    const sym = freshSymbol("arc_number", FLOAT);
    before.push(declare(sym, isGiven ? halfValue(e) : undefined));
    if (isResult) behind.push(exprStmt(assign(e, storedHalf(ident(sym)))));
    return ident(sym);
  };
  const { scratch } = n;
  const array = canonical(scratch.type);
  const through =
    scratch.kind === "ident" && array.kind === "array" && isHalf(array.of)
      ? ident(asFloats(scratch.sym))
      : scratch;
  const ext: Combined =
    n.kind === "team-scan"
      ? {
          ...n,
          scratch: through,
          values: n.values.map((e) => own(e, true, false)),
          prefixes: n.prefixes.map((e) => own(e, false, true)),
          total: own(n.total, false, true),
        }
      : { ...n, scratch: through, target: own(n.target, true, true) };
  return before.length === 0 ? s : compound([...before, { ...s, ext }, ...behind], s.span);
}
