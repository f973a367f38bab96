/** A loop nest of the IR as ordinary C loops, run in order. */

import type { LoopHeader } from "../../../core/ir/model/ir.ts";
import { evaluateInteger } from "../../../core/lang/index.ts";
import type { Stmt } from "../../../core/lang/tree/ast.ts";
import { assign, binary, declare, forStmt, ident, incdec } from "../../../core/lang/tree/build.ts";
import { independentPragma } from "../device/pragmas.ts";

export function sequentialNest(headers: readonly LoopHeader[], body: Stmt, independent = false): Stmt {
  return [...headers].reverse().reduce((inner, h) => {
    const v = ident(h.var);
    const step = evaluateInteger(h.step);
    const advance =
      step === 1n ? incdec("++", false, v) : step === -1n ? incdec("--", false, v) : assign(v, h.step, "+=");
    const loop = forStmt(declare(h.var, h.lower), binary(h.relation, v, h.bound), advance, inner);
    return { ...loop, span: h.span, ...(independent && { pragmas: [independentPragma] }) };
  }, body);
}
