/** Loop forms that gcc 12 rejects under a directive although other compilers accept them, each tried with gcc 12.2. */

import { walkExpr } from "../../lang/index.ts";
import type { Stmt, Symbol } from "../../lang/tree/ast.ts";
import { stripBlocks } from "../../lang/tree/build.ts";
import { clauseOf, type Directive, numberOf } from "../read/directive.ts";

interface Shape {
  readonly what: string;
  readonly source: string;
  readonly instead: string;
}

/** Undefined if the loop is fine. */
export function refusedShape(d: Directive, stmt: Stmt): Shape | undefined {
  if (!/(^| )(loop|for|distribute|simd|taskloop)\b/.test(d.name)) return undefined;
  const depth = clauseOf(d, "collapse") ? (numberOf(d, "collapse") ?? 1) : 1;
  const counters = new Set<Symbol>();
  let inner: Stmt | undefined = stmt;
  for (let k = 0; k < depth; k++) {
    const alone: Stmt | undefined = inner === undefined ? undefined : stripBlocks(inner);
    if (alone?.kind !== "for") {
      return k === 0 || d.language === "acc" || d.words.has("loop")
        ? k === 0
          ? undefined
          : between("OpenACC 3.3, section 2.9.1, which asks for tightly nested loops without force:")
        : between("OpenMP 5.0, section 2.9.1, which allows it");
    }
    if (d.language === "acc") {
      const { init, test } = alone;
      if (test?.kind === "binary" && test.op === "!=")
        return {
          what: "a loop whose condition is an inequation",
          source: "OpenACC 3.3, section 2.9, which leaves the form of loops open",
          instead: "write < or >",
        };
      const bounds = [
        ...(init?.kind === "decl"
          ? init.decls.flatMap(({ init: i }) => (i?.kind === "expr" ? [i.expr] : []))
          : []),
        ...(test?.kind === "binary" ? [test.right] : []),
      ];
      if (k > 0 && bounds.some((e) => names(e, counters)))
        return {
          what: "collapsed loops of which one begins or ends where another one says",
          source: "OpenACC 3.3, section 2.9.1, which asks for bounds that stay the same",
          instead: "collapse fewer loops",
        };
      if (init?.kind === "decl") for (const { sym } of init.decls) counters.add(sym);
    }
    inner = alone.body;
  }
  return undefined;
}

const between = (source: string): Shape => ({
  what: "collapsed loops with code between them",
  source,
  instead: "move it into the inner loop, or collapse fewer loops",
});

function names(e: Parameters<typeof walkExpr>[0], counters: ReadonlySet<Symbol>): boolean {
  let found = false;
  walkExpr(e, {
    expr(part) {
      if (part.kind === "ident" && counters.has(part.sym)) found = true;
    },
  });
  return found;
}
