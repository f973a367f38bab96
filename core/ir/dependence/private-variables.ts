/** Variables that each iteration may have for itself, and those that iterations combine. */
import {
  canonical,
  type Expr,
  type FunctionDef,
  isScalar,
  type Loc,
  type Stmt,
  type Symbol,
  sizeOf,
  walkStmt,
} from "../../lang/index.ts";
import { stripImplicit } from "../../lang/tree/build.ts";
import type { Uses } from "../analysis/access.ts";
import { definedFirst } from "../analysis/liveness.ts";
import { isVolatile } from "../analysis/purity.ts";
import { reductionUse } from "../analysis/reductions.ts";
import { isGlobal } from "../analysis/routines.ts";
import type { Loop, Reduction } from "../model/ir.ts";
import { coveredFirst } from "./coverage.ts";
import type { Refusal } from "./proof.ts";
import type { References } from "./references.ts";

/** What a proof needs to know about the code around the loop. */
export interface Surroundings {
  /** The enclosing function, for the sources of its pointers. */
  readonly function?: FunctionDef | undefined;
  /** Whether a variable's value after the loop may be used. */
  liveAfter(sym: Symbol): boolean;
  /** Whether two variables that might alias are known not to. */
  distinct?(a: Symbol, b: Symbol): boolean;
}
// ---------------------------------------------------------------- variables
interface Classes {
  readonly privates: readonly Symbol[];
  readonly reductions: readonly Reduction[];
}

export function classify(loop: Loop, uses: Uses, around: Surroundings): Classes | Refusal {
  const privates: Symbol[] = [];
  const reductions: Reduction[] = [];
  const privatised = new Set([...loop.privates, ...loop.reductions.map((r) => r.sym)]);
  const headers = new Set(loop.headers.map((h) => h.var));
  for (const [sym, use] of uses.of) {
    const inside = uses.declared.has(sym) && !isGlobal(sym);
    if (inside || privatised.has(sym)) continue;
    if (isVolatile(sym.type)) return refusal(`'${sym.name}' is volatile`, use.at);
    if (headers.has(sym)) {
      if (use.written || use.addressTaken)
        return refusal(`it changes its own variable '${sym.name}'`, writeOf(loop.body, sym) ?? use.at);
      continue;
    }
    if (isScalar(sym.type)) {
      if (use.addressTaken) return refusal(`it takes the address of '${sym.name}'`, use.at);
      if (!use.written) continue;
      const found = scalar(loop, sym, around);
      if ("why" in found) return found;
      if (found.reduction) reductions.push(found.reduction);
      else privates.push(sym);
    }
  }
  return { privates, reductions };
}

function scalar(loop: Loop, sym: Symbol, around: Surroundings): { reduction?: Reduction } | Refusal {
  const { op } = reductionUse(loop.body, sym);
  const at = writeOf(loop.body, sym);
  const type = canonical(sym.type).kind;
  if (op && (type === "int" || type === "float" || type === "enum" || type === "complex"))
    return { reduction: { op, sym, loc: at?.span.start ?? loop.site.loc } };
  if (!definedFirst(loop.body, sym))
    return refusal(`'${sym.name}' carries a value from one iteration to the next`, at, loop);
  if (isGlobal(sym) || around.liveAfter(sym))
    return refusal(`the value that the last iteration gives '${sym.name}' is used after the loop`, at, loop);
  return {};
}

/** Larger private copies cost each lane more memory than running its iterations in parallel gains. */
const LARGEST_PRIVATE = 4096;

/** An array or record that each iteration writes completely before reading it, and that is not read later. */
export function fillsFirst(
  references: References,
  sym: Symbol,
  loop: Loop,
  uses: Uses,
  around: Surroundings,
): boolean {
  const use = uses.of.get(sym);
  const { kind } = canonical(sym.type);
  if (kind !== "array" && kind !== "record") return false;
  if (uses.declared.has(sym) || loop.privates.includes(sym) || isGlobal(sym)) return false;
  if (!(use?.written || use?.elementsWritten) || use.addressTaken) return false;
  const size = sizeOf(sym.type);
  if (size === undefined || size > LARGEST_PRIVATE) return false;
  return coveredFirst(references, sym) && !around.liveAfter(sym);
}

function refusal(why: string, at: Expr | undefined, loop?: Loop): Refusal {
  const loc = at?.span.start ?? loop?.site.loc;
  return { independent: false, why, loc: loc as Loc };
}

/** The first expression that writes `sym`. */
function writeOf(body: Stmt, sym: Symbol): Expr | undefined {
  let found: Expr | undefined;
  walkStmt(body, {
    expr: (e) => {
      const target =
        e.kind === "assign" ? stripImplicit(e.left) : e.kind === "incdec" ? stripImplicit(e.arg) : undefined;
      if (target?.kind === "ident" && target.sym === sym) found ??= e;
    },
  });
  return found;
}
