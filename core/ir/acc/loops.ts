/** Loop directives: the nest they speak of, and how its iterations are shared out. */
import type { Diagnostic, Expr, ForStmt, Stmt } from "../../lang/ast.ts";
import { evaluateInteger, printExpr } from "../../lang/index.ts";
import { countedHeader } from "../counted.ts";
import { type Clause, clause, type Directive, site } from "../directive.ts";
import { type Level, type Loop, type LoopHeader, node } from "../ir.ts";
import type { Reading } from "../reading.ts";
import { selected } from "./clauses.ts";
import type { Reductions } from "./reductions.ts";

export function loop(
  reading: Reading,
  reductionsOf: Reductions,
  d: Directive,
  body: Stmt,
  source: Stmt,
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
  const tile = selected(reading, d, "tile")?.exprs;
  const collapse = selected(reading, d, "collapse");
  const depth = collapse ? collapseDepth(reading, collapse) : (tile?.length ?? 1);
  const force = collapse?.modifiers.includes("force") === true;
  const nest = depth === undefined ? undefined : nestOf(reading, body, depth, d, force);
  if (!nest) return undefined;
  const level = (name: Level) => selected(reading, d, name);
  const levels = (["gang", "worker", "vector"] as const).filter(level);
  const size = (name: Level) => level(name)?.exprs[0] as Expr | undefined;
  const [gangs, workers, lanes] = [size("gang"), size("worker"), size("vector")];
  const fixed = level("gang");
  if (fixed?.static !== undefined) reading.diagnostics.push(staticChunks(fixed));
  const seq = selected(reading, d, "seq") !== undefined;
  const { reductions, body: reduced } = reductionsOf.of(d, nest.body, source);
  const inKernels = d.name === "kernels loop" || reading.around.construct === "kernels";
  return node<Loop>({
    kind: "loop",
    headers: nest.headers,
    parallel: {
      levels,
      independence: seq
        ? "seq"
        : clause(d, "auto") || (inKernels && !clause(d, "independent") && levels.length === 0)
          ? "auto"
          : "independent",
      ...(gangs && { gangs }),
      ...(level("gang")?.modifiers.includes("dim") && { dimension: true as const }),
      ...(workers && { workers }),
      ...(lanes && { lanes }),
      ...(tile && { tile: tile as (Expr | "*")[] }),
    },
    privates: d.clauses.filter((c) => c.name === "private").flatMap((c) => c.vars.map((v) => v.sym)),
    reductions,
    body: reduced,
    site: site(d, source),
  });
}

/** Which gang takes which iterations is the launch's choice: only loops that count on each other could tell. */
function staticChunks({ loc, static: chunk }: Clause): Diagnostic {
  const size = chunk === "*" ? "*" : printExpr(chunk as Expr);
  return {
    severity: "note",
    code: "gang-static",
    loc,
    message: `gang(static:${size}) does not choose the gang of an iteration: arc shares iterations out by the device`,
    remedy:
      "give loops of which one reads what the other wrote in the same iteration compute constructs of their own",
  };
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
 * The headers of `depth` nested loops and the innermost body. `force`: statements between the loops
 * move into the innermost body, where every iteration repeats those before and after it.
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
