/** Which labels of a function are jumped to; C programs also use labels as names of loops. */

import { walkStmt } from "../../lang/index.ts";
import type { Stmt } from "../../lang/tree/ast.ts";

/** Whether a label is the target of a jump in the function with this body. */
export function labelsUsed(body: Stmt): (label: string) => boolean {
  const used = new Set<string>();
  let all = false;
  walkStmt(body, {
    stmt(s) {
      if (s.kind === "goto" && s.label !== undefined) used.add(s.label);
      if (s.kind === "local-labels") for (const name of s.names) used.add(name);
      // The text of an asm statement names the labels it jumps to.
      all ||= s.kind === "asm" && s.text.includes("goto");
    },
    expr(e) {
      if (e.kind === "label-addr") used.add(e.label);
    },
  });
  return (label) => all || used.has(label);
}
