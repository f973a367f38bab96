/** The loop nest that a directive applies to. */

import { evaluateInteger } from "../../lang/index.ts";
import type { Expr, ForStmt, Stmt } from "../../lang/tree/ast.ts";
import { countedHeader } from "../analysis/loops/counted.ts";
import type { Loop, LoopHeader } from "../model/ir.ts";
import { node } from "../model/node-shapes.ts";
import { type Clause, type Directive, site } from "./directive.ts";
import { ownArrays } from "./own-arrays.ts";
import type { Reading } from "./read-state.ts";
import type { Reductions } from "./reductions.ts";

/** How many loops the directive applies to: those collapsed or tiled, else one. */
interface Depth {
  readonly collapse?: Clause | undefined;
  readonly tile?: number | undefined;
}

/** `parallel`: how the language distributes the iterations; called once the nest is known. */
export function loop(
  reading: Reading,
  reductionsOf: Reductions,
  d: Directive,
  body: Stmt,
  source: Stmt,
  { collapse, tile }: Depth,
  parallel: () => Loop["parallel"],
): Loop | undefined {
  if (body.kind !== "for") {
    reading.report(
      "expected-loop",
      d.loc,
      `'${d.name}' is not followed by a for loop`,
      "put it directly before the loop",
    );
    return undefined;
  }
  const depth = collapse ? collapseDepth(reading, collapse) : (tile ?? 1);
  const force = collapse?.modifiers.includes("force") === true;
  const nest = depth === undefined ? undefined : nestOf(reading, body, depth, d, force);
  if (!nest) return undefined;
  const shared = parallel();
  const own = ownArrays(
    d.clauses.filter((c) => c.name === "private").flatMap((c) => c.vars),
    nest.body,
  );
  const reduced = reductionsOf.of(d, own.body, source, { inOrder: shared.independence === "seq" });
  return node<Loop>({
    kind: "loop",
    headers: nest.headers,
    parallel: shared,
    // Its variables are private as such.
    privates: own.privates.filter((sym) => nest.headers.every((h) => h.var !== sym)),
    reductions: reduced.reductions,
    body: reduced.body,
    site: site(d, source),
  });
}

function collapseDepth(reading: Reading, collapse: Clause): number | undefined {
  const value = evaluateInteger(collapse.exprs[0] as Expr);
  if (value !== undefined && value > 0n && value < 100n) return Number(value);
  reading.report(
    "collapse-argument",
    collapse.loc,
    "collapse needs a positive integer constant",
    "write collapse(2)",
  );
  return undefined;
}

/**
 * The headers of `depth` nested loops and the innermost body. `force`: statements between the loops move into the
 * innermost body, so that every iteration repeats them.
 */
function nestOf(
  reading: Reading,
  outer: ForStmt,
  depth: number,
  d: Directive,
  force: boolean,
): { headers: LoopHeader[]; body: Stmt } | undefined {
  const headers: LoopHeader[] = [];
  const before: Stmt[] = [];
  const after: Stmt[] = [];
  let loop: Stmt = outer;
  for (;;) {
    let inner: Stmt | undefined = loop.kind === "compound" && loop.body.length === 1 ? loop.body[0] : loop;
    if (force && inner?.kind === "compound") {
      const list: readonly Stmt[] = inner.body;
      const at = list.findIndex((s) => s.kind === "for");
      inner = list[at];
      before.push(...list.slice(0, at));
      after.unshift(...list.slice(at + 1));
    }
    if (inner?.kind !== "for") {
      reading.report(
        "imperfect-nest",
        loop.span.start,
        `'${d.name}' wants ${depth} nested loops, but loop ${headers.length + 1} is not directly inside loop ${headers.length}`,
        "move statements between the loops into the innermost one, or collapse fewer loops",
      );
      return undefined;
    }
    const header = countedHeader(inner);
    if ("severity" in header) {
      reading.diagnostics.push(header);
      return undefined;
    }
    headers.push(header);
    loop = inner.body;
    if (headers.length < depth) continue;
    const moved = before.length + after.length > 0;
    return {
      headers,
      body: moved ? { kind: "compound", body: [...before, loop, ...after], span: loop.span } : loop,
    };
  }
}
