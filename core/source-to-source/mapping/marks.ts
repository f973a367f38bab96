/** Algorithm 1 of CCAMP: which loops of a construct are parallel, worth vectorising, or tightly nested. */

import { holdsLoop } from "../../ir/analysis/control.ts";
import { liveAfter } from "../../ir/analysis/liveness.ts";
import { affine } from "../../ir/analysis/loops/affine.ts";
import { countedHeader } from "../../ir/analysis/loops/counted.ts";
import { dependence } from "../../ir/dependence/dependence.ts";
import type { Loop, LoopHeader, Reduction } from "../../ir/model/ir.ts";
import { node } from "../../ir/model/node-shapes.ts";
import { evaluateInteger, mapChildren, walkExpr, walkStmt } from "../../lang/index.ts";
import type { Expr, ForStmt, FunctionDef, Stmt } from "../../lang/tree/ast.ts";
import type { Facts } from "../sites/facts.ts";
import type { Site } from "../sites/site.ts";

export interface Marked {
  readonly stmt: ForStmt;
  readonly header: LoopHeader;
  /** Its directive. */
  readonly site?: Site;
  /** As in the IR; for a loop without a directive, as the analysis sees it. */
  readonly loop: Loop;
  readonly parallel: boolean;
  /** A directive or the analysis says that iterations are combined into a variable. */
  readonly reduces: boolean;
  /** Worth vectorising: constant bounds, and a body without branches, calls, loops and irregular accesses. */
  readonly vectorFriendly: boolean;
  /** Fit for a CPU's vectors, whose compilers turn branches into masks: no calls, loops and subscripts from memory. */
  readonly straight: boolean;
  /** A loop of any kind is inside. */
  readonly hasLoop: boolean;
  readonly trips: bigint | undefined;
  /** The loop is the whole body of the enclosing one. */
  readonly tight: boolean;
  readonly inner: readonly Marked[];
}

/** The outermost loops of a construct's statement. */
export function marked(construct: Site, sites: readonly Site[], facts: Facts): readonly Marked[] {
  return construct.stmt ? below(construct.stmt, { construct, sites, facts }, false, ungranted) : [];
}

interface Context {
  readonly construct: Site;
  readonly sites: readonly Site[];
  readonly facts: Facts;
}

/** Loops that an enclosing collapse clause also covers, and what its loop reduces. */
interface Granted {
  readonly depth: number;
  readonly reductions: readonly Reduction[];
}

const ungranted: Granted = { depth: 0, reductions: [] };

/** `tight`: the statement is the whole body of a loop. */
function below(s: Stmt, context: Context, tight: boolean, granted: Granted): readonly Marked[] {
  if (s.kind === "for") {
    const found = mark(s, context, tight, granted);
    return found ? [found] : below(s.body, context, false, ungranted);
  }
  const alone = s.kind === "compound" && s.body.length === 1;
  const found: Marked[] = [];
  mapChildren(s, (child) => {
    found.push(...below(child, context, tight && alone, granted));
    return child;
  });
  return found;
}

function mark(stmt: ForStmt, context: Context, tight: boolean, granted: Granted): Marked | undefined {
  const { construct, sites, facts } = context;
  const header = countedHeader(stmt);
  if ("severity" in header) return undefined;
  const site = [construct, ...sites.filter((s) => s.around.includes(construct))].findLast(
    (s) => s.stmt?.span === stmt.span && facts.loop(s.directive.pragma) !== undefined,
  );
  const known = site
    ? facts.loop(site.directive.pragma)?.loop
    : facts.bare(construct.directive.pragma).find((f) => f.loop.site.stmt?.span === stmt.span)?.loop;
  const bare: Loop = node<Loop>({
    kind: "loop",
    headers: [header],
    parallel: { levels: [], independence: "auto" },
    privates: [],
    reductions: [],
    body: stmt.body,
    site: { loc: stmt.span.start, what: "loop", stmt },
  });
  const proof = known || leavesEarly(stmt) ? undefined : proved(bare, stmt, construct.function);
  const isGranted = granted.depth > 0;
  const ofOuter = isGranted ? granted.reductions : [];
  const loop: Loop = known ?? { ...bare, reductions: isGranted ? ofOuter : (proof?.reductions ?? []) };
  const reduces = !isGranted && loop.reductions.length > 0;
  const depth = known && site ? known.headers.length : granted.depth;
  const isFree = known ? known.parallel.independence === "independent" : proof !== undefined && !reduces;
  const parallel = isGranted || isFree;
  const [lower, bound] = [evaluateInteger(header.lower), evaluateInteger(header.bound)];
  const isConstant = lower !== undefined && bound !== undefined;
  return {
    stmt,
    header,
    ...(site && { site }),
    loop,
    parallel,
    reduces,
    vectorFriendly: (parallel || proof !== undefined) && isConstant && isPlain(stmt.body),
    straight: (parallel || proof !== undefined) && isStraight(stmt.body),
    hasLoop: holdsLoop(stmt.body),
    trips: isConstant ? bound - lower : undefined,
    tight,
    inner: below(stmt.body, context, true, { depth: Math.max(0, depth - 1), reductions: loop.reductions }),
  };
}

/** The loop as proved independent; undefined if there is no proof. */
function proved(
  loop: Loop,
  stmt: ForStmt,
  def: FunctionDef | undefined,
): { readonly reductions: readonly Reduction[] } | undefined {
  const proof = dependence(loop, {
    function: def,
    liveAfter: (sym) => def === undefined || liveAfter(def.body, stmt, sym),
  });
  return proof.independent ? { reductions: proof.reductions } : undefined;
}

function leavesEarly({ body }: ForStmt): boolean {
  let leaves = false;
  walkStmt(body, {
    stmt(s) {
      leaves ||= s.kind === "return" || s.kind === "goto" || s.kind === "break";
    },
    expr: () => false,
  });
  return leaves;
}

/** No branches, calls or loops, and no subscript that is loaded from memory. */
function isPlain(body: Stmt): boolean {
  let plain = true;
  walkStmt(body, {
    stmt(s) {
      if (s.kind !== "expr" && s.kind !== "compound" && s.kind !== "decl") plain = false;
      if ((s.pragmas ?? []).length > 0) plain = false;
    },
    expr(e) {
      if (e.kind === "call" || e.kind === "cond") plain = false;
      if (e.kind === "index" && affine(e.index) === undefined) plain = false;
    },
  });
  return plain;
}

/** No calls or loops, and no subscript that is written as a load from memory. */
function isStraight(body: Stmt): boolean {
  let straight = true;
  walkStmt(body, {
    stmt(s) {
      if (!["expr", "compound", "decl", "if"].includes(s.kind)) straight = false;
      if ((s.pragmas ?? []).length > 0) straight = false;
    },
    expr(e) {
      if (e.kind === "call") straight = false;
      if (e.kind === "index" && usesMemory(e.index)) straight = false;
    },
  });
  return straight;
}

function usesMemory(index: Expr): boolean {
  let found = false;
  walkExpr(index, {
    expr(e) {
      found ||= e.kind === "index" || e.kind === "member" || (e.kind === "unary" && e.op === "*");
    },
  });
  return found;
}
