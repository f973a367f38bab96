/** Constraints that the C compiler checks in other code, but cannot check in regions because it does not see them. */

import { brokenConstraints, excess, walkStmt } from "../../lang/index.ts";
import type { Diagnostic, Stmt } from "../../lang/tree/ast.ts";
import type { IrNode } from "../model/ir.ts";

export function code(n: IrNode): readonly Diagnostic[] {
  return n.kind === "task" ? [...brokenConstraints(n.body), ...largeConstants(n.body)] : [];
}

function largeConstants(body: Stmt): readonly Diagnostic[] {
  const found: Diagnostic[] = [];
  walkStmt(body, {
    expr(e) {
      const beyond = e.kind === "int" ? excess(e.text) : undefined;
      if (e.kind !== "int" || beyond === undefined) return;
      const [message, remedy] =
        beyond === "any-type"
          ? [`'${e.text}' is too large for any integer type: ${e.value} is taken`, "write less than 2^64"]
          : [
              `'${e.text}' is too large for a signed type of 64 bits: its type is __int128`,
              `write ${e.text}u, or (-9223372036854775807 - 1) for the least 'long'`,
            ];
      found.push({ severity: "warning", code: "large-constant", loc: e.span.start, message, remedy });
    },
  });
  return found;
}
